"""A study made of a table: which columns are what, and what is asked about them."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow, item_faults
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import TaskType
from corpus.errors import Fault, SourceError
from corpus.slugs import slug_of
from stimuli.datasets.table.checking import checked
from stimuli.datasets.table.columns import ATTRIBUTE, ColumnMap, empty_fields, item_row, missing_columns
from stimuli.datasets.table.rows import Table, TableRow
from stimuli.making.contract import MadeStudy
from stimuli.making.manifest import manifest
from stimuli.making.settings import study_settings

VERSION = "2"
LEFT_OUT_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of a table. `settings` is the [task] table without its type, and has no faults.

    Without a slug or title, the file's name is it; without instructions, they say what is asked. `split` is what was
    read of a data set folder, for the manifest.
    """

    task: str
    columns: ColumnMap
    settings: dict[str, Any]
    slug: str = ""
    title: str = ""
    instructions: str = ""
    skip_incomplete: bool = False
    limit: int | None = None
    split: str = ""
    license: str = ""
    paper: str = ""


def made(source: Path, table: Table, asked: Asked) -> MadeStudy:
    """The study. SourceError, with every fault by row and column, if it cannot be made."""
    task = task_type(asked.task).configured(asked.settings)
    columns = asked.columns
    rows, dropped = items_of(source, table, columns, task, skip_incomplete=asked.skip_incomplete)
    # All rows are checked, also those that --limit leaves out.
    rows = rows[: asked.limit]
    references = Counter(row.reference or "none" for row in rows)
    kinds = Counter(row.kind for row in rows)
    return MadeStudy(
        settings=study_settings(
            slug=asked.slug or slug_of(source) or "table",
            title=asked.title or source.stem,
            instructions=asked.instructions or plain_instructions(task),
            task={"type": task.key, **asked.settings},
            metrics=_metrics(columns, task),
        ),
        rows=rows,
        manifest=manifest(
            maker="import_study table",
            maker_version=VERSION,
            paper=asked.paper,
            license=asked.license,
            task=type(task),
            sources=table.files,
            options={"map": columns.fields, "labels": columns.labels, "slot": columns.slot, "limit": asked.limit}
            | {"split": asked.split, "task": asked.settings},
            counts={"rows_in_file": len(table.rows), "items": len(rows)}
            | {"kinds": dict(sorted(kinds.items())), "references": dict(sorted(references.items()))},
            dropped=dropped,
        ),
        summary=[
            f"{len(rows)} of {len(table.rows)} rows taken",
            *_left_out(dropped),
            "references: " + ", ".join(f"{value} {number}" for value, number in sorted(references.items())),
        ],
    )


def plain_instructions(task: TaskType) -> str:
    """What annotators read first, until the researcher writes something better."""
    return (
        f"You will see one item at a time, and be asked: {task.question}\n\n"
        "Choose the answer that you think is right. Please read each item to the end, and answer on your own.\n"
    )


def items_of(
    source: Path,
    table: Table,
    columns: ColumnMap,
    task: TaskType,
    *,
    skip_incomplete: bool = False,
    beside: Collection[str] | None = None,
) -> tuple[list[ItemRow], list[dict[str, str]]]:
    """The items, and the rows that are left out because they are incomplete and may be.

    SourceError with every fault. `beside` are the ids of the items that these come to, if they come to any.
    """
    try:
        return _items_of(source, table, columns, task, skip_incomplete=skip_incomplete, beside=beside)
    except SourceError as error:
        if not skip_incomplete and not missing_columns(table, columns):
            error.incomplete = sum(bool(_why_incomplete(row, columns, table, task)) for row in table.rows)
        raise


def _items_of(
    source: Path,
    table: Table,
    columns: ColumnMap,
    task: TaskType,
    *,
    skip_incomplete: bool,
    beside: Collection[str] | None,
) -> tuple[list[ItemRow], list[dict[str, str]]]:
    faults = missing_columns(table, columns)
    if not table.rows:
        faults.append(Fault("file", "holds no rows"))
    if faults:
        raise SourceError(source, faults)
    rows: list[ItemRow] = []
    places: list[str] = []
    dropped: list[dict[str, str]] = []
    for number, row in enumerate(table.rows, start=1 + _numbered(beside or ())):
        item, found = item_row(row, number, columns, table.columns)
        if skip_incomplete and (why := _incomplete(row, item, found, columns, table, task)):
            dropped.append({"row": row.where, "why": why})
            continue
        rows.append(item)
        places.append(row.where)
        faults += found
    if not rows:
        faults.append(Fault("file", "has no complete row"))
    if faults:
        raise SourceError(source, faults)
    return checked(source, rows, places, columns, task, beside=beside), dropped


def _numbered(ids: Iterable[str]) -> int:
    """The greatest number that a row without an id has been called by."""
    found = (re.fullmatch(r"row-(\d{1,9})", one, re.ASCII) for one in ids)
    return max((int(one.group(1)) for one in found if one), default=0)


def _why_incomplete(row: TableRow, columns: ColumnMap, table: Table, task: TaskType) -> str:
    item, found = item_row(row, 1, columns, table.columns)
    return _incomplete(row, item, found, columns, table, task)


def _incomplete(
    row: TableRow, item: ItemRow, found: list[Fault], columns: ColumnMap, table: Table, task: TaskType
) -> str:
    """Which columns are empty of a row that makes no item; empty text where it makes one, or has them all."""
    empty = empty_fields(row, columns, table.columns)
    if not empty or not (found or item_faults([replace(item, kind="target")], task)):
        return ""
    return "empty: " + ", ".join(field for field in empty if not field.startswith(ATTRIBUTE))


def _left_out(dropped: list[dict[str, str]]) -> list[str]:
    lines = [f"left out, {one['row']}: {one['why']}" for one in dropped[:LEFT_OUT_SHOWN]]
    if len(dropped) > LEFT_OUT_SHOWN:
        lines.append(f"… and {len(dropped) - LEFT_OUT_SHOWN} more rows left out; manifest.json lists them all")
    return lines


def _metrics(columns: ColumnMap, task: TaskType) -> list[str]:
    slotted = "sentence" in columns.fields or "modifier" in columns.fields
    return (["cloze"] if slotted and task.key != "rating" else []) + ["pll", "causal"]
