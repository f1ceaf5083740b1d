"""A worker's part: claim a job, do it, and write down how far it is and what came of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError
from django.utils import timezone

from annotation.audit.acting import acting, asked_by
from researcher.jobs.labels import bring_labels
from researcher.jobs.making import make_studies
from researcher.jobs.scores import bring_scores
from researcher.jobs.watched import JobRefused, Left, Watched
from researcher.models import Job

# A job that has ended its worker so often will do so again.
MOST_ATTEMPTS = 3


# What a job does; it reports how far it is, and calls `finish` with what it stores.
Doer = Callable[[Job, Watched], None]
DOERS: dict[str, Doer] = {
    Job.Kind.CONSTRUCTION: make_studies,
    Job.Kind.DATA_SET: make_studies,
    Job.Kind.LABELS: bring_labels,
    Job.Kind.SCORES: bring_scores,
}


def work(job_id: int, *, worker: str) -> None:
    """Do one job, if it still waits for someone. Doing it twice does it once."""
    job = Job.objects.claim(job_id, worker=worker, until=timezone.now() + Job.LEASE)
    if job is None:
        return
    watched = Watched(job)
    if job.attempts > MOST_ATTEMPTS:
        watched.fail(JobRefused(f"It ended its worker {MOST_ATTEMPTS} times, and is not tried again by itself."))
        return
    Job.objects.filter(pk=job.pk, started_at=None).update(started_at=timezone.now())
    # What comes of it is the deed of whoever asked for it.
    with _written_down(watched), acting(asked_by(job.owner)):
        DOERS[job.kind](job, watched)


@contextmanager
def _written_down(watched: Watched) -> Iterator[None]:
    """What keeps the job from its end is written into its row; a fault of ours is raised as well, for the log."""
    ours = False
    try:
        yield
    except Left:
        # Whoever stopped it, or took it over, has written that down.
        return
    except JobRefused as refused:
        watched.fail(refused)
    except DatabaseError:
        # Not the job's fault: it stays claimed, and goes back when its lease runs out.
        raise
    except BaseException:
        ours = True
        raise
    finally:
        if ours:
            watched.fail(JobRefused("A fault of the program stopped it. The worker's log says which."))
