"""One line a report of a problem with an item, in the annotator's own words."""

from collections.abc import Iterator

from annotation.models import ItemReport, Study
from comparison.figures.file import ORIGIN, File, Row, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.names import annotator_name

CHUNK = 1_000


def reports(study: Study, selection: Selection) -> Iterator[Row]:
    """In the order in which they were first written; anonymous without their words."""
    yield [*ORIGIN, "item", "kind", "text", "annotator", "sitting", "report", "at"]
    found = ItemReport.objects.filter(item__study=study).select_related("item", "sitting").order_by("pk")
    head, text = origin(study), study.task.text
    for one in found.iterator(chunk_size=CHUNK):
        yield [
            *head, one.item.external_id, one.item.kind, text(one.item.content),
            annotator_name(one.sitting.annotator_id), one.sitting_id,
            None if selection.anonymous else one.text, one.at.isoformat(),
        ]  # fmt: skip


REPORTS = File(
    key="reports",
    title="Reported problems",
    says="what annotators say is wrong with items, in their own words: read it before you share it",
    says_anonymous="of which items annotators say that something is wrong",
    rows=reports,
    is_whole=True,
    is_streamed=True,
    is_of_people=True,
)
