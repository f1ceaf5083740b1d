"""A study's items as rows of an item file, read at once, and a name for how they stand."""

from dataclasses import dataclass

from django.db.models import Count, Max

from annotation.itemfile import ItemRow
from annotation.models import Study

# In the order of ItemRow's fields.
COLUMNS = (
    "external_id",
    "content",
    "kind",
    "reference",
    "attributes",
    "group",
    "reference_strength",
    "revise",
    "explanation",
)


@dataclass(frozen=True, slots=True)
class Rows:
    """`state` is another one as soon as any item is."""

    rows: list[ItemRow]
    state: tuple[object, ...]


def read_rows(study: Study) -> Rows:
    """All items in their order. Whoever stores something of them asks under the study's lock if they still stand."""
    state = state_of_items(study)
    read = study.items.order_by("position").values_list(*COLUMNS)
    return Rows([ItemRow(*row) for row in read.iterator(chunk_size=5_000)], state)


def state_of_items(study: Study) -> tuple[object, ...]:
    """An item with other words is a new row; what else a file or a page changes of one, the study's hash tells."""
    found = Study.objects.filter(pk=study.pk).values_list("content_hash").annotate(Count("items"), Max("items"))
    return tuple(found.get())
