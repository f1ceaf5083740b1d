"""A list of ids that may not begin, from a file: one a line, or a column of a table. Only hashes are kept."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from annotation.arrival.ids import checked
from annotation.arrival.known_by import known_by
from annotation.arrival.refusals import BadId
from annotation.arrival.repeats import key_of
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import BarredId, Study
from corpus.delimited import rows
from corpus.errors import Fault, SourceError

BATCH = 1000
# What platforms call the column, beside the study's own parameter.
NAMES = ("Participant id", "PROLIFIC_PID", "workerId", "annotator", "id")


class IdsFileError(SourceError):
    """A list of ids that was refused."""


@dataclass(frozen=True, slots=True)
class Barred:
    added: int
    known: int

    def __str__(self) -> str:
        return f"{self.added:,} ids added, {self.known:,} were there already"


def bar(study: Study, data: bytes, path: Path) -> Barred:
    """Take in every id of the file, or none; IdsFileError with every fault. Sittings that have begun go on."""
    keys = {key_of(study, known_by(study.id_parameter, one)) for one in read_ids(study, data, path)}
    with transaction.atomic():
        before = study.barred_ids.count()
        BarredId.objects.bulk_create(
            (BarredId(study=study, key=key) for key in sorted(keys)), ignore_conflicts=True, batch_size=BATCH
        )
        added = study.barred_ids.count() - before
        if added:
            record(study, Deed.BARRED, facts={"ids": added})
    return Barred(added, len(keys) - added)


def clear(study: Study) -> int:
    """Forget the list. Returns how many ids it had."""
    with transaction.atomic():
        count: int = study.barred_ids.all().delete()[0]
        if count:
            record(study, Deed.CLEARED, facts={"ids": count})
    return count


def read_ids(study: Study, data: bytes, path: Path) -> list[str]:
    """The ids in the order of the file; IdsFileError with every fault, by line."""
    first = data.split(b"\n", 1)[0]
    delimiter = next((mark for mark in "\t;" if mark.encode() in first), ",")
    found, faults = [], []
    for line, cell in _cells(study, rows(data, delimiter=delimiter)):
        if isinstance(cell, Fault):
            faults.append(Fault(f"line {line}", cell.message))
            continue
        try:
            if cell.strip():
                found.append(checked(study, cell))
        except BadId:
            faults.append(Fault(f"line {line}", f"“{cell.strip()[:60]}” cannot be an id of this study"))
    if not found and not faults:
        faults = [Fault("file", "holds no id")]
    if faults:
        raise IdsFileError(path, faults)
    return found


def _cells(study: Study, lines: Iterator[tuple[int, list[str] | Fault]]) -> Iterator[tuple[int, str | Fault]]:
    """The cell of the id in every line: that of the column which the first line names, or the only one."""
    names = {_plain(name) for name in (study.id_parameter, *NAMES)}
    column: int | None = None
    for line, cells in lines:
        if isinstance(cells, Fault):
            yield line, cells
            return
        if column is None:
            column = next((at for at, cell in enumerate(cells) if _plain(cell) in names), None)
            if column is not None:
                continue
            if len(cells) > 1:
                yield line, Fault("", f"names no column of ids, such as {', '.join((study.id_parameter, *NAMES))}")
                return
            column = 0
        yield line, cells[column] if column < len(cells) else ""


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.casefold())
