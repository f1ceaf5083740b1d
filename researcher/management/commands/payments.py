"""manage.py payments SLUG …: the payment queue without a browser, as a file or as a decision."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from annotation.audit.acts import taken_out
from annotation.management.arguments import named
from annotation.models import Sitting, Study
from annotation.paying import deciding, handing_over
from annotation.paying.deciding import Decided, NotPayable
from annotation.paying.money import amount
from annotation.paying.queue import DECISIONS, OUTCOMES, VERDICTS, QueueFilter, handed_over, queue, to_approve
from annotation.privacy import find_person
from comparison.exports.cells import lines, write_out
from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from researcher.studies.payment import text_of

ALL = Selection()


class Command(BaseCommand):
    help = (
        "Show or decide the payment of a study's submissions: a table, IDs or bonuses for a platform, approval, "
        "rejection, a bonus. Nothing is sent anywhere. Without an action, count the submissions by decision."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument("--outcome", choices=OUTCOMES, default="", help="only submissions with this outcome")
        parser.add_argument("--decision", choices=DECISIONS, default="", help="only submissions with this decision")
        parser.add_argument(
            "--verdict", choices=VERDICTS, default="", help="only annotators with this exclusion status"
        )
        parser.add_argument("--id", action="append", default=[], metavar="ID", help="only this platform ID; repeatable")
        do = parser.add_mutually_exclusive_group()
        do.add_argument("--csv", type=Path, metavar="FILE", help="write all submissions as CSV; - for standard output")
        do.add_argument(
            "--ids",
            action="store_true",
            help="print the IDs of approved submissions, one per line, for a platform's bulk approval; with --decision "
            "rejected, those for bulk rejection",
        )
        do.add_argument(
            "--bonuses",
            action="store_true",
            help="print id,amount lines for Prolific's bulk bonus, and mark them as sent",
        )
        do.add_argument("--approve", action="store_true", help="approve undecided submissions with answers")
        do.add_argument("--reject", metavar="REASON", help="reject, with the platform's code for the reason")
        do.add_argument("--bonus", metavar="AMOUNT", help="set a bonus, such as 0.50; 0 removes it")
        do.add_argument(
            "--not-handed-in", action="store_true", help="mark bonuses as not sent; the next list has them again"
        )
        do.add_argument("--take-back", action="store_true", help="undo the decision, and remove the bonus")
        parser.add_argument(
            "--without-answers",
            action="store_true",
            help="with --approve or --bonus: also submissions without an answer",
        )
        parser.add_argument(
            "--failed-checks", action="store_true", help="with --approve: also submissions with failed checks"
        )
        parser.add_argument(
            "--message", default="", help="the message to a rejected annotator, or the reason for a bonus"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["slug"], returncode=1)
        if options["csv"]:
            out = None if str(options["csv"]) == "-" else options["csv"]
            write_out(lines(export("payments")(study, ALL)), out=out, stdout=self.stdout)
            taken_out(study, "payments.csv")
            return
        asked = QueueFilter(options["outcome"], options["decision"], options["verdict"])
        sittings = self._of_people(study, queue(study, asked), options["id"])
        if options["ids"] or options["bonuses"]:
            decision = handed_over(asked) if options["ids"] else ""
            self._hand_over(
                handing_over.ids(sittings, decision) if decision else handing_over.hand_in_bonuses(sittings, by=None),
                decision,
            )
            return
        try:
            self._decide(study, asked, sittings, options)
        except (NotPayable, ValueError) as error:
            raise CommandError(str(error)) from None

    def _of_people(self, study: Study, sittings: "QuerySet[Sitting]", given: list[str]) -> "QuerySet[Sitting]":
        if not given:
            return sittings
        people = {one: find_person(study, one) for one in given}
        unknown = [one for one, person in people.items() if person is None]
        if unknown:
            raise CommandError(f"No one has taken part with the ID {', '.join(unknown)}.")
        return sittings.filter(annotator__in=[person.pk for person in people.values() if person is not None])

    def _hand_over(self, found: handing_over.HandedOver, decision: str) -> None:
        self.stdout.write(text_of(found), ending="")
        if found.decided_otherwise:
            self.stderr.write(
                f"{found.decided_otherwise} submissions are left out because they are not {decision} here."
            )
        if found.before:
            self.stderr.write(f"{found.before} submissions are left out because their bonus was handed in before.")
        if found.without_id:
            self.stderr.write(f"{found.without_id} submissions have no ID: it was erased, or there was none.")

    def _decide(self, study: Study, asked: QueueFilter, sittings: "QuerySet[Sitting]", options: dict[str, Any]) -> None:
        empty = options["without_answers"]
        if options["approve"]:
            chosen = sittings.values("pk")
            among = to_approve(study, asked, without_answers=True, failed_checks=True).filter(pk__in=chosen)
            ended = to_approve(study, asked, without_answers=True, failed_checks=options["failed_checks"])
            ended = ended.filter(pk__in=chosen)
            if left := among.count() - ended.count():
                self.stderr.write(f"{left} submissions are left out because of failed checks (--failed-checks).")
            self._say("approved", deciding.approve(ended, by=None, without_answers=empty))
        elif options["reject"]:
            told = {"reason": options["reject"], "message": options["message"]}
            self._say("rejected", deciding.reject(study, sittings, **told, by=None))
        elif options["bonus"] is not None:
            bonus = amount(options["bonus"])
            why = options["message"]
            found = deciding.give_bonus(sittings, bonus=bonus, reason=why, by=None, without_answers=empty)
            self._say("given a bonus", found)
        elif options["not_handed_in"]:
            count = handing_over.was_not_handed_in(sittings, by=None)
            self.stdout.write(f"{count} submissions no longer marked as handed in.")
        elif options["take_back"]:
            self._say("undecided again", deciding.take_back(sittings, by=None))
        else:
            counts = {decision: sittings.filter(payment=decision).count() for decision in DECISIONS}
            self.stdout.write(", ".join(f"{count} {decision}" for decision, count in counts.items()))

    def _say(self, done: str, found: Decided) -> None:
        self.stdout.write(f"{found.count} submissions {done}.")
        if found.without_answers:
            self.stderr.write(
                f"{found.without_answers} submissions are left out because they have no answer (--without-answers)."
            )
        if found.rejected:
            self.stderr.write(f"{found.rejected} submissions are left out because they are rejected.")
        if found.under_way:
            self.stderr.write(f"{found.under_way} submissions are left out because they are not finished.")
