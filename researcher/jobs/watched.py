"""How far a job is, written into its row, which says too whether it is still wanted; and why it could not be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from corpus.errors import FAULTS_SHOWN, Fault, placed
from researcher.models import Job

LOG_LINES = 200


class JobRefused(ValueError):
    """str() is a sentence; `faults` are those of the source `file`, by line and field."""

    def __init__(self, message: str, *, file: str = "", faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.file = file
        self.faults = list(faults)


def refused_for(name: str, faults: Sequence[Fault]) -> JobRefused:
    many = f"{len(faults):,} problem{'' if len(faults) == 1 else 's'}"
    return JobRefused(f"{name}: {many}; nothing was stored.", faults=faults)


def cannot_be_read(faults: Sequence[Fault]) -> str:
    return f"The file cannot be read: {faults[0].place} {faults[0].message}."


@dataclass
class JobProgress:
    """A job under way: what is written into its row, which says too whether it is still wanted."""

    job: Job

    def report(self, step: str, done: int = 0, of: int = 0, unit: str = "") -> None:
        """How far it is. LeaseLost where it is not wanted any more."""
        now, changed = timezone.now(), dict[str, Any]()
        if step != self.job.step or not self.job.log:
            self.job.log = [*self.job.log, [now.isoformat(timespec="seconds"), step]][-LOG_LINES:]
            self.job.step, self.job.step_at = step, now
            changed = {"log": self.job.log, "step_at": now}
        self.job.write(step=step[:200], done=done, of=of, unit=unit, lease_expires_at=now + Job.LEASE, **changed)

    def hold(self) -> None:
        """Renew the lease. LeaseLost where it is not wanted any more."""
        self.job.renew()

    def finish(self, summary: list[str]) -> None:
        """Within the caller's transaction, so that what was made and its end are stored together. LeaseLost."""
        self.job.release(state=Job.State.FINISHED, summary=summary, error="", finished_at=timezone.now())

    def fail(self, refused: JobRefused) -> None:
        """LeaseLost."""
        faults = [[refused.file, placed(fault.field, refused.file), fault.message] for fault in refused.faults]
        self.job.release(
            state=Job.State.FAILED,
            error=str(refused),
            faults=faults[:FAULTS_SHOWN],
            faults_count=len(faults),
            finished_at=timezone.now(),
        )
