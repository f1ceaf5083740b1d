"""Rows checked by the rules of the item file, with faults named by the table's own rows and columns."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from annotation.itemfile import ItemRow, item_faults
from annotation.tasktypes.contract import TaskType
from corpus.errors import Fault, SourceError
from stimuli.datasets.table.columns import ATTRIBUTE, ColumnMap


def checked(
    source: Path,
    rows: list[ItemRow],
    places: Sequence[str],
    columns: ColumnMap,
    task: TaskType,
    *,
    beside: Collection[str] | None = None,
) -> list[ItemRow]:
    """The rows, if an item file of them would be accepted; else SourceError. `places` says where each comes from.

    `beside` are the ids of the items that these come to, if they come to any.
    """
    faults = item_faults(rows, task, beside=beside)
    if faults:
        raise SourceError(source, [_in_the_table(fault, places, columns) for fault in faults])
    return rows


def _in_the_table(fault: Fault, places: Sequence[str], columns: ColumnMap) -> Fault:
    """`line 3.content.sentence` of the item file, as the table's row and column."""

    def place(found: re.Match[str]) -> str:
        return places[int(found.group(1)) - 1]

    message = re.sub(r"(?<=used on )line (\d+)", place, fault.message)
    line = re.match(r"line (\d+)\.?", fault.field)
    if line is None:
        return Fault(fault.field, message)
    field = fault.field[line.end() :].removeprefix("content.")
    field = re.sub("^attributes", ATTRIBUTE, field)
    where = place(line)
    if field in columns.fields:
        return Fault(f"{where}, column {columns.fields[field]!r}", message)
    return Fault(f"{where}, {field}" if field else where, message)
