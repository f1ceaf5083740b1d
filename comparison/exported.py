"""What leaves a study as a file that a worker makes where it is large: downloads, the data set, the report.

Pages and the API ask here, and comparison/tasks.py makes the files. Of downloads all are made but rows that are
streamed; a data set is made at once of a small study; a report is made when somebody asks for it, and the latest is
kept of each study. Imports all else in comparison, since a file may be of any of it.
"""

import hashlib
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.models import Study
from comparison.bundle.archive import write_zip
from comparison.bundle.words.facts import name
from comparison.exports.cells import lines
from comparison.exports.items_lines import ITEMS
from comparison.exports.items_outset import begins_at_once
from comparison.exports.registry import FILES, export
from comparison.exports.report import figures_json
from comparison.frame import selected
from comparison.frame.cache.computing import Computing, Progress, WorkerTask, start
from comparison.frame.cache.gathered import Gathered, read_one
from comparison.frame.cache.remembered import PROGRAM, REMEMBERED_SECONDS
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select

# How rows are written, by what the name of the file ends with.
WRITERS: dict[str, Callable[[Iterable[Any]], Iterable[str]]] = {"csv": lines, "json": figures_json}
EXPORT = WorkerTask(name="export")
# Longer than a worker may take for one file.
UNFINISHED_SECONDS = 2 * 3600


@dataclass(frozen=True, slots=True)
class Download:
    """The file, where it is there; else who is at it."""

    path: Path | None
    progress: Progress | None = None


def read_download(study: Study, what: str, selection: Selection, *, ending: str = "csv") -> Download | None:
    """None where the file is streamed; else the one that a worker makes. SelectionError for what the study lacks."""
    if what not in FILES or FILES[what].is_streamed:
        return None
    chosen = select(study, selection, waits=False)
    if not chosen.is_large:
        return None
    chosen.refuse()
    if what == ITEMS.key and begins_at_once(study, selection):
        return None
    path = _export_path(study, what, selection, chosen.gathered, ending=ending)
    if path.is_file():
        return Download(path)
    computing = export_under_way(study, what, selection, ending=ending)
    start(computing, EXPORT, study.pk, what, selection.query(), ending, answers=chosen.gathered.answers)
    return Download(None, computing.progress())


def make_download(study: Study, what: str, selection: Selection, *, ending: str = "csv") -> Path:
    """Write the file of the data as they are, and remove those that nobody needs any more."""
    path = _export_path(study, what, selection, read_one(study), ending=ending)
    path.parent.mkdir(parents=True, exist_ok=True)
    computing, written = export_under_way(study, what, selection, ending=ending), 0
    computing.report("computing its figures")
    # Two may be at it at once; what both put in place is the same.
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, suffix=".part", encoding="utf-8", newline="", delete=False
    ) as out:
        for piece in WRITERS[ending](export(what)(study, selection)):
            out.write(piece)
            written += piece.count("\r\n")
            computing.report(f"{written:,} lines written")
    Path(out.name).replace(path)
    forget_old(path.parent)
    return path


def forget_old(folder: Path) -> None:
    """Remove the files that have lain there for longer than figures are remembered."""
    for old in folder.iterdir():
        if old.is_file() and time.time() - old.stat().st_mtime > REMEMBERED_SECONDS:
            old.unlink(missing_ok=True)


def forget_unfinished(folder: Path) -> None:
    """Remove what processes that were killed had begun: it is older than any that is at it."""
    for leftover in folder.glob(".*"):
        if leftover.is_dir() and time.time() - leftover.stat().st_mtime > UNFINISHED_SECONDS:
            shutil.rmtree(leftover, ignore_errors=True)


def files_of(study: Study) -> list[Path]:
    """What was made for it, of any state. A slug may be the beginning of another, so that only whole names tell."""
    pattern = re.compile(rf"{re.escape(study.slug)}-({'|'.join([*FILES, 'dataset'])})-[0-9a-f]{{32}}\.(csv|json|zip)")
    place: Path = settings.VAR_DIR / "exports"
    return [path for path in place.glob(f"{study.slug}-*") if pattern.fullmatch(path.name)]


def export_under_way(study: Study, what: str, selection: Selection, *, ending: str = "csv") -> Computing:
    return Computing(study.pk, f"export {what}.{ending}", selection.query())


def _export_path(study: Study, what: str, selection: Selection, gathered: Gathered, *, ending: str) -> Path:
    rests_on = f"{PROGRAM} {gathered.version} {selection.query()}"
    version = hashlib.sha256(rests_on.encode()).hexdigest()[:32]
    return settings.VAR_DIR / "exports" / f"{study.slug}-{what}-{version}.{ending}"


