"""The report of a study as its page shows it: there, being made, or to be made.

Finished ones lie in one place: one for each study, of the latest state of its data.
"""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from annotation.models import Study
from comparison.bundle.mark import name
from comparison.frame.cache.computing import Computing, Progress, WorkerTask, start
from comparison.frame.cache.gathered import Gathered

REPORT = WorkerTask(name="report", is_errand=True)


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
    path = kept_report(study, gathered)
    size = None if path is None else path.stat().st_size
    return ReportLine(size, path is None and bool(reports_of(study)), making_of(study).progress())


def ask_for_report(study: Study) -> None:
    """Have it made, unless somebody is at it."""
    start(making_of(study), REPORT, study.pk)


def making_of(study: Study) -> Computing:
    """How far it is: of the whole study, whatever the filters."""
    return Computing(study.pk, "report", "")


def keep(study: Study, *, report: Callable[[str, int, int], None] = lambda words, done, steps: None) -> Path:
    """Make the report of the data as they are, put it in its place, and remove those of before."""
    # Here and not above: pyarrow and vl-convert, which a web process does without; pages ask for finished reports.
    from comparison.bundle.archive import write_zip
    from comparison.bundle.making import make

    place().mkdir(parents=True, exist_ok=True)
    # Two may be at it at once: each has a folder of its own, and what both put in place is the same.
    with tempfile.TemporaryDirectory(prefix=f".{study.slug}-", dir=place()) as holder:
        folder, scratch = Path(holder) / "bundle", Path(holder) / "bundle.zip"
        folder.mkdir()
        path = _path(study, make(study, folder, report=report).gathered)
        write_zip(folder, scratch, top=name(study))
        scratch.replace(path)
    for old in reports_of(study):
        if old != path:
            old.unlink(missing_ok=True)
    return path


def kept_report(study: Study, gathered: Gathered) -> Path | None:
    """The report of this state of the data, if it was made."""
    path = _path(study, gathered)
    return path if path.is_file() else None


def reports_of(study: Study) -> list[Path]:
    """Of any state. A slug may be the beginning of another, so that only whole names tell."""
    named = re.compile(rf"{re.escape(study.slug)}-[0-9a-f]{{32}}\.zip")
    return [path for path in place().glob(f"{study.slug}-*.zip") if named.fullmatch(path.name)]


def place() -> Path:
    return settings.VAR_DIR / "reports"


def _path(study: Study, gathered: Gathered) -> Path:
    return place() / f"{study.slug}-{gathered.version}.zip"
