"""The report of a study as its page shows it: there, being made, or to be made."""

from dataclasses import dataclass

from annotation.models import Study
from comparison.bundle.kept import kept_report, of_study
from comparison.frame.cache.asking import WorkerTask, start
from comparison.frame.cache.computing import Computing, Progress
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
    return ReportLine(size, path is None and bool(of_study(study)), making_of(study).progress())


def ask_for_report(study: Study) -> None:
    """Have it made, unless somebody is at it."""
    start(making_of(study), REPORT, study.pk)


def making_of(study: Study) -> Computing:
    """How far it is: of the whole study, whatever the filters."""
    return Computing(study.pk, "report", "")
