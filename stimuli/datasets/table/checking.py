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
    found = (_as_mapped(fault, rows, columns, task) for fault in item_faults(rows, task, beside=beside))
    return [_in_the_table(fault, places, columns) for fault in dict.fromkeys(found)]


def _as_mapped(fault: Fault, rows: Sequence[ItemRow], columns: ColumnMap, task: TaskType) -> Fault:
    """Of a task with several forms, a row lacks what its form has a column for, not the parts of another form."""
    line = re.fullmatch(r"line (\d+)\.content\.(\w+)", fault.field)
    parts = [one.name for one in task.content_fields if not one.required]
    if line is None or line[2] not in parts or line[2] in columns.fields:
        return fault
    row = rows[int(line[1]) - 1]
    lacking = [name for name in parts if name in columns.fields and name not in row.content]
    return Fault(f"line {line[1]}.content.{lacking[0]}", fault.message) if lacking else fault


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
