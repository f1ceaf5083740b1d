"""Messages for jobs to their worker."""

from collections.abc import Iterable

from researcher.models import Job
from scoring.runs.queue import Outbox

# A queue of its own: neither scoring nor what somebody waits for at a page stands behind a construction of hours.
JOBS = Outbox(task="researcher.tasks.do_job", what="job")


def send(jobs: Iterable[Job]) -> None:
    """Messages for jobs that are committed. QueueSilent if the queue does not take them."""
    for job in jobs:
        JOBS.send(job.pk)


def recover(*, worker: str | None = None, crashed: bool = True) -> int:
    """Put lost jobs back on the queue; returns how many. The arguments are those of `give_back`."""
    orphans = Job.objects.give_back(worker=worker, crashed=crashed)
    send(orphans)
    return len(orphans)


def resend() -> None:
    """Put every queued job on the queue: it may have been emptied since."""
    send(Job.objects.filter(state=Job.State.QUEUED).order_by("pk"))


def keep_moving() -> None:
    """What upkeep does for jobs: take back lost ones, and fill a queue that was emptied under us."""
    recover()
    if Job.objects.filter(state=Job.State.QUEUED).exists() and JOBS.is_empty():
        resend()
