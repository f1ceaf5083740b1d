"""What the payment queue shows, what the study page says of it, and the text that goes into a platform's form."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from statistics import median

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from annotation.models import Assignment, Item, Sitting, Study, annotator_name
from annotation.paying.deciding import failures_needed, reasons
from annotation.paying.handing_over import HandedOver
from annotation.paying.lines import PayLine, read_lines
from annotation.paying.money import amount, in_words, pay_of, written
from annotation.paying.queue import (
    ALL,
    DECISIONS,
    KEPT,
    OUTCOMES,
    VERDICTS,
    QueueFilter,
    failed_beside,
    handed_over,
    queue,
    to_approve,
    totals,
)
from annotation.platforms import PLATFORMS
from annotation.privacy import count_platform_ids, decided_ids, next_due
from annotation.quality.reading_time import ENOUGH_ANSWERS, least_seconds
from annotation.up_to import UpTo, up_to
from comparison.exports.cells import cell, quoted

ROWS = 50
# Submissions that are counted for a button that approves all.
COUNTED = 1_000
UNDECIDED = "undecided"
ANY = ("", "any")
VERDICT_WORDS = {one: "not excluded" if one == KEPT else one for one in VERDICTS}


@dataclass(frozen=True, slots=True)
class PaymentFacts:
    """Sittings by decision; ids kept, erasable now, and when next. `bonuses`: of decided ones, or of undecided."""

    undecided: int
    approved: int
    rejected: int
    bonuses: Mapping[str, Decimal]
    ids: int
    erasable: int
    next_due: datetime | None

    @property
    def has_bonuses(self) -> bool:
        return any(self.bonuses.values())

    @property
    def sittings(self) -> int:
        return self.undecided + self.approved + self.rejected


@dataclass(frozen=True, slots=True)
class QueueLine:
    """A sitting with what the annotator is called."""

    pay: PayLine
    number: int
    bonus: str
    handed_in: str
    hourly: str
    too_fast: bool
    # What approving it pays, with its bonus, in hundredths; None where the study does not say.
    cents: int | None

    @property
    def name(self) -> str:
        return annotator_name(self.number)


@dataclass(frozen=True, slots=True)
class Chip:
    """One decision by which the queue can be narrowed; empty is any."""

    decision: str
    words: str
    count: int
    is_current: bool


@dataclass(frozen=True, slots=True)
class PaymentPage:
    form: "QueueForm"
    facts: PaymentFacts
    lines: Page[QueueLine]
    to_approve: UpTo
    # Those beside them that failed checks, which are approved only if that is asked for.
    failed: UpTo
    # The decision of which ids are handed over, and whether any of those shown can be of it.
    handed_over: str
    has_ids: bool
    pay: str
    # What all of a decision come to, in words.
    sums: tuple[str, ...]
    # What stands before and behind an amount.
    money: tuple[str, str]
    reasons: Mapping[str, str]
    least_message: int
    # The reason that rests on failed attention checks, if any, and how many there must be.
    failed_checks: str
    failures_needed: int

    @property
    def chips(self) -> list[Chip]:
        facts, current = self.facts, self.form["decision"].value() or ""
        counts = {
            UNDECIDED: ("To decide", facts.undecided),
            "approved": ("Approved", facts.approved),
            "rejected": ("Rejected", facts.rejected),
            "": ("All", facts.sittings),
        }
        return [Chip(one, words, count, one == current) for one, (words, count) in counts.items()]

    @property
    def tells_decisions(self) -> bool:
        """Whether the lines say what was decided: not where all are to be decided, and none has a bonus."""
        return self.form["decision"].value() != UNDECIDED or any(line.bonus or line.handed_in for line in self.lines)

    @property
    def can_hand_over(self) -> bool:
        """Whether anybody has the decision of which IDs are handed over."""
        return bool(self.facts.rejected if self.handed_over == "rejected" else self.facts.approved)

    @property
    def narrower(self) -> list[forms.BoundField]:
        return [self.form["outcome"], self.form["verdict"]]

    @property
    def is_filtered(self) -> bool:
        return any(field.value() for field in self.narrower)


class QueueForm(forms.Form):
    """What of the queue is asked for, and what a sitting brings where the study file does not say."""

    outcome = forms.ChoiceField(choices=[ANY, *((one, one.replace("_", " ")) for one in OUTCOMES)], required=False)
    decision = forms.ChoiceField(choices=[ANY, *((one, one) for one in DECISIONS)], required=False)
    verdict = forms.ChoiceField(choices=[ANY, *VERDICT_WORDS.items()], required=False, label="Exclusion")
    pay = forms.CharField(max_length=20, required=False)

    def clean_pay(self) -> Decimal | None:
        given: str = self.cleaned_data["pay"]
        try:
            return amount(given) if given else None
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None

    @property
    def asked(self) -> QueueFilter:
        return QueueFilter(**{name: self.cleaned_data[name] for name in ("outcome", "decision", "verdict")})


def read_payment_facts(study: Study) -> PaymentFacts:
    found = totals(queue(study))
    return PaymentFacts(
        **{decision: found[decision][0] if decision in found else 0 for decision in DECISIONS},
        bonuses={decision: bonuses for decision, (_, bonuses) in found.items()},
        ids=count_platform_ids(study),
        erasable=decided_ids(study).count(),
        next_due=next_due(study),
    )


def read_payment_page(study: Study, query: Mapping[str, str]) -> PaymentPage:
    """A filter that does not exist lists nothing, and the form says why. By default it opens on what is undecided."""
    facts = read_payment_facts(study)
    first = {} if "decision" in query or not facts.undecided else {"decision": UNDECIDED}
    form = QueueForm(dict(query.items()) | first)
    is_valid = form.is_valid()
    asked = form.asked if is_valid else ALL
    typed = form.cleaned_data.get("pay")
    pay = typed if typed is not None else pay_of(study)
    sittings = queue(study, asked) if is_valid else Sitting.objects.none()
    platform = PLATFORMS.get(study.platform)
    approvable = to_approve(study, asked) if is_valid else Sitting.objects.none()
    failed = failed_beside(study, asked) if is_valid else Sitting.objects.none()
    failed_checks = platform.failed_checks if platform else ""
    return PaymentPage(
        form=form,
        facts=facts,
        lines=_page(study, sittings, pay, query.get("page")),
        to_approve=up_to(approvable, COUNTED),
        failed=up_to(failed, COUNTED),
        handed_over=handed_over(asked),
        has_ids=asked.decision in ("", handed_over(asked)),
        pay=in_words(pay, study.currency) if pay is not None else "",
        sums=_sums(facts, pay, study.currency),
        money=written(study.currency),
        reasons=reasons(study),
        least_message=platform.least_message if platform else 1,
        failed_checks=failed_checks,
        failures_needed=failures_needed(study, failed_checks),
    )


def _sums(facts: PaymentFacts, pay: Decimal | None, currency: str) -> tuple[str, ...]:
    if pay is None:
        return ()
    counts = {"approved": facts.approved, UNDECIDED: facts.undecided}
    words = {"approved": "approved", UNDECIDED: "to decide"}
    owed = {one: count * pay + facts.bonuses.get(one, Decimal(0)) for one, count in counts.items()}
    return tuple(f"{in_words(owed[one], currency)} {words[one]}" for one, count in counts.items() if count)


def _page(study: Study, sittings: "QuerySet[Sitting]", pay: Decimal | None, number: str | None) -> Page[QueueLine]:
    """Only what is on the page is read in full."""
    page = Paginator(sittings.select_related("annotator"), ROWS).get_page(number)
    hasty = _hasty(study, [one.pk for one in page.object_list], least := least_seconds(study))
    numbers = study.annotator_numbers.by_annotator(one.annotator_id for one in page.object_list)
    lines = [
        _line(study, one, numbers[one.sitting.annotator_id], pay, least, hasty)
        for one in read_lines(study, list(page.object_list), pay=pay)
    ]
    return Page(lines, page.number, page.paginator)  # type: ignore[arg-type]  # the paginator counts the same rows


def _hasty(study: Study, sittings: Sequence[int], least: float) -> set[int]:
    """Those with most answers given sooner than an item can be read, by the times that browsers measured."""
    targets = Assignment.objects.filter(sitting__in=sittings, item__kind=Item.Kind.TARGET).order_by()
    timed = targets.filter(state__in=Assignment.ANSWERED)
    took: dict[int, list[int]] = defaultdict(list)
    for pk, milliseconds in timed.values_list("sitting", "judgment__response_ms"):
        if milliseconds is not None:
            took[pk].append(milliseconds)
    return {pk for pk, times in took.items() if len(times) >= ENOUGH_ANSWERS and median(times) < 1000 * least}


def _line(
    study: Study, one: PayLine, number: int, pay: Decimal | None, least: float, hasty: Collection[int]
) -> QueueLine:
    seconds = one.took.total_seconds() if one.took is not None else None
    is_short = seconds is not None and one.behind >= ENOUGH_ANSWERS and seconds < least * one.behind
    bonus = one.decision.bonus if one.decision is not None else Decimal(0)
    return QueueLine(
        pay=one,
        number=number,
        bonus=in_words(bonus, study.currency) if bonus else "",
        handed_in=in_words(one.handed_in.amount, study.currency) if one.handed_in is not None else "",
        hourly=in_words(one.hourly, study.currency) if one.hourly is not None else "",
        too_fast=is_short or one.sitting.pk in hasty,
        cents=int(100 * (pay + bonus)) if pay is not None else None,
    )


def text_of(found: HandedOver) -> str:
    """Ids alone are as the platform has made them. With an amount beside it, an id could say another one, or run as a
    formula: such a line is CSV, as in the export of payments. Ids that fit Prolific's or MTurk's pattern stay as is.
    """
    return "".join(f"{_handed_over_line(row)}\n" for row in found.rows)


def _handed_over_line(row: tuple[str, ...]) -> str:
    return row[0] if len(row) == 1 else ",".join(quoted(cell(value)) for value in row)
