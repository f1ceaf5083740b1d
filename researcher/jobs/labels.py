"""Label files brought into a study: a first look at them, and what a worker does with them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.elsewhere.lines import FIELDS, TURK, Asked, people_in, turk_columns
from annotation.elsewhere.outcome import Imported
from annotation.label_import import ImportRefused, import_labels
from annotation.models import Item, Study
from annotation.tasktypes.contract import Scale
from corpus.errors import Fault, SourceError
from corpus.formats.apart import records_apart
from corpus.formats.reading import Records
from corpus.tables.columns import MapError, in_json, text_of
from corpus.tables.opening import AS_IT_SAYS, How, Unreadable, opened
from researcher.jobs.folder import drop, folder_of, paths_of
from researcher.jobs.watched import JobRefused, Watched
from researcher.models import Job

FILES = "labels"
# Of a large file, as much is looked at before it is read.
LOOKED_AT = 2 * 1024 * 1024
ROWS_SHOWN = 5
RECORDS_SHOWN = 2_000
HEAD = "head.json"
# Of a list inside a record, so many parts can be mapped.
MOST_LISTED = 5
# More values than that are no labels.
MOST_VALUES = 40
NAMES = {
    "item": ("item", "itemid", "id", "stimulus", "stimulusid", "sentid", "idx", "key"),
    "annotator": ("annotator", "annotatorid", "worker", "workerid", "rater", "coder", "participant", "user", "subject"),
    "label": ("label", "answer", "response", "rating", "judgment", "judgement", "annotation", "choice", "value"),
    "seconds": ("seconds", "time", "rt", "duration", "leadtime"),
    "repeat": ("repeat", "repetition", "round"),
}


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a label file: its columns, and the lines that were looked at, by column."""

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

    def values(self, column: str) -> list[str]:
        """What a column says, in order; the first of them where there are more than any scale has."""
        found = dict.fromkeys(line[column] for line in self.lines if line.get(column))
        return sorted(found)[:MOST_VALUES]


def read_head(path: Path, how: How = AS_IT_SAYS) -> Head:
    """Cut behind a line end, so that the last line is whole. Nothing of it is refused here."""
    with path.open("rb") as file:
        data = file.read(LOOKED_AT)
        is_whole = not file.read(1)
    if not is_whole:
        data = data[: data.rfind(b"\n") + 1]
    try:
        table = opened(data, path.name, **asdict(how))
    except Unreadable:
        return Head(path.name, (), [], is_whole)
    read = [found for _, found in table.lines() if not isinstance(found, Fault)]
    rows = [found if isinstance(found, Mapping) else dict(zip(table.columns, found, strict=True)) for found in read]
    lines = [_flat(row) for row in rows]
    columns = tuple(dict.fromkeys((*table.columns, *(name for line in lines[:RECORDS_SHOWN] for name in line))))
    how, remarks = How(encoding=table.encoding), tuple(map(str, table.remarks))
    return Head(path.name, columns, lines, is_whole, how=how, remarks=remarks)


def head_of(records: Records) -> Head:
    """Of another tool's file: what its first records say under which names, also inside one another (`result.sure`)."""
    rows = [_flat(record.values) for record in records.rows[:RECORDS_SHOWN]]
    columns = tuple(dict.fromkeys((*records.columns, *(name for row in rows for name in row))))
    return Head(
        records.name,
        columns,
        rows,
        len(rows) == len(records.rows),
        records.tool,
        how=records.how,
        sheets=records.sheets,
        remarks=records.remarks,
    )


def _flat(values: Mapping[str, Any], within: str = "") -> dict[str, str]:
    """By the names under which parts are mapped: what a cell holds as JSON has names of its own."""
    found: dict[str, str] = {}
    for name, value in values.items():
        inside = in_json(value)
        if isinstance(inside, list):
            inside = {str(place): one for place, one in enumerate(inside[:MOST_LISTED])}
        if isinstance(inside, Mapping):
            found |= _flat(inside, f"{within}{name}.")
            continue
        with suppress(MapError):
            found[f"{within}{name}"] = text_of({name: value}, name)
    return found


def keep_head(job: Job, head: Head) -> None:
    """Beside the job's files: nobody reads another tool's file again to show it."""
    (folder_of(job) / HEAD).write_text(json.dumps(asdict(head), ensure_ascii=False), encoding="utf-8")


def head_for(job: Job) -> Head | None:
    """That of a job's first file; None where its files are gone."""
    first = next((path for path in paths_of(job, FILES) if path.is_file()), None)
    if first is None:
        return None
    kept = folder_of(job) / HEAD
    if not kept.is_file():
        return read_head(first, _how(job.given))
    told = json.loads(kept.read_text(encoding="utf-8"))
    how = How(**told.pop("how", {}))
    return Head(**told | {name: tuple(told.get(name, ())) for name in ("columns", "sheets", "remarks")}, how=how)


