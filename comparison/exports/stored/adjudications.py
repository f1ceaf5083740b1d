"""One line a decision of a researcher on an item whose labels did not agree, those that no longer stand too."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import ORIGIN, File, Row, origin
from comparison.frame.filters.selection import Selection

CHUNK = 1_000


def adjudications(study: Study, selection: Selection) -> Iterator[Row]:
    """In the order in which they were made. The labels are those that counted then."""
    values = study.task.scale.values
    yield [
        *ORIGIN, "item", "text", "decision", "undecidable", "note", "stands", "by", "at", "reference",
        *(f"labels:{value}" for value in values),
    ]  # fmt: skip
    head, text = origin(study), study.task.text
    for one in study.adjudications.select_related("item", "by").iterator(chunk_size=CHUNK):
        yield [
            *head, one.item.external_id, text(one.item.content), one.decision or None, not one.decision, one.note,
            one.stands, one.by.get_username(), one.at.isoformat(), one.item.reference,
            *(one.tally.get(value, 0) for value in values),
        ]  # fmt: skip


ADJUDICATIONS = File(
    key="adjudications",
    title="Adjudications",
    says="what researchers decided where labels do not agree",
    rows=adjudications,
    is_whole=True,
    is_streamed=True,
    is_of_people=True,
)
