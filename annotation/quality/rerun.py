"""A policy held against the answers that are there: whom it would exclude. Nothing is changed.

Here are also the queries that make answers, as rules are given them, of rows.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from annotation.models import Assignment, Item, Revision, Study
from annotation.quality.policy import Policy
from annotation.quality.rules import Answer, Evidence, held_against
from annotation.tasktypes.contract import Scale

BATCH = 2_000
CHECKS = (Item.Kind.GOLD, Item.Kind.ATTENTION)
COLUMNS = (
    "annotator", "sitting", "sitting__source", "item__external_id", "item__kind", "item__reference",
    "judgment__answer", "claimed_ms", "shown_at", "first_at", "presentation", "state", "item__tally",
)  # fmt: skip
CHECKED = ("annotator", "item__kind", "item__reference")


def answered(study: Study) -> QuerySet[Assignment]:
    """What policies look at: every answer but those to practice items, counted or not."""
    given = Assignment.objects.filter(sitting__study=study).held_against()
    return given.exclude(item__kind=Item.Kind.PRACTICE).order_by()


def with_times(answers: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Each with `first_at` and `claimed_ms`: when it was first answered, and how long that took by the browser.

    Of an answer that was changed, the first counts: whoever has not read chooses at once, and may choose again.
    """
    first = Revision.objects.filter(judgment=OuterRef("judgment__pk")).order_by("replaced_at", "pk")
    answers = answers.annotate(changed=Subquery(first.values("answered_at")[:1]))
    claimed = Case(
        When(changed__isnull=False, then=Subquery(first.values("response_ms")[:1])), default=F("judgment__response_ms")
    )
    return answers.annotate(first_at=Coalesce("changed", "judgment__answered_at"), claimed_ms=claimed)


def read_answers(answers: QuerySet[Assignment], policy: Policy) -> Iterator[tuple[int, Answer]]:
    """With their annotators, one annotator's together and in the order in which they were shown.

    Where the policy asks for neither times nor order, only checks are read.
    """
    if not (policy.times or policy.orders):
        answers = answers.filter(item__kind__in=CHECKS)
    ordered = with_times(answers).order_by("annotator", "sitting", "position", "repeats__turn")
    # A row for each label after the first, or one with none.
    rows = ordered.values_list("pk", "repeats__answer", *COLUMNS)
    before = None
    for pk, again, who, *known in rows.iterator(chunk_size=BATCH):
        answer = _answer(*known)
        if pk != before:
            yield who, answer
        if again is not None and answer.is_check:
            yield who, replace(answer, answer=again)
        before = pk


def checks_among(answers: QuerySet[Assignment]) -> Iterator[tuple[int, str, str, str, int]]:
    """Of the checks among these: annotator, kind, reference, answer, and how often it was given. A check that somebody
    was given again, elsewhere, counts each time.
    """
    checks = answers.filter(item__kind__in=CHECKS).order_by()
    first = checks.values_list(*CHECKED, "judgment__answer")
    again = checks.filter(repeats__isnull=False).values_list(*CHECKED, "repeats__answer")
    for rows in (first, again):
        for annotator, kind, reference, answer, count in rows.annotate(count=Count("pk")):
            assert reference is not None  # the database holds checks to it
            yield annotator, kind, reference, answer, count


def _answer(
    sitting: int,
    source: int | None,
    item: str,
    kind: str,
    reference: str | None,
    answer: str,
    claimed: int | None,
    shown_at: datetime | None,
    first_at: datetime,
    presentation: dict[str, Any],
    state: str,
    tally: dict[str, int],
) -> Answer:
    """Of labels given elsewhere neither order nor pace is ours to judge."""
    mine = {answer: tally[answer] - 1} if state == Assignment.State.COUNTED else {}
    here = source is None
    return Answer(
        item=item,
        kind=kind,
        answer=answer,
        reference=reference,
        sitting=sitting,
        shown=tuple(presentation["order"]) if here else (),
        took_ms=_took(claimed, shown_at, first_at) if here else None,
        claimed_ms=claimed if here else None,
        others=tally | mine,
    )


def _took(claimed: int | None, shown_at: datetime | None, first_at: datetime) -> int:
    """The server's interval, or less if the browser says less: it does not know how long the page was hidden, and
    anybody may send any number. An item that was never served was not read.
    """
    passed = (first_at - shown_at) // timedelta(milliseconds=1) if shown_at is not None else 0
    return passed if claimed is None else min(claimed, passed)


def rejudge(study: Study, policy: Policy, *, among: Collection[int] | None = None) -> dict[int, Evidence]:
    """The evidence of every annotator whose answers break a rule of the policy, whatever was decided before.

    `among`: only of these is it asked.
    """
    scale, answers = study.task.scale, answered(study)
    if among is not None:
        answers = answers.filter(annotator__in=among)
    if not policy.orders:
        suspects = _by_checks(answers, policy, scale) | _by_times(answers, policy)
        answers = answers.filter(annotator__in=suspects)
    found = {}
    for annotator, given in groupby(read_answers(answers, policy), key=itemgetter(0)):
        evidence = held_against(policy, [one for _, one in given], scale)
        if evidence.broken_rule is not None:
            found[annotator] = evidence
    return found


def _by_checks(answers: QuerySet[Assignment], policy: Policy, scale: Scale) -> set[int]:
    """Those who fail more attention checks than allowed, or a larger share of gold."""
    failed, gold, far = defaultdict[int, int](int), defaultdict[int, int](int), defaultdict[int, int](int)
    for annotator, kind, reference, answer, count in checks_among(answers):
        if kind == Item.Kind.ATTENTION:
            failed[annotator] += count * (answer != reference)
        else:
            gold[annotator] += count
            far[annotator] += count * (scale.distance(reference, answer) >= policy.gold_distance)
    inattentive = {who for who, count in failed.items() if count > policy.max_attention_failures}
    return inattentive | {who for who, count in far.items() if count > policy.gold_tolerance * gold[who]}


def _by_times(answers: QuerySet[Assignment], policy: Policy) -> set[int]:
    """Those of whom enough answers are below a floor, by browser or by server; those given elsewhere have no time."""
    if not policy.times:
        return set()
    timed = with_times(answers.exclude(state=Assignment.State.DECLINED).filter(sitting__source__isnull=True))
    of_all = (
        timed.values_list("annotator")
        .annotate(timed=Count("pk"), below=Count("pk", filter=_below(policy.item_floor_ms)))
        .values_list("annotator", "timed", "below")
    )
    of_sittings = (
        timed.values_list("annotator", "sitting")
        .annotate(timed=Count("pk"), below=Count("pk", filter=_below(policy.sitting_floor_ms)))
        .values_list("annotator", "timed", "below")
    )
    quick = {who for who, count, below in of_all if below > policy.quick_tolerance * count}
    return quick | {who for who, count, below in of_sittings if 2 * below > count}


def _below(floor: int) -> Q:
    """Quicker than so many milliseconds: as the browser said, or since no more had passed when it was answered."""
    served_later = Q(first_at__lt=F("shown_at") + timedelta(milliseconds=floor))
    return Q(claimed_ms__lt=floor) | served_later | Q(shown_at=None)
