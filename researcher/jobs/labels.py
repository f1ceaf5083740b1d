"""Label files brought into a study: a first look at them, and what a worker does with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from annotation.label_import import Imported, ImportRefused, import_labels
from annotation.labelfile import FIELDS, LabelFileError
from annotation.models import Item, Study
from corpus.errors import Fault
from corpus.tables.cells import cells, delimiter_of, header_of
from corpus.tables.columns import MapError
from researcher.jobs.folder import drop, paths_of
from researcher.jobs.refused import JobRefused
from researcher.jobs.watched import Watched
from researcher.models import Job

FILES = "labels"
# Of a large file, as much is looked at before it is read.
LOOKED_AT = 2 * 1024 * 1024
ROWS_SHOWN = 5
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

    def values(self, column: str) -> list[str]:
        """What a column says, in order; the first of them where there are more than any scale has."""
        found = dict.fromkeys(line[column] for line in self.lines if line.get(column))
        return sorted(found)[:MOST_VALUES]


def read_head(path: Path) -> Head:
    """Cut behind a line end, so that the last line is whole. Nothing of it is refused here."""
    with path.open("rb") as file:
        data = file.read(LOOKED_AT)
        is_whole = not file.read(1)
    if not is_whole:
        data = data[: data.rfind(b"\n") + 1]
    delimiter = delimiter_of(data, path.name)
    columns = tuple(dict.fromkeys(header_of(data, delimiter=delimiter)))
    try:
        read = [found for _, found in cells(data, {name: name for name in columns}, delimiter=delimiter)]
    except MapError:
        read = []
    return Head(path.name, columns, [line for line in read if not isinstance(line, Fault)], is_whole)


def guess_columns(head: Head, study: Study) -> dict[str, str]:
    """Which column is what, by name; the item's also by its values, which are ids of items."""
    bare = {"".join(filter(str.isalnum, column.casefold())): column for column in reversed(head.columns)}
    found: dict[str, str] = {}
    for field in FIELDS:
        column = next((bare[name] for name in (field, *NAMES[field]) if name in bare), "")
        if column and column not in found.values():
            found[field] = column
    for column in head.columns:
        if _are_items(head.values(column), study):
            found = {field: other for field, other in found.items() if other != column}
            return {"item": column, **{field: other for field, other in found.items() if field != "item"}}
    return found


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
        lines.append(f"{path.name}: {_brought(job, job.study, path, watched, before=lines)}")
    with transaction.atomic():
        watched.finish(lines)
    drop(job)


def _brought(job: Job, study: Study, path: Path, watched: Watched, *, before: Sequence[str]) -> Imported:
    done = f" Before it: {'; '.join(before)}." if before else ""
    try:
        return import_labels(
            study,
            path,
            note=job.given.get("source", ""),
            columns=job.given.get("columns", {}),
            skip_incomplete=job.given.get("skip_incomplete", False),
            as_imported=job.given.get("as_imported", False),
            meanings=job.given.get("meanings", {}),
            told=watched.report,
        )
    except LabelFileError as error:
        count = len(error.faults)
        said = f"{path.name}: {count} {'fault' if count == 1 else 'faults'}; nothing of it was imported.{done}"
        raise JobRefused(said, file=path.name, faults=error.faults) from None
    except (ImportRefused, MapError) as error:
        raise JobRefused(f"{path.name}: {error}{done}") from None
