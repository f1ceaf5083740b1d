"""What is known of a sitting when its payment is decided: a constant number of queries for any number of sittings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from itertools import islice

from django.db.models import Count, Q, QuerySet, Sum

from annotation.arrival.way_back import code_of
from annotation.models import Assignment, Exclusion, Item, PaymentDecision, Sitting, Study
from annotation.paying.deciding import latest
from annotation.paying.handing_over import HandedIn, handed_in, ids_by_sitting
from annotation.paying.money import hourly
from annotation.paying.queue import EXCLUDED, KEPT, REINSTATED, ChecksGiven, checks_given
from annotation.platforms import Outcome

BATCH = 200


@dataclass(frozen=True, slots=True)
class PayLine:
    """`measured` of the answers have a time from shown to chosen; `active` is their sum.

    `declined` items they said they cannot judge: work, but no answer. Practice is in none of them. `given_id` is the
    platform's, empty where none is kept.
    """

    sitting: Sitting
    given_id: str
    answered: int
    declined: int
    offered: int
    active: timedelta
    measured: int
    exclusion: Exclusion | None
    evidence: str
    decision: PaymentDecision | None
    handed_in: HandedIn | None
    hourly: Decimal | None

    @property
    def behind(self) -> int:
        return self.answered + self.declined

    @property
    def id_was_erased(self) -> bool:
        return not self.given_id and self.sitting.annotator.platform != "link"

    @property
    def code(self) -> str:
        """The one that they were shown; none before the end."""
        return code_of(self.sitting, Outcome(self.sitting.outcome)) if self.sitting.is_over else ""

    @property
    def outcome(self) -> str:
        return Outcome(self.sitting.outcome).words if self.sitting.is_over else f"not finished, {self.sitting.state}"

    @property
    def took(self) -> timedelta | None:
        return took(self.sitting)

    @property
    def minutes(self) -> Decimal | None:
        return _minutes(self.took)

    @property
    def active_minutes(self) -> Decimal | None:
        return _minutes(self.active) if self.measured else None

    @property
    def verdict_words(self) -> str:
        return "not excluded" if self.verdict == KEPT else self.verdict

    @property
    def verdict(self) -> str:
        if self.exclusion is None:
            return KEPT
        return EXCLUDED if self.exclusion.lifted_at is None else REINSTATED


def took(sitting: Sitting) -> timedelta | None:
    """From the beginning to the end, or to the last answer of one that did not come to its own end; else None."""
    came_to_an_end = sitting.outcome == Outcome.COMPLETED
    end = sitting.finished_at if came_to_an_end else sitting.last_answer_at
    return end - sitting.started_at if end is not None else None


def read_lines(study: Study, sittings: Sequence[Sitting], *, pay: Decimal | None) -> list[PayLine]:
    """In their order. `sittings` come with their annotators."""
    pks, people = [one.pk for one in sittings], {one.annotator_id for one in sittings}
    work, given = _work(pks), ids_by_sitting(pks)
    verdicts = {one.annotator_id: one for one in study.exclusions.filter(annotator__in=people)}
    answers = Assignment.objects.filter(sitting__study=study, annotator__in=people).held_against()
    checks = checks_given(study.task.scale, answers)
    decisions, marks = latest(pks), handed_in(pks)
    found = []
    for one in sittings:
        # Read already, and asked for its codes.
        one.study = study
        answered, declined, offered, active, measured = work.get(one.pk, (0, 0, 0, 0, 0))
        exclusion = verdicts.get(one.annotator_id)
        found.append(
            PayLine(
                sitting=one,
                given_id=given.get(one.pk, ""),
                answered=answered,
                declined=declined,
                offered=offered,
                active=timedelta(milliseconds=active),
                measured=measured,
                exclusion=exclusion,
                evidence=_evidence(study, exclusion, checks.get(one.annotator_id, ChecksGiven())),
                decision=decisions.get(one.pk),
                handed_in=marks.get(one.pk),
                hourly=hourly(pay, took(one)) if answered and one.is_over else None,
            )
        )
    return found


def all_lines(study: Study, sittings: "QuerySet[Sitting]", *, pay: Decimal | None) -> Iterator[PayLine]:
    """Of any number of sittings, some at a time."""
    rows = sittings.select_related("annotator").iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        yield from read_lines(study, batch, pay=pay)


def _work(sittings: Sequence[int]) -> dict[int, tuple[int, int, int, int, int]]:
    """Answered, not to be judged, offered, milliseconds, and of how many of the first two these are, by sitting.

    Without practice, which is not what somebody is paid for.
    """
    answered, behind = Q(state__in=Assignment.ANSWERED), Q(state__in=Assignment.BEHIND)
    rows = (
        Assignment.objects.filter(sitting__in=sittings)
        .exclude(item__kind=Item.Kind.PRACTICE)
        .order_by()
        .values_list("sitting")
        .annotate(
            answered=Count("pk", filter=answered),
            declined=Count("pk", filter=Q(state=Assignment.State.DECLINED)),
            offered=Count("pk", filter=~Q(state=Assignment.State.RELEASED)),
            active=Sum("judgment__response_ms", filter=behind),
            measured=Count("judgment__response_ms", filter=behind),
        )
    )
    return {pk: (done, declined, offered, active or 0, timed) for pk, done, declined, offered, active, timed in rows}


def _evidence(study: Study, exclusion: Exclusion | None, checks: ChecksGiven) -> str:
    found = checks.words(study.policy.gold_distance)
    if exclusion is None:
        return found
    said = exclusion.get_rule_display()
    if exclusion.rule == Exclusion.Rule.RESEARCHER:
        said = f"{said}: {exclusion.evidence.get('reason', '')}"
    return f"{said}; {found}"


def _minutes(span: timedelta | None) -> Decimal | None:
    return None if span is None else (Decimal(int(span.total_seconds())) / 60).quantize(Decimal("0.1"))
