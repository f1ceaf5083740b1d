"""Who has been here before: in a study that this one excludes, or on a list of ids that was imported.

A list is a file with an id a line, or a column of a table. Only hashes of the ids are kept.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from annotation.arrival.refusals import BadId, TakenPartBefore
from annotation.arrival.visitor import checked, known_by
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Annotator, BarredId, Sitting, Study
from annotation.platforms import Outcome
from annotation.studyfile import NAME, StudyFileError
from corpus.errors import FAULTS_SHOWN, Fault, SourceError, counted
from corpus.source_text import rows
from corpus.tables.quotes import DELIMITERS

BATCH = 1000
# What platforms call the column, beside the study's own parameter.
NAMES = ("Participant id", "PROLIFIC_PID", "workerId", "annotator", "id")


def refuse_repeat(study: Study, platform: str, known_as: str) -> None:
    """Raises TakenPartBefore, by the keyed hash of what they came with; people who declined elsewhere saw no item."""
    if study.excludes:
        elsewhere = Sitting.objects.filter(
            study__slug__in=study.excludes, annotator__platform=platform, annotator__external_id=known_as
        )
        if elsewhere.exclude(outcome=Outcome.NO_CONSENT).exists():
            raise TakenPartBefore
    if study.barred_ids.filter(key=key_of(study, known_as)).exists():
        raise TakenPartBefore


def refuse_foreign(asked: Iterable[str], before: Iterable[str], among: QuerySet[Study]) -> None:
    """Studies to be excluded that are not `among` those of whoever asks: who begins would tell who took part there.

    StudyFileError in the same words whether or not there is such a study. What was declared before stays.
    """
    new = {*asked} - {*before}
    known = set(among.filter(slug__in=[slug for slug in new if slug.isprintable()]).values_list("slug", flat=True))
    if strange := sorted(new - known):
        said = f"names {', '.join(strange)}, where you do not collect labels"
        raise StudyFileError(Path(NAME), [Fault("collection.excludes", said)])


def one_start_at_once(study: Study, annotator: Annotator) -> None:
    """Until the transaction ends, the annotator begins in no other study that excludes some.

    Two studies that exclude each other have a lock each: without this one, two starts at once would both find nothing
    elsewhere. The caller holds the study's lock. (SQLite has one writer at a time, and its starts are writers.)
    """
    if study.excludes:
        Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)


def key_of(study: Study, known_as: str) -> str:
    """What a list keeps of an id's keyed hash (annotation/arrival/visitor.py): of each study another."""
    return salted_hmac("annotation.barred_id", f"{study.slug}/{known_as}", algorithm="sha256").hexdigest()


class IdsFileError(SourceError):
    """A list of ids that was refused."""


@dataclass(frozen=True, slots=True)
class Barred:
    added: int
    known: int

    def __str__(self) -> str:
        return (
            f"{counted(self.added, 'ID')} added, {self.known:,} {'was' if self.known == 1 else 'were'} already listed"
        )


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
    first = data.split(b"\n", 1)[0].decode(errors="replace")
    delimiter = next((sign for sign in DELIMITERS.values() if sign in first), ",")
    found, faults = [], []
    for line, cell in _cells(study, rows(data, delimiter=delimiter)):
        if isinstance(cell, Fault):
            faults.append(Fault(f"line {line}", cell.message))
            continue
        try:
            if cell.strip():
                found.append(checked(study, cell))
        except BadId:
            faults.append(Fault(f"line {line}", f"“{cell.strip()[:60]}” is not a valid ID of this study"))
        if len(faults) >= FAULTS_SHOWN - 1:
            # Of millions of lines, each may take as long as a pattern may.
            faults.append(Fault("file", "may have more problems: reading stopped here"))
            break
    if not found and not faults:
        faults = [Fault("file", "contains no ID")]
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
