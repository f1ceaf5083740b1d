"""From rows to the answers that rules are given."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Assignment, Item, Revision, Study
from annotation.quality.answers import Given
from annotation.quality.policy import Policy

BATCH = 2_000
CHECKS = (Item.Kind.GOLD, Item.Kind.ATTENTION)
COLUMNS = (
    "annotator", "sitting", "sitting__source", "item__external_id", "item__kind", "item__reference",
    "judgment__answer", "judgment__response_ms", "presentation", "state", "item__tally", "revised",
)  # fmt: skip


def answered(study: Study) -> QuerySet[Assignment]:
    """What policies look at: every answer but those to practice items, counted or not."""
    given = Assignment.objects.filter(sitting__study=study).held_against()
    return given.exclude(item__kind=Item.Kind.PRACTICE).order_by()


def read_given(answers: QuerySet[Assignment], policy: Policy) -> Iterator[tuple[int, Given]]:
    """With their annotators, one annotator's together and in the order in which they were shown.

    Where the policy asks for neither times nor order, only checks are read.
    """
    if not (policy.times or policy.orders):
        answers = answers.filter(item__kind__in=CHECKS)
    answers = answers.annotate(revised=Exists(Revision.objects.filter(judgment__assignment=OuterRef("pk"))))
    rows = answers.order_by("annotator", "sitting", "position").values_list(*COLUMNS)
    for row in rows.iterator(chunk_size=BATCH):
        yield row[0], _given(*row[1:])


def _given(
    sitting: int,
    source: int | None,
    item: str,
    kind: str,
    reference: str | None,
    answer: str,
    took: int | None,
    presentation: dict[str, Any],
    state: str,
    tally: dict[str, int],
    revised: bool,  # noqa: FBT001 -- a column
) -> Given:
    """Of labels given elsewhere neither order nor pace is ours to judge."""
    mine = {answer: tally[answer] - 1} if state == Assignment.State.COUNTED else {}
    here = source is None
    return Given(
        item=item,
        kind=kind,
        answer=answer,
        reference=reference,
        sitting=sitting,
        shown=tuple(presentation["order"]) if here else (),
        took_ms=took if here and not revised else None,
        others=tally | mine,
    )
