"""A study made of a table: which columns are what, and what is asked about them.

Rows are checked by the rules of the item file, with faults named by the table's own rows and columns.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow, item_faults
from annotation.languages import DEFAULT, guessed
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import TaskType
from corpus.arguments import slug_of
from corpus.errors import Fault, SourceError
from corpus.formats.contract import Record
from stimuli.datasets.table.columns import (
    ATTRIBUTE,
    ColumnMap,
    doubtful_keys,
    empty_fields,
    item_row,
    keyed,
    missing_columns,
    unstored_columns,
)
from stimuli.datasets.table.remarking import numeric_attributes, remarks_on
from stimuli.datasets.table.repeats import repeats_of
from stimuli.datasets.table.rows import Table
from stimuli.making.contract import BuiltStudy
from stimuli.making.settings import study_settings
from stimuli.making.study_folder import manifest

VERSION = "2"
LEFT_OUT_SHOWN = 20
# So many items say in which language all are.
LISTENED_TO = 200
# What annotators read first, in the language of the question.
PLAIN = {
    "en": (
        "You will see one item at a time, and be asked: {question}\n\n"
        "Go by your own judgment. Please read each item to the end and answer on your own.\n"
    ),
    "de": (
        "Sie sehen ein Beispiel nach dem anderen und werden jedes Mal gefragt: {question}\n\n"
        "Verlassen Sie sich auf Ihr eigenes Urteil. Bitte lesen Sie jedes Beispiel zu Ende und antworten Sie allein.\n"
    ),
}


def faulty_rows(
    rows: list[ItemRow],
    places: Sequence[str],
    columns: ColumnMap,
    task: TaskType,
    *,
    existing: Collection[str] | None = None,
) -> list[tuple[str, Fault]]:
    """What would keep an item file of these rows from being accepted, each with the row's place; empty for the file's.

    `places` says where each row comes from; `existing` are the ids of items that are there already.
    """
    faults = (_as_mapped(fault, rows, columns, task) for fault in item_faults(rows, task, beside=existing))
    return [_in_the_table(fault, places, columns) for fault in dict.fromkeys(faults)]


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

    def place(match: re.Match[str]) -> str:
        return places[int(match.group(1)) - 1]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Which rows may be left out: those that lack something, those with any fault, those with the texts of another."""

    incomplete: bool = False
    faulty: bool = False
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
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
    skip_faulty: bool = False
    skip_repeated: bool = False
    limit: int | None = None
    split: str = ""
    license: str = ""
    paper: str = ""

    @property
    def skip(self) -> Skip:
        return Skip(incomplete=self.skip_incomplete, faulty=self.skip_faulty, repeated=self.skip_repeated)


def study_of_table(source: Path, table: Table, options: TableOptions) -> BuiltStudy:
    """The study. SourceError, with every fault by row and column, if it cannot be made."""
    task = task_type(options.task).configured(options.settings)
    columns = options.columns
    rows, dropped = items_of(source, table, columns, task, skip=options.skip)
    # All rows are checked, also those that --limit leaves out.
    rows = rows[: options.limit]
    references = Counter(row.reference or "none" for row in rows)
    return BuiltStudy(
        settings=_settings(source, options, task, rows),
        rows=rows,
        manifest=manifest(
            maker="import_study table",
            maker_version=VERSION,
            paper=options.paper,
            license=options.license,
            task=type(task),
            sources=table.files,
            options={"map": columns.fields, "labels": columns.labels, "slot": columns.slot, "limit": options.limit}
            | {"right": columns.right, "split": options.split, "task": options.settings},
            counts={"rows_in_file": len(table.rows) + len({where for where, _ in table.faulty}), "items": len(rows)}
            | {
                "kinds": dict(sorted(Counter(row.kind for row in rows).items())),
                "references": dict(sorted(references.items())),
            },
            dropped=dropped,
        ),
        summary=[
            f"{len(rows)} of {len(table.rows) + len({where for where, _ in table.faulty})} rows taken",
            *_left_out(dropped),
            *(f"note: {remark}" for remark in (*table.remarks, *remarks_on(rows, columns, table))),
            "references: " + ", ".join(f"{value} {number}" for value, number in sorted(references.items())),
        ],
    )


def _settings(source: Path, options: TableOptions, task: TaskType, rows: Sequence[ItemRow]) -> dict[str, Any]:
    """study.toml as nested tables."""
    own = study_settings(
        slug=options.slug or slug_of(source) or "table",
        title=options.title or source.stem,
        instructions=options.instructions or plain_instructions(task),
        task={"type": task.key, **options.settings},
        metrics=_metrics(options.columns, task),
    )
    numbers = numeric_attributes(rows)
    return own | _spoken(rows, task, options.instructions) | ({"results": {"numbers": numbers}} if numbers else {})


def plain_instructions(task: TaskType) -> str:
    """What annotators read first, until the researcher writes something better."""
    return PLAIN[guessed([task.question], least=1) or DEFAULT].format(question=task.question)


def _spoken(rows: Sequence[ItemRow], task: TaskType, instructions: str) -> dict[str, Any]:
    """Settings of languages. The question may be one that was proposed in English: any other language says more."""
    items = guessed(task.text(row.content) for row in rows[:LISTENED_TO])
    texts = guessed([task.question, instructions], least=1)
    pages = next((tag for tag in (items, texts) if tag and tag != DEFAULT), DEFAULT)
    languages = {"stimulus_language": items if items != pages else "", "text_language": texts if texts != items else ""}
    if pages == DEFAULT:
        return {}
    page = {name: tag for name, tag in languages.items() if tag}
    return {"language": pages} | ({"page": page} if page else {})


