"""Starting, stopping and starting again."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from annotation.models import Study
from researcher.jobs.folder import Sent, drop, folder_of, receive
from researcher.models import Job
from work.queue import send

# Of one user, so that nobody fills the queue for all others.
MOST_LIVE = 5


class TooMany(ValueError):
    """Somebody has enough under way. str() says so."""


class FilesGone(ValueError):
    """A job cannot be started again, as its files have been erased. str() says so."""


def prepare_job(
    kind: str,
    key: str,
    *,
    owner: User,
    given: Mapping[str, Any],
    files: Mapping[str, Iterable[Sent]],
    sources: Mapping[str, list[str]] | None = None,
    study: Study | None = None,
) -> Job:
    """A job with its files, which waits for its start. TooMany. Whatever goes wrong, no file is left behind."""
    if kind != Job.Kind.ITEMS and Job.objects.live().filter(owner=owner).count() >= MOST_LIVE:
        raise TooMany(f"You have {MOST_LIVE} jobs in progress. Wait for one, or stop it.")
    job = Job.objects.create(
        kind=kind,
        key=key,
        owner=owner,
        given=dict(given),
        sources=dict(sources or {}),
        study=study,
        state=Job.State.PREPARED,
    )
    try:
        receive(job, files)
    except BaseException:
        forget(job)
        raise
    return job


def forget(job: Job) -> None:
    """As if it had never been prepared."""
    drop(job)
    job.delete()


def finish_at_once(job: Job, *, summary: Iterable[str], made: Iterable[Study] = ()) -> None:
    """A page has done it without a worker, in whose transaction the end is stored with what was made."""
    job.made.set(made)
    job.state, job.summary, job.finished_at = Job.State.FINISHED, [*summary], timezone.now()
    job.save(update_fields=["state", "summary", "finished_at"])


def start_job(job: Job) -> None:
    """Let a worker take it up. QueueSilent where the queue does not answer; it is stored then, and starts later."""
    Job.objects.filter(pk=job.pk, state=Job.State.PREPARED).update(state=Job.State.QUEUED)
    job.refresh_from_db()
    send([job])


def stop_job(job: Job) -> None:
    """Do no more of it. Its worker sees it within a second."""
    Job.objects.live().filter(pk=job.pk).update(state=Job.State.STOPPED, finished_at=timezone.now())
    job.refresh_from_db()


def start_again(job: Job) -> None:
    """Take up what was stopped or has failed; what a construction has finished is not done again. FilesGone."""
    if job.files and not (folder_of(job) / "files").is_dir():
        raise FilesGone("Its files were deleted after a day. Send them again.")
    with transaction.atomic():
        row = Job.objects.select_for_update().get(pk=job.pk)
        if row.can_start_again:
            row.state, row.attempts, row.finished_at = Job.State.QUEUED, 0, None
            row.error, row.faults, row.faults_count = "", [], 0
            row.save()
    job.refresh_from_db()
    send([job])