def read_otherwise(job: Job, how: How) -> None:
    """Look at a job's first file with another encoding or sheet; SourceError, and then it is read as before."""
    path = paths_of(job, FILES)[0]
    given = {"sheet": how.sheet, "encoding": how.encoding}
    records = _foreign(job.key, job.given | given, path)
    if records is None:
        if not read_head(path, how).columns:
            raise SourceError(path, [Fault("file", "is no text in that encoding")])
        (folder_of(job) / HEAD).unlink(missing_ok=True)
    else:
        keep_head(job, head_of(records))
    job.given |= given
    job.save(update_fields=["given"])


def guess_columns(head: Head, study: Study) -> dict[str, str]:
    """Which column is what, by name; the item's also by its values, which are ids of items."""
    bare = {"".join(filter(str.isalnum, column.casefold())): column for column in reversed(head.columns)}
    found: dict[str, str] = {}
    for field in FIELDS:
        column = next((bare[name] for name in (field, *NAMES[field]) if name in bare), "")
        if column and column not in found.values():
            found[field] = column
    if not found.keys() & {"annotator", "label"} and set(head.columns) >= TURK:
        found |= turk_columns(head.columns)
    for column in head.columns:
        if _are_items(head.values(column), study):
            found = {field: other for field, other in found.items() if other != column}
            return {"item": column, **{field: other for field, other in found.items() if field != "item"}}
    return found


def guess_people(head: Head, columns: Mapping[str, str], scale: Scale) -> list[str]:
    """The columns that each hold one annotator's labels, where none is said to hold annotators or labels."""

    def read(asked: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str] | Fault]]:
        for number, line in enumerate(head.lines, start=1):
            yield number, {name: line.get(column, "") for name, column in asked.items()}

    return people_in(read, head.columns, Asked(columns=columns), scale)


def _are_items(values: Sequence[str], study: Study) -> bool:
    items = study.items.exclude(kind=Item.Kind.PRACTICE).filter(external_id__in=values)
    return bool(values) and items.count() == len(values)


def bring_labels(job: Job, watched: Watched) -> None:
    """Every file, all of it or nothing. JobRefused with the faults of the first that cannot be taken; what was imported
    of the files before it stays, and is unchanged when they come again.
    """
    assert job.study is not None, "labels go into a study"
    lines: list[str] = []
    for path in paths_of(job, FILES):
        watched.report(f"reading {path.name}")
        done = _brought(job, job.study, path, watched, before=lines)
        lines += [f"{path.name}: {done}", *(f"{path.name}: {remark}" for remark in done.remarks)]
    with transaction.atomic():
        watched.finish(lines)
    drop(job)


def _brought(job: Job, study: Study, path: Path, watched: Watched, *, before: Sequence[str]) -> Imported:
    done = f"Before it: {'; '.join(before)}." if before else ""
    try:
        return import_labels(
            study,
            path,
            note=job.given.get("source", ""),
            columns=job.given.get("columns", {}),
            only=job.given.get("only", {}),
            people=job.given.get("people", ()),
            skip_incomplete=job.given.get("skip_incomplete", False),
            as_imported=job.given.get("as_imported", False),
            meanings=job.given.get("meanings", {}),
            foreign=_foreign(job.key, job.given, path),
            sheet=job.given.get("sheet", ""),
            encoding=job.given.get("encoding", ""),
            told=watched.report,
        )
    except SourceError as error:
        count = len(error.faults)
        remedy = error.remedy("“Leave out, and list, lines …” beside the columns")
        said = f"{path.name}: {count} {'fault' if count == 1 else 'faults'}; nothing of it was imported."
        said = " ".join(filter(None, (said, remedy, done)))
        raise JobRefused(said, file=path.name, faults=error.faults) from None
    except (ImportRefused, MapError) as error:
        raise JobRefused(" ".join(filter(None, (f"{path.name}: {error}", done)))) from None


def _foreign(key: str, given: Mapping[str, Any], path: Path) -> Records | None:
    """What another tool's file says, or a table that is no text in UTF-8; None for one that is. SourceError."""
    data, only = path.read_bytes(), given.get("only", {})
    return records_apart(data, path.name, "labels", asked=key, only=only, how=_how(given))


def _how(given: Mapping[str, Any]) -> How:
    return How(sheet=given.get("sheet", ""), encoding=given.get("encoding", ""))
