"""The first look at a file that was sent: its columns, its first lines, and how it was read."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

from corpus.bounds import MOST_COLUMNS
from corpus.errors import Fault, SourceError
from corpus.formats.apart import records_apart
from corpus.formats.contract import Use
from corpus.formats.reading import Records
from corpus.formats.registry import TABLE
from corpus.tables.columns import MapError, in_json, text_of
from corpus.tables.opening import AS_IT_SAYS, RECORDS, How, Unreadable
from corpus.tables.quotes import DELIMITERS
from corpus.tables.registry import opened
from researcher.jobs.folder import folder_of, paths_of
from researcher.jobs.starting import reading_as
from researcher.models import Job

# What a job's files are where nothing was said of it: each is looked at.
SEEN = "by what they show"
# Of a large file, as much is looked at before it is read.
LOOKED_AT = 1024 * 1024
MOST_LINES = 50_000
RECORDS_SHOWN = 2_000
HEAD = "head.json"
# Of a list inside a record, so many parts can be mapped.
MOST_LISTED = 5
# More values than that are no labels.
MOST_VALUES = 40
# Other tools' files are read by a process that a page waits for.
MOST_BYTES = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a file, by column. `names` are its columns, `columns` also parts of cells (`result.sure`)."""

    name: str
    columns: tuple[str, ...]
    lines: Sequence[dict[str, str]]
    is_whole: bool
    # The tool that wrote it; empty for a table.
    tool: str = ""
    # How a table was read, the sheets there are, and what was noticed.
    how: How = AS_IT_SAYS
    sheets: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    # Whether its cells are parted by something, which may have been taken for something else.
    is_parted: bool = False
    # What parts them, as it was read.
    delimiter: str = ""

    def values(self, column: str) -> list[str]:
        """What a column says, in order; the first of them where there are more than any scale has."""
        found = dict.fromkeys(line[column] for line in self.lines if line.get(column))
        return sorted(found)[:MOST_VALUES]


def read_head(path: Path, how: How = AS_IT_SAYS) -> Head:
    """Cut behind a line end, so that the last line is whole. SourceError where no table can be read of it."""
    with path.open("rb") as file:
        data = file.read(LOOKED_AT)
        is_whole = not file.read(1)
    if not is_whole:
        data = data[: data.rfind(b"\n") + 1]
    if len(lines := data.split(b"\n", MOST_LINES)) > MOST_LINES and lines[-1].strip():
        data, is_whole = b"\n".join(lines[:-1]) + b"\n", False
    try:
        table = opened(data, path.name, how)
    except Unreadable as error:
        raise SourceError(Path(path.name), [error.fault]) from None
    read = [found for _, found in table.lines() if not isinstance(found, Fault)]
    rows = [found if isinstance(found, Mapping) else dict(zip(table.columns, found, strict=True)) for found in read]
    flat = [_flat(row) for row in rows]
    return Head(
        path.name,
        _columns(table.columns, flat),
        flat,
        is_whole,
        how=replace(how, encoding=table.encoding),
        delimiter=table.delimiter,
        remarks=tuple(map(str, table.remarks)),
        names=tuple(table.names),
        is_parted=table.delimiter != RECORDS,
    )


def head_of(records: Records) -> Head:
    """Of another tool's file: what its first records say under which names, also inside one another (`result.sure`)."""
    rows = [_flat(record.values) for record in records.rows[:RECORDS_SHOWN]]
    return Head(
        records.name,
        _columns(records.columns, rows),
        rows,
        len(rows) == len(records.rows) + records.beyond,
        records.tool,
        how=records.how,
        sheets=records.sheets,
        remarks=records.remarks,
        names=records.columns or tuple(records.names),
    )


def _columns(names: Sequence[str], lines: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    every = dict.fromkeys((*names, *(name for line in lines[:RECORDS_SHOWN] for name in line)))
    return tuple(every)[:MOST_COLUMNS]


def _flat(values: Mapping[str, Any], within: str = "") -> dict[str, str]:
    """By the names under which parts are mapped: what a cell holds as JSON has names of its own."""
    found: dict[str, str] = {}
    for name, value in islice(values.items(), MOST_COLUMNS):
        if len(found) >= MOST_COLUMNS:
            break
        inside = in_json(value)
        if isinstance(inside, list):
            inside = {str(place): one for place, one in enumerate(inside[:MOST_LISTED])}
        if isinstance(inside, Mapping):
            found |= _flat(inside, f"{within}{name}.")
            continue
        with suppress(MapError):
            found[f"{within}{name}"] = text_of({name: value}, name)
    return found


def look(job: Job, use: Use) -> str:
    """Read a job's first file for its head; its format. SourceError."""
    path = paths_of(job, job.kind)[0]
    is_large = path.stat().st_size > MOST_BYTES
    return keep_head(job, None if is_large else records_for(job.given, path, use, key=job.key, first=RECORDS_SHOWN))


def keep_head(job: Job, records: Records | None) -> str:
    """Beside the job's files, so that nobody reads them again to show it; the format. SourceError.

    `records` is what the first file says, None where that is read line by line.
    """
    head = read_head(paths_of(job, job.kind)[0], how_of(job.given)) if records is None else head_of(records)
    told = {one.name: getattr(head, one.name) for one in fields(head)} | {"how": asdict(head.how)}
    job.require_wanted()
    (folder_of(job) / HEAD).write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    return TABLE if records is None else records.format


def head_for(job: Job, use: Use) -> Head | None:
    """That of a job's first file; None where its files are gone."""
    kept = folder_of(job) / HEAD
    if not kept.is_file():
        if not paths_of(job, job.kind)[0].is_file():
            return None
        look(job, use)
    told = json.loads(kept.read_text(encoding="utf-8"))
    how = How(**told.pop("how"))
    listed = {name: tuple(told[name]) for name in ("columns", "sheets", "remarks", "names")}
    return Head(**told | listed, how=how)


def read_otherwise(job: Job, use: Use, how: How) -> None:
    """Look at a job's first file with another encoding or sheet; SourceError, and then it is read as before."""
    with reading_as(job, how):
        look(job, use)
    job.keep_given()


def records_for(given: Mapping[str, Any], path: Path, use: Use, *, key: str, first: int = 0) -> Records | None:
    """What another tool's file says, or a table that is no text in UTF-8; None for one that is. SourceError."""
    said = {"asked": "" if key == SEEN else key, "only": given.get("only", {})}
    return records_apart(path.read_bytes(), path.name, use, how=how_of(given), first=first, **said)


def how_of(given: Mapping[str, Any]) -> How:
    """How a job reads its tables. One that was prepared before there was a choice says nothing of some of it."""
    delimiter = given.get("delimiter", "")
    return How(
        sheet=given.get("sheet", ""),
        encoding=given.get("encoding", ""),
        delimiter=DELIMITERS.get(delimiter, delimiter),
        header=given.get("header", True),
    )
