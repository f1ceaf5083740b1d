"""Loading a folder again undoes no revision: its rows as researchers have revised them."""

from collections.abc import Sequence
from dataclasses import replace

from annotation.itemfile import ItemRow
from annotation.models import ItemRevision, Study


def as_revised(study: Study, rows: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows of an item file, those that still have a wording that was revised with the newest one.

    A row that the file itself has changed counts as the file says.
    """
    histories: dict[str, list[ItemRevision]] = {}
    for revision in ItemRevision.objects.filter(study=study):
        histories.setdefault(revision.external_id, []).append(revision)
    return [_as_revised(row, histories.get(row.id, [])) for row in rows]


def _as_revised(row: ItemRow, history: list[ItemRevision]) -> ItemRow:
    if not history or row.content not in [history[-1].after, *(revision.before for revision in history)]:
        return row
    return replace(row, content=history[-1].after)
