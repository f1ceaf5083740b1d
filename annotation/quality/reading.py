"""From rows to the answers that rules are given."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, F, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from annotation.models import Assignment, Item, Revision, Study
from annotation.quality.answers import Answer
from annotation.quality.policy import Policy

BATCH = 2_000
CHECKS = (Item.Kind.GOLD, Item.Kind.ATTENTION)
COLUMNS = (
    "annotator", "sitting", "sitting__source", "item__external_id", "item__kind", "item__reference",
    "judgment__answer", "claimed_ms", "shown_at", "first_at", "presentation", "state", "item__tally",
)  # fmt: skip


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


def read_given(answers: QuerySet[Assignment], policy: Policy) -> Iterator[tuple[int, Answer]]:
    """With their annotators, one annotator's together and in the order in which they were shown.

    Where the policy asks for neither times nor order, only checks are read.
    """
    if not (policy.times or policy.orders):
        answers = answers.filter(item__kind__in=CHECKS)
    rows = with_times(answers).order_by("annotator", "sitting", "position").values_list(*COLUMNS)
    for row in rows.iterator(chunk_size=BATCH):
        yield row[0], _given(*row[1:])


def _given(
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
