"""The importer of tables: any file or dataset folder whose columns can be named becomes a study."""

from argparse import ArgumentParser
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow, item_faults
from annotation.tasktypes import TASK_TYPES, task_type
from annotation.tasktypes.contract import TaskType
from corpus.errors import Fault, SourceError
from corpus.slugs import slug_of
from corpus.source_text import read_text
from corpus.tables.columns import MAP, NAMING
from stimuli.datasets.table.checking import checked
from stimuli.datasets.table.columns import (
    ATTRIBUTE,
    ColumnMap,
    empty_fields,
    item_row,
    misplaced,
    missing_columns,
    pairs,
)
from stimuli.datasets.table.reading import read_table
from stimuli.datasets.table.rows import Table, TableRow
from stimuli.making.contract import MadeStudy
from stimuli.making.manifest import manifest
from stimuli.making.settings import study_settings

VERSION = "2"
LEFT_OUT_SHOWN = 20

help = "any table: CSV, TSV, JSON lines, Parquet or a saved Hugging Face dataset, with a map of its columns"  # noqa: A001


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--task", required=True, choices=sorted(TASK_TYPES), help="the task type of the study")
    parser.add_argument(
        "--map",
        required=True,
        nargs="+",
        action="extend",
        metavar=MAP,
        help="id, kind, reference, strength, group, attribute.NAME, or a content field of the task such as sentence or "
        f"options.ROLE. {NAMING}",
    )
    parser.add_argument(
        "--labels", nargs="+", default=[], metavar="VALUE=LABEL", help="what the reference column's values mean"
    )
    parser.add_argument("--question", default="", help="what annotators are asked, where the task type lets you choose")
    parser.add_argument(
        "--set", nargs="+", default=[], metavar="NAME=VALUE", help="other settings of the task, such as points=7"
    )
    parser.add_argument("--slot", default="", metavar="TEXT", help="what marks the slot in the sentence column")
    parser.add_argument("--instructions", type=Path, metavar="FILE", help="a text file that annotators read first")
    parser.add_argument(
        "--split", default="", metavar="NAME", help="which split of a dataset folder, or several: train+test"
    )
    parser.add_argument("--delimiter", default="", metavar="CHAR", help="what parts cells (what the file shows)")
    parser.add_argument(
        "--skip-incomplete",
        action="store_true",
        help="leave out, and list, rows that cannot be items because a column of theirs is empty",
    )
    parser.add_argument("--license", default="", help="the license of the data, for the manifest")
    parser.add_argument("--paper", default="", help="where the data were published, for the manifest")


def load(source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> MadeStudy:
    """A study of the table's rows. SourceError, with every fault by row and column, if it cannot be made."""
    columns = _column_map(source, options)
    settings = _task_settings(source, columns, options)
    task = task_type(options["task"]).configured(settings)
    delimiter = options["delimiter"].replace("\\t", "\t")
    if len(delimiter) > 1:
        raise SourceError(source, [Fault("--delimiter", "must be one character")])
    table = read_table(source, split=options["split"], delimiter=delimiter)
    rows, dropped = _rows(source, table, columns, task, options)
    references = Counter(row.reference or "none" for row in rows)
    kinds = Counter(row.kind for row in rows)
    return MadeStudy(
        settings=study_settings(
            slug=slug or slug_of(source) or "table",
            title=title or source.stem,
            instructions=_instructions(task, options),
            task={"type": task.key, **settings},
            metrics=_metrics(columns, task),
        ),
        rows=rows,
        manifest=manifest(
            maker="import_study table",
            maker_version=VERSION,
            paper=options["paper"],
            license=options["license"],
            task=type(task),
            sources=table.files,
            options={"map": columns.fields, "labels": columns.labels, "slot": columns.slot, "limit": limit}
            | {"split": options["split"], "task": settings},
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


def _column_map(source: Path, options: dict[str, Any]) -> ColumnMap:
    fields, faults = pairs(options["map"], "--map")
    labels, more = pairs(options["labels"], "--labels")
    if labels and "reference" not in fields:
        more.append(Fault("--labels", "is of no use without --map reference=COLUMN"))
    faults += more + misplaced(list(fields))
    if faults:
        raise SourceError(source, faults)
    return ColumnMap(fields, labels, options["slot"])


def _task_settings(source: Path, columns: ColumnMap, options: dict[str, Any]) -> dict[str, Any]:
    """The [task] table, without its type. A forced choice takes its roles from the map."""
    given, faults = pairs(options["set"], "--set")
    settings: dict[str, Any] = {name: int(value) if value.isdecimal() else value for name, value in given.items()}
    if options["question"]:
        settings["question"] = options["question"]
    if columns.roles:
        settings["options"] = columns.roles
    faults += [fault.under("task") for fault in task_type(options["task"]).faults_in_settings(settings)]
    if faults:
        raise SourceError(source, faults)
    return settings


def _rows(
    source: Path, table: Table, columns: ColumnMap, task: TaskType, options: dict[str, Any]
) -> tuple[list[ItemRow], list[dict[str, str]]]:
    """The items, and the rows that are left out because they are incomplete and may be."""
    faults = missing_columns(table, columns)
    if not table.rows:
        faults.append(Fault("file", "holds no rows"))
    if faults:
        raise SourceError(source, faults)
    rows: list[ItemRow] = []
    places: list[str] = []
    dropped: list[dict[str, str]] = []
    for number, row in enumerate(table.rows, start=1):
        item, found = item_row(row, number, columns, table.columns)
        if options["skip_incomplete"] and (why := _incomplete(row, item, found, columns, table, task)):
            dropped.append({"row": row.where, "why": why})
            continue
        rows.append(item)
        places.append(row.where)
        faults += found
    if not rows:
        faults.append(Fault("file", "has no complete row"))
    if faults:
        raise SourceError(source, faults)
    # All rows are checked, also those that --limit leaves out.
    return checked(source, rows, places, columns, task)[: options["limit"]], dropped


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


def _instructions(task: TaskType, options: dict[str, Any]) -> str:
    if options["instructions"]:
        return read_text(options["instructions"])
    return (
        f"You will see one item at a time, and be asked: {task.question}\n\n"
        "Choose the answer that you think is right. Please read each item to the end, and answer on your own.\n"
    )


def _metrics(columns: ColumnMap, task: TaskType) -> list[str]:
    slotted = "sentence" in columns.fields or "modifier" in columns.fields
    return (["cloze"] if slotted and task.key != "rating" else []) + ["pll", "causal"]