def items_of(
    source: Path,
    table: Table,
    columns: ColumnMap,
    task: TaskType,
    *,
    skip: Skip,
    existing: Collection[str] | None = None,
) -> tuple[list[ItemRow], list[dict[str, str]]]:
    """The items, and the rows that are left out because they may be.

    SourceError with every fault. `existing` are the ids of the items that these come to, if they come to any.
    """
    faults = missing_columns(table, columns) + unstored_columns(table, columns)
    if not table.rows:
        faults.append(Fault("file", "contains no rows"))
    columns = columns if faults else keyed(table, columns)
    faults += doubtful_keys(columns)
    if faults:
        raise SourceError(source, faults)
    selection = _taken(table, columns, task, skip=skip, existing=existing)
    if skip.repeated:
        _leave_out_repeats(selection, columns, task, existing=existing)
    selection.faulty += faulty_rows(selection.rows, selection.places, columns, task, existing=existing)
    faulty = {where for where, _ in selection.faulty}
    rows = [row for row, place in zip(selection.rows, selection.places, strict=True) if place not in faulty]
    if not selection.rows:
        raise SourceError(source, [Fault("file", "has no complete row")], incomplete=selection.incomplete)
    if selection.faulty and not (skip.faulty and rows and all(faulty)):
        selection.faulty.sort(key=_in_order)
        places = tuple(dict.fromkeys(where for where, _ in selection.faulty if where))
        incomplete = 0 if skip.incomplete else selection.incomplete
        sound = len(rows) if all(faulty) else 0
        raise SourceError(
            source, [one for _, one in selection.faulty], incomplete=incomplete, faulty=places, sound=sound
        )
    why = {where: _in_full(where, fault) for where, fault in sorted(selection.faulty, key=_in_order, reverse=True)}
    dropped = selection.dropped + [{"row": where, "why": why[where]} for where in sorted(why, key=_number)]
    if dropped and not any(row.kind == "target" for row in rows) and existing is None:
        raise SourceError(source, [Fault("file", "has no target items left")])
    return rows, dropped


@dataclass(slots=True)
class _Taken:
    """Rows that were taken in: items with their places, those left out, and what is wrong with which row."""

    rows: list[ItemRow] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    faulty: list[tuple[str, Fault]] = field(default_factory=list)
    dropped: list[dict[str, str]] = field(default_factory=list)
    # How many lack something.
    incomplete: int = 0


def _taken(table: Table, columns: ColumnMap, task: TaskType, *, skip: Skip, existing: Collection[str] | None) -> _Taken:
    selection = _Taken(faulty=[*table.faulty])
    for number, row in enumerate(table.rows, start=1 + _numbered(existing or ())):
        item, faults = item_row(row, number, columns, table.columns, scale=task.scale)
        if why := _incomplete(row, item, faults, columns, table, task):
            selection.incomplete += 1
            if skip.incomplete:
                selection.dropped.append({"row": row.where, "why": why})
                continue
        selection.faulty += [(row.where, fault) for fault in faults]
        selection.rows.append(item)
        selection.places.append(row.where)
    return selection


def _leave_out_repeats(
    selection: _Taken, columns: ColumnMap, task: TaskType, *, existing: Collection[str] | None
) -> None:
    """Among rows that are sound by themselves: a faulty one stands for no other."""
    faulty, ids = {where for where, _ in selection.faulty}, existing or ()
    pairs = [*zip(selection.places, selection.rows, strict=True)]
    sound = [(where, row) for where, row in pairs if where not in faulty and not item_faults([row], task, beside=ids)]
    repeats = repeats_of(sound, column=columns.fields.get("reference", ""))
    selection.faulty += repeats.faults
    selection.dropped += [{"row": where, "why": f"same text as {first}"} for where, first in repeats.dropped.items()]
    selection.dropped.sort(key=lambda one: _number(one["row"]))
    selection.rows = [row for where, row in pairs if where not in repeats.dropped]
    selection.places = [where for where in selection.places if where not in repeats.dropped]


def _in_order(one: tuple[str, Fault]) -> int:
    return _number(one[0])


def _number(where: str) -> int:
    """The number of a row in its file, of its place in words."""
    match = re.search(r"\d+", where)
    return int(match.group()) if match else 0


def _numbered(ids: Iterable[str]) -> int:
    """The greatest number that a row without an id has been called by."""
    matches = (re.fullmatch(r"row-(\d{1,9})", one, re.ASCII) for one in ids)
    return max((int(one.group(1)) for one in matches if one), default=0)


def _incomplete(
    row: Record, item: ItemRow, faults: list[Fault], columns: ColumnMap, table: Table, task: TaskType
) -> str:
    """Which columns are empty of a row that makes no item; empty text where it makes one, or has them all."""
    empty = empty_fields(row, columns, table.columns)
    if not empty or not (faults or item_faults([replace(item, kind="target")], task)):
        return ""
    return "empty: " + ", ".join(field for field in empty if not field.startswith(ATTRIBUTE))


def _in_full(where: str, fault: Fault) -> str:
    """What is wrong with a row, and with which column or field of it."""
    return f"{fault.field.removeprefix(where).lstrip(', .')} {fault.message}".strip()


def _left_out(dropped: list[dict[str, str]]) -> list[str]:
    lines = [f"left out, {one['row']}: {one['why']}" for one in dropped[:LEFT_OUT_SHOWN]]
    if len(dropped) > LEFT_OUT_SHOWN:
        lines.append(f"… and {len(dropped) - LEFT_OUT_SHOWN} more rows left out; manifest.json lists them all")
    return lines


def _metrics(columns: ColumnMap, task: TaskType) -> list[str]:
    slotted = "sentence" in columns.fields or "modifier" in columns.fields
    return (["cloze"] if slotted and task.key != "rating" else []) + ["pll", "causal"]