DATASET = WorkerTask(name="data set")


def read_dataset(study: Study) -> Download:
    """The file of the data as they are; else who is at it. CannotExport where there is no item."""
    gathered = read_one(study)
    path = _dataset_path(study, gathered)
    if path.is_file():
        return Download(path)
    if gathered.answers <= selected.QUICK:
        return Download(make_dataset(study))
    computing = dataset_under_way(study)
    start(computing, DATASET, study.pk, answers=gathered.answers)
    return Download(None, computing.progress())


def make_dataset(study: Study) -> Path:
    """Write it, in the parts that the command makes unless told otherwise. CannotExport as there."""
    # Here and not above: pyarrow, which a web process does without until somebody asks for a file.
    from comparison.dataset.card import DatasetOptions
    from comparison.dataset.making import make

    path = _dataset_path(study, read_one(study))

    def write(folder: Path) -> Path:
        make(study, folder, DatasetOptions())
        return path

    _zipped(path.parent, dataset_name(study), write)
    forget_old(path.parent)
    return path


def _zipped(place: Path, top: str, write: Callable[[Path], Path]) -> Path:
    """What is written into an empty folder, as a zip file where `write` says that it lies."""
    place.mkdir(parents=True, exist_ok=True)
    forget_unfinished(place)
    # Two may be at it at once: each has a folder of its own, and what both put in place is the same.
    with tempfile.TemporaryDirectory(prefix=f".{top}-", dir=place) as holder:
        folder, scratch = Path(holder) / "made", Path(holder) / "made.zip"
        folder.mkdir()
        path = write(folder)
        write_zip(folder, scratch, top=top)
        scratch.replace(path)
    return path


def dataset_name(study: Study) -> str:
    """What it is called outside the house, without its ending."""
    return f"{study.slug}{'-synthetic' if study.people.are_synthetic else ''}-dataset"


def dataset_under_way(study: Study) -> Computing:
    """How far it is: of the whole study, whatever the filters."""
    return Computing(study.pk, "dataset", "")


def _dataset_path(study: Study, gathered: Gathered) -> Path:
    return settings.VAR_DIR / "exports" / f"{study.slug}-dataset-{gathered.version}.zip"


REPORT = WorkerTask(name="report")


@dataclass(frozen=True, slots=True)
class ReportLine:
    """`size` is the file's, in bytes; None where the data as they are have none. `is_old`: those of before have one."""

    size: int | None
    is_old: bool
    progress: Progress | None

    @property
    def is_live(self) -> bool:
        """Whether somebody is at it."""
        return self.progress is not None and not self.progress.failed


def read_report(study: Study, gathered: Gathered) -> ReportLine:
    path = finished_report(study, gathered)
    size = None if path is None else path.stat().st_size
    return ReportLine(size, path is None and bool(reports_of(study)), report_under_way(study).progress())


def ask_for_report(study: Study) -> None:
    """Have it made, unless somebody is at it."""
    start(report_under_way(study), REPORT, study.pk, answers=read_one(study).answers)


def report_under_way(study: Study) -> Computing:
    """How far it is: of the whole study, whatever the filters."""
    return Computing(study.pk, "report", "")


def make_report(study: Study, *, report: Callable[[str, int, int], None] = lambda words, finished, steps: None) -> Path:
    """Make the report of the data as they are, put it in its place, and remove those of before."""
    # Here and not above: pyarrow and vl-convert, which a web process does without; pages ask for finished reports.
    from comparison.bundle.making import make

    def write(folder: Path) -> Path:
        return _report_path(study, make(study, folder, report=report).gathered)

    path = _zipped(reports_folder(), name(study), write)
    for old in reports_of(study):
        if old != path:
            old.unlink(missing_ok=True)
    return path


def finished_report(study: Study, gathered: Gathered) -> Path | None:
    """The report of this state of the data, if it was made."""
    path = _report_path(study, gathered)
    return path if path.is_file() else None


def reports_of(study: Study) -> list[Path]:
    """Of any state. A slug may be the beginning of another, so that only whole names tell."""
    pattern = re.compile(rf"{re.escape(study.slug)}-[0-9a-f]{{32}}\.zip")
    return [path for path in reports_folder().glob(f"{study.slug}-*.zip") if pattern.fullmatch(path.name)]


def reports_folder() -> Path:
    return settings.VAR_DIR / "reports"


def _report_path(study: Study, gathered: Gathered) -> Path:
    return reports_folder() / f"{study.slug}-{gathered.version}.zip"
