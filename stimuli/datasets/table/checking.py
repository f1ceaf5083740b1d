"""Rows checked by the rules of the item file, with faults named by the table's own rows and columns."""

import re
from collections.abc import Collection, Sequence

from annotation.itemfile import ItemRow, item_faults
from annotation.tasktypes.contract import TaskType
from corpus.errors import Fault
from stimuli.datasets.table.columns import ATTRIBUTE, ColumnMap


def faulty_rows(
    rows: list[ItemRow],
    places: Sequence[str],
    columns: ColumnMap,
    task: TaskType,
    *,
    beside: Collection[str] | None = None,
) -> list[tuple[str, Fault]]:
    """What would keep an item file of these rows from being accepted, each with the row's place; empty for the file's.

    `places` says where each row comes from. `beside` are the ids of the items that these come to, if they come to any.
    """
    return [_in_the_table(fault, places, columns) for fault in item_faults(rows, task, beside=beside)]


def _in_the_table(fault: Fault, places: Sequence[str], columns: ColumnMap) -> tuple[str, Fault]:
    """`line 3.content.sentence` of the item file, as the table's row, and with its column."""

    def place(found: re.Match[str]) -> str:
        return places[int(found.group(1)) - 1]

    message = re.sub(r"(?<=used on )line (\d+)", place, fault.message)
    line = re.match(r"line (\d+)\.?", fault.field)
    if line is None:
        return "", Fault(fault.field, message)
    field = fault.field[line.end() :].removeprefix("content.")
    field = re.sub("^attributes", ATTRIBUTE, field)
    where = place(line)
    if field in columns.fields:
        return where, Fault(f"{where}, column {columns.fields[field]!r}", message)
    return where, Fault(f"{where}, {field}" if field else where, message)
