"""Score files brought into a study, several at once: what a worker does with them."""

from pathlib import Path
from typing import Any

from django.db import transaction

from corpus.errors import Fault, SourceError
from corpus.formats.apart import records_apart
from corpus.formats.reading import Records
from corpus.tables.cells import DELIMITERS, delimiter_of, header_of
from corpus.tables.columns import MapError, read_pairs
from researcher.jobs.folder import drop, paths_of
from researcher.jobs.refused import JobRefused
from researcher.jobs.watched import Watched
from researcher.models import Job
from scoring.imported import foreign
from scoring.imported.foreign import use_of
from scoring.imported.lines import ScoreFileError
from scoring.imported.naming import NAMINGS, Named
from scoring.imported.reading import Reading, reading
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
    """A file as another tool wrote it, read in a process of its own, or as a table; ScoreFileError, MapError."""
    data, pairs = path.read_bytes(), read_pairs(given["columns"])
    only, meanings = given["only"], given["labels"]
    try:
        records = records_apart(data, path.name, use_of(given["by"]), asked=format, is_mapped=bool(pairs), only=only)
    except SourceError as error:
        raise ScoreFileError(path.name, error.faults) from None
    if records is not None:
        more = {name: given[name] for name in ("lower_is_better", "skip_unknown", "length_normalized")}
        return records, foreign.reading_of(records, pairs, by=given["by"], only=only, meanings=meanings, **more)
    if only:
        raise MapError("Records are chosen in files of other tools, and this is a table.")
    return data, reading_of(given, path.name, data)


def reading_of(given: dict[str, Any], name: str, data: bytes) -> Reading:
    """How a file is read that was said something of; MapError."""
    delimiter = DELIMITERS.get(given["delimiter"]) or delimiter_of(data, name)
    return reading(
        read_pairs(given["columns"]),
        by=given["by"],
        delimiter=delimiter,
        header=given["header"],
        lower_is_better=given["lower_is_better"],
        ranks_from=given["ranks_from"],
        skip_unknown=given["skip_unknown"],
        length_normalized=given["length_normalized"],
        meanings=given["labels"],
        names=header_of(data, delimiter=delimiter),
    )


def _line(one: FileDone) -> str:
    return f"{one.path.name}: {one.imported}" if one.imported is not None else f"refused: {_without_path(one)}"


def _without_path(one: FileDone) -> str:
    """Why it was refused, with its name and without the server's folder."""
    return one.refused.replace(str(one.path), one.path.name, 1)
