"""Items as rows of a file: as they stand; and those of a folder as researchers have revised them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from annotation.itemfile import ItemRow
from annotation.models import Item, ItemRevision, Study

# Names that are asked for at once.
NAMES = 5_000


def row_of(item: Item) -> ItemRow:
    """The item as the item file has it."""
    return ItemRow(
        id=item.external_id,
        content=item.content,
        kind=str(item.kind),
        reference=item.reference,
        attributes=item.attributes,
        group=item.group,
        strength=item.reference_strength,
        revise=item.revise,
        explanation=item.explanation,
    )


def as_revised(study: Study, rows: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows of an item file, those that still have a wording that was revised with the newest one.

    A row that the file itself has changed counts as the file says.
    """
    histories: dict[str, list[ItemRevision]] = {}
    names = iter(rows)
    while some := [row.id for row in islice(names, NAMES)]:
        for revision in ItemRevision.objects.filter(study=study, external_id__in=some):
            histories.setdefault(revision.external_id, []).append(revision)
    return [_as_revised(row, histories.get(row.id, [])) for row in rows]


def _as_revised(row: ItemRow, history: list[ItemRevision]) -> ItemRow:
    if not history or row.content not in [history[-1].after, *(revision.before for revision in history)]:
        return row
    return replace(row, content=history[-1].after)
