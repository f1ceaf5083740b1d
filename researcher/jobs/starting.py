"""Starting, stopping and starting again."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from annotation.models import Study
from corpus.errors import SourceError
from corpus.formats.apart import TakesLonger
from corpus.tables.opening import How
from researcher.jobs.folder import Sent, drop, folder_of, receive
from researcher.models import Job
from work.queue import send

# Of one user, so that nobody fills the queue for all others.
MOST_LIVE = 5
# In `given` of a job whose file nobody has read yet as it is to be: what was given when it was last read, if it was.
UNREAD = "unread"
# States in which the columns of a job's files are chosen.
WAITING = (Job.State.PREPARED, Job.State.FAILED, Job.State.STOPPED)


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
    if kind != Job.Kind.ITEMS:
        refuse_many(owner)
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


def refuse_many(owner: User) -> None:
    """TooMany if this user has MOST_LIVE jobs in progress."""
    if Job.objects.live().filter(owner=owner).count() >= MOST_LIVE:
        raise TooMany(f"You have {MOST_LIVE} jobs in progress. Wait for one, or stop it.")


def read_or_let_read(job: Job, read: Callable[[], object], *, before: Mapping[str, Any] | None = None) -> None:
    """Read its file on a page; a worker is to do it where that takes longer than a page waits. TooMany.

    `before` is what was given when it was last read, to which it returns where it cannot be read so.
    """
    try:
        read()
    except TakesLonger:
        refuse_many(job.owner)
        job.given[UNREAD] = dict(before or {})
        job.keep_given()


@contextmanager
def reading_as(job: Job, how: How) -> Iterator[None]:
    """Its file is read so from here on; as before, where SourceError says that it cannot be."""
    before, job.given = job.given, job.given | asdict(how)
    try:
        yield
    except TakesLonger:
        # A worker is to read it so.
        raise
    except SourceError:
        job.given = before
        raise


def as_it_was(job: Job) -> dict[str, Any]:
    """What to write of a job that is not read otherwise after all; empty where it has never been read."""
    before = job.given.get(UNREAD)
    return {"state": Job.State.PREPARED, "given": before, "log": [], "touched_at": timezone.now()} if before else {}


def forget(job: Job) -> None:
    """As if it had never been prepared."""
    drop(job)
    job.delete()


def finish(job: Job, *, summary: Iterable[str], made: Iterable[Study] = ()) -> None:
    """Within the transaction in which it is stored what was made, by a page or by its worker. LeaseLost of a worker
    whose job is not wanted any more.
    """
    job.made.set(made)
    end = {"state": Job.State.FINISHED, "summary": [*summary], "finished_at": timezone.now()}
    if job.state == Job.State.RUNNING:
        job.release(**end)
        return
    for name, value in end.items():
        setattr(job, name, value)
    job.save(update_fields=[*end])


def start_job(job: Job) -> None:
    """Let a worker take it up. QueueSilent where the queue does not answer; it is stored then, and starts later."""
    # What it took to read its files were no attempts at this.
    Job.objects.filter(pk=job.pk, state=Job.State.PREPARED).update(state=Job.State.QUEUED, attempts=0, error="")
    job.refresh_from_db()
    send([job])


def stop_job(job: Job) -> None:
    """Do no more of it; a file stays as it was read. Its worker sees it within a second."""
    job.refresh_from_db()
    end = as_it_was(job) or {"state": Job.State.STOPPED, "finished_at": timezone.now()}
    Job.objects.live().filter(pk=job.pk).update(**end)
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
