"""Score files brought into a study, several at once: what a worker does with them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db import transaction

from corpus.errors import Fault, SourceError
from corpus.formats.apart import records_apart
from corpus.formats.reading import Records
from corpus.tables.cells import DELIMITERS
from corpus.tables.columns import MapError, read_pairs
from corpus.tables.opening import How
from researcher.jobs.folder import drop, paths_of
from researcher.jobs.watched import JobRefused, Watched
from researcher.models import Job
from scoring.imported.asked import Asked, reading_of
from scoring.imported.lines import ScoreFileError
from scoring.imported.naming import NAMINGS, Named
from scoring.imported.reading import Reading
from scoring.imported.several import FileDone, Says, import_files

FILES = "scores"
# What a job's files are where nothing was said of it: each is looked at.
SEEN = "by what they show"


def bring_scores(job: Job, watched: Watched) -> None:
    """Each file becomes its run, or is refused whole; the others stay. JobRefused where all of them are."""
    assert job.study is not None, "scores go into a study"
    paths = paths_of(job, FILES)
    done: list[FileDone] = []

    def told(step: str, count: int, of: int, unit: str) -> None:
        """Of the file that is being read."""
        place = f", file {len(done) + 1:,} of {len(paths):,}" if len(paths) > 1 else ""
        watched.report(f"{step}: {paths[len(done)].name}{place}", count, of, unit)

    says, by = says_of(job), job.owner.get_username()
    told("opening the file", 0, 0, "")
    for one in import_files([job.study], paths, says, note=job.given["source"], imported_by=by, told=told):
        done.append(one)
        if len(done) < len(paths):
            told("opening the file", 0, 0, "")
    watched.report("all files are read", len(done), len(paths), "files")
    refused = [Fault("", _without_path(one)) for one in done if one.imported is None]
    if refused and len(refused) == len(done):
        raise JobRefused(f"{len(done)} files, all refused. Nothing of them was kept.", faults=refused)
    with transaction.atomic():
        watched.finish([_line(one) for one in done])
    drop(job)


def says_of(job: Job) -> Says:
    """What each file is, and what is read of it: by a paper's names of files, or as was said of all of them."""
    given = job.given
    if job.key in NAMINGS:
        return lambda path: (NAMINGS[job.key].read(path), path.read_bytes())

    def said(path: Path) -> tuple[Named, bytes | Records]:
        read, how = _opened(given, path, format="" if job.key == SEEN else job.key)
        return Named(given["name"] or path.stem, given["metric"], given["family"], how), read

    return said


def _opened(given: dict[str, Any], path: Path, *, format: str) -> tuple[bytes | Records, Reading]:  # noqa: A002
    return opened_scores(path.read_bytes(), path.name, asked_of(given), format=format)


def opened_scores(data: bytes, name: str, asked: Asked, *, format: str) -> tuple[bytes | Records, Reading]:  # noqa: A002
    """What is read of a file, and how: as another tool wrote it, in a process of its own, or as a table.

    ScoreFileError, MapError.
    """
    is_mapped = bool(asked.pairs)
    try:
        read = records_apart(data, name, asked.use, asked=format, is_mapped=is_mapped, only=asked.only, how=asked.how)
    except SourceError as error:
        raise ScoreFileError(name, error.faults) from None
    if read is None and asked.only:
        raise MapError("Records are chosen in files of other tools, and this is a table: say which tool wrote it.")
    return read or data, reading_of(read or data, name, asked)


def asked_of(given: Mapping[str, Any]) -> Asked:
    """What a form says of its files; MapError."""
    how = How(
        # A job that was prepared before there was a choice says nothing of these.
        sheet=given.get("sheet", ""),
        encoding=given.get("encoding", ""),
        delimiter=DELIMITERS.get(given["delimiter"], ""),
        header=given["header"],
    )
    said = {name: given[name] for name in ("by", "only", "lower_is_better", "ranks_from", "skip_unknown")}
    return Asked(
        pairs=read_pairs(given["columns"]),
        how=how,
        meanings=given["labels"],
        length_normalized=given["length_normalized"],
        **said,
    )


def _line(one: FileDone) -> str:
    return f"{one.path.name}: {one.imported}" if one.imported is not None else f"refused: {_without_path(one)}"


def _without_path(one: FileDone) -> str:
    """Why it was refused, with its name and without the server's folder."""
    return one.refused.replace(str(one.path), one.path.name, 1)
