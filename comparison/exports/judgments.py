"""Every answer that was given, counted or not, one line each."""

from collections.abc import Iterator

from annotation.models import Assignment, Study
from comparison.exports.rows import ORIGIN, Row, origin
from comparison.frame.frames import annotator_name
from comparison.frame.selection import Selection

HEADER = [
    *ORIGIN, "item", "kind", "annotator", "profile", "sitting", "position", "answer", "reference", "state",
    "counts", "response_ms", "shown_at", "answered_at", "earlier_answers", "order_shown", "instructions_version",
]  # fmt: skip
CHUNK = 2000


def judgments(study: Study, selection: Selection) -> Iterator[Row]:
    """All kinds of items, all states. Annotators are numbers; the platform's ids stay in the house."""
    yield HEADER
    answered = (
        Assignment.objects.filter(item__study=study, state__in=Assignment.ANSWERED)
        .select_related("item", "annotator", "sitting", "judgment")
        .prefetch_related("judgment__revisions")
        .order_by("item__position", "pk")
    )
    for assignment in answered.iterator(chunk_size=CHUNK):
        judgment, item = assignment.judgment, assignment.item
        earlier = [f"{revision.answer} {revision.answered_at.isoformat()}" for revision in judgment.revisions.all()]
        yield [
            *origin(study),
            item.external_id,
            item.kind,
            annotator_name(assignment.annotator_id),
            assignment.annotator.profile,
            assignment.sitting_id,
            assignment.position,
            judgment.answer,
            item.reference,
            assignment.state,
            assignment.state == Assignment.State.COUNTED,
            judgment.response_ms,
            assignment.shown_at.isoformat() if assignment.shown_at else None,
            judgment.answered_at.isoformat(),
            "; ".join(earlier),
            " ".join(assignment.presentation.get("order", [])),
            assignment.sitting.instructions_version,
        ]
