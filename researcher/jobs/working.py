"""A worker's part: do a job, and write down how far it is and what came of it."""

from collections.abc import Callable

from django.utils import timezone

from annotation.audit.acting import acting, asked_by
from researcher.imports.registry import KINDS
from researcher.jobs.making import make_studies
from researcher.jobs.watched import JobProgress, JobRefused
from researcher.models import Job
from work.kinds import Kind, WornOut

# What a job does; it reports how far it is, and calls `finish` with what it stores.
Doer = Callable[[Job, JobProgress], None]
DOERS: dict[str, Doer] = {
    Job.Kind.CONSTRUCTION: make_studies,
    Job.Kind.DATA_SET: make_studies,
    **{key: kind.bring for key, kind in KINDS.items()},
}


def do(job: Job) -> None:
    Job.objects.filter(pk=job.pk, started_at=None).update(started_at=timezone.now())
    # What comes of it is the deed of whoever asked for it.
    with acting(asked_by(job.owner)):
        DOERS[job.kind](job, JobProgress(job))


def fail(job: Job, error: Exception) -> None:
    match error:
        case JobRefused():
            refused = error
        case WornOut():
            refused = JobRefused(f"It {error}, and is not tried again by itself.")
        case _:
            refused = JobRefused("A fault of the program stopped it. The worker's log says which.")
    JobProgress(job).fail(refused)


JOBS = Kind(model=Job, do=do, fail=fail, refusals=(JobRefused,))
