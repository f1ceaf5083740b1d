"""manage.py history STUDY: who did what in a study, and when."""

import csv
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.audit.deeds import Deed
from annotation.audit.history import acts_called, facts_of, how_of, rows, who_of
from corpus.arguments import whole

LAST = 100


class Command(BaseCommand):
    help = (
        "List what has been done in a study, latest first: who, what, to what, when. Works for deleted studies too. "
        "Exit codes: 0 done, 1 nothing found, 2 wrong arguments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug, or a former one")
        parser.add_argument("--who", default="", metavar="NAME", help="only entries of this user")
        parser.add_argument(
            "--deed", default="", choices=sorted(Deed), metavar="DEED", help="only this kind, such as opened or paid"
        )
        parser.add_argument("--last", type=whole(1), default=LAST, metavar="N", help=f"maximum entries ({LAST})")
        parser.add_argument("--csv", action="store_true", help="all entries, as CSV")

    def handle(self, *args: Any, study: str, who: str, deed: str, **options: Any) -> None:
        acts = acts_called(study if study.isprintable() else "", who=who, deed=deed)
        if not acts.exists():
            raise CommandError(f"No matching act in {study!r}.")
        if options["csv"]:
            csv.writer(self.stdout, lineterminator="\n").writerows(rows(acts, edits=True))
            return
        for act in acts[: options["last"]]:
            how = f" ({how_of(act)})" if how_of(act) else ""
            subject = f": {act.subject}" if act.subject else ""
            facts = "".join(f"; {fact}" for fact in facts_of(act, edits=True))
            self.stdout.write(f"{act.at:%Y-%m-%d %H:%M:%S}  {who_of(act)}{how} {act.words}{subject}{facts}")
