"""Score files brought into a study, several at once: what a worker does with them."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.db import transaction

from corpus.errors import Fault
from corpus.tables.cells import DELIMITERS, delimiter_of, header_of
from corpus.tables.columns import read_pairs
from researcher.jobs.folder import drop, paths_of
from researcher.jobs.refused import JobRefused
from researcher.jobs.watched import Watched
from researcher.models import Job
from scoring.imported.naming import NAMINGS, Named
from scoring.imported.reading import Reading, reading
from scoring.imported.several import FileDone, import_files

FILES = "scores"
# A format that is none of a paper's: tables whose columns are said.
TABLE = "table"


def bring_scores(job: Job, watched: Watched) -> None:
    """Each file becomes its run, or is refused whole; the others stay. JobRefused where all of them are."""
    assert job.study is not None, "scores go into a study"
    paths = paths_of(job, FILES)
    done: list[FileDone] = []
    watched.report("reading the files", 0, len(paths), "files")
    for one in import_files(
        [job.study], paths, says_of(job), note=job.given["source"], imported_by=job.owner.get_username()
    ):
        done.append(one)
        watched.report("reading the files", len(done), len(paths), "files")
    refused = [Fault("", _without_path(one)) for one in done if one.imported is None]
    if refused and len(refused) == len(done):
        raise JobRefused(f"{len(done)} files, all refused. Nothing of them was kept.", faults=refused)
    with transaction.atomic():
        watched.finish([_line(one) for one in done])
    drop(job)


def says_of(job: Job) -> Callable[[Path, bytes], Named]:
    """What each file is: by a paper's names of files, or as was said of all of them."""
    given = job.given
    if job.key != TABLE:
        return lambda path, data: NAMINGS[job.key].read(path)

    def said(path: Path, data: bytes) -> Named:
        name = given["name"] or path.stem
        return Named(name, given["metric"], given["family"], reading_of(given, path.name, data))

    return said


def reading_of(given: dict[str, Any], name: str, data: bytes) -> Reading:
    """How a file is read that was said something of; MapError."""
    pairs: Iterable[str] = given["columns"]
    delimiter = DELIMITERS.get(given["delimiter"]) or delimiter_of(data, name)
    return reading(
        read_pairs(pairs),
        by=given["by"],
        delimiter=delimiter,
        header=given["header"],
        lower_is_better=given["lower_is_better"],
        ranks_from=given["ranks_from"],
        skip_unknown=given["skip_unknown"],
        names=header_of(data, delimiter=delimiter),
    )


def _line(one: FileDone) -> str:
    return f"{one.path.name}: {one.imported}" if one.imported is not None else f"refused: {_without_path(one)}"


def _without_path(one: FileDone) -> str:
    """Why it was refused, with its name and without the server's folder."""
    return one.refused.replace(str(one.path), one.path.name, 1)
