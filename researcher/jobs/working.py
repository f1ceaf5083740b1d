"""A worker's part: do a job, and write down how far it is and what came of it; a study made of text or of a published
data set is made in a process of its own, then stored as the commands store it. And the files of old jobs erased.
"""

import errno
import logging
import os
import shutil
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.audit.acting import acting, asked_by
from annotation.elsewhere.label_import import ImportRefused
from annotation.lifecycle.folder import read_zip_folder
from annotation.loading import Loaded, LoadRefused, store_folder
from annotation.models import Study
from corpus.errors import BuildError, Fault, SourceError, counted, without_folders
from researcher.drafting.columns_form import bring_items, read_items
from researcher.imports.registry import KINDS
from researcher.jobs.folder import all_jobs, drop, folder_of, paths_of, source_named
from researcher.jobs.starting import UNREAD, as_it_was, finish
from researcher.jobs.watched import JobProgress, JobRefused, cannot_be_read, refused_for
from researcher.making import put_in_place
from researcher.models import Job
from scoring.corpus_passes.lending import Lender
from scoring.corpus_passes.part import FINDERS, PartFailed
from stimuli.making import options
from stimuli.making.contract import BuiltStudy
from stimuli.making.own_process import Order, Refused, Subprocess
from stimuli.making.study_folder import FolderRefused
from work.clock import database_now
from work.kinds import GivenUp, Kind

log = logging.getLogger(__name__)

# So often a worker looks whether it is still wanted.
LOOK_SECONDS = 1.0
# No room on the disk, or none that this user may have.
FULL = (errno.ENOSPC, errno.EDQUOT)
# The option of the text that a pass is over.
CORPUS = "corpus"
# Whoever wants to start a job again has so long.
KEPT = timedelta(days=1)


def make_studies(job: Job, watched: JobProgress) -> None:
    """The studies that a construction or a data set gives, its owner's. JobRefused; nothing is stored then."""
    place = folder_of(job)
    place.mkdir(parents=True, exist_ok=True)
    watched.report("starting")
    try:
        order = order_of(job)
        lending = Lender.called(f"job-{job.pk}", lends=bool(order.shared))
        with lending as lender, Subprocess(order, folder=place) as apart:
            for told in apart.progress(seconds=LOOK_SECONDS, hear=lender.hear):
                lender.hold()
                if told is None:
                    watched.hold()
                else:
                    watched.report(told.step, told.done, told.of, told.unit)
            studies = apart.studies()
    except (Refused, BuildError) as error:
        log.info("Job %s was refused: %s", job.pk, error)
        raise in_words(job, error) from None
    watched.report("storing the study")
    _store(job, studies, watched)
    drop(job)


def in_words(job: Job, error: Refused | BuildError) -> JobRefused:
    """What was refused, with options by what the form calls them; not where this server, or another, has its files."""
    declared = options.declared(job.kind, job.key)

    def said(text: str) -> str:
        return without_folders(declared.in_words(text))

    match error:
        case Refused():
            faults = [Fault(said(one.field), said(one.message)) for one in error.faults]
            return JobRefused(said(str(error)), file=error.file, faults=faults)
        case PartFailed():
            return JobRefused(said(error.why))
        case _:
            return JobRefused(said(str(error)))


def order_of(job: Job) -> Order:
    """What is made apart. What is finished of somebody's own files is kept with them, and goes with them."""
    place = folder_of(job)
    kept = place / "work" if job.files else settings.VAR_DIR / "builds" / job.key
    # Whatever was sent, as a text or beside one, may take the process over, and its words would stay in the store.
    is_shared = settings.CORPUS_STORE and job.sources.get(CORPUS) and not job.files
    return Order(
        kind=job.kind,
        key=job.key,
        given=option_values(job),
        folder=kept,
        models=settings.MODELS_DIR,
        made=place / "made.json",
        processes=os.cpu_count() or 1,
        shared=tuple(FINDERS) if is_shared else (),
        store=settings.CORPUS_STORE if is_shared else "",
    )


def option_values(job: Job) -> dict[str, Any]:
    """Option values with the paths of the files that were uploaded or chosen for them."""
    given = dict(job.given)
    for option in options.declared(job.kind, job.key).options:
        if option.kind is not options.Kind.FILE:
            continue
        paths = [*paths_of(job, option.name), *map(source_named, job.sources.get(option.name, ()))]
        if not paths:
            continue
        given[option.name] = [str(path) for path in paths] if option.several else str(_one(paths))
    return given


def _one(paths: Sequence[Path]) -> Path:
    """Of several files for what takes one, the folder that they lie in."""
    return paths[0] if len(paths) == 1 else paths[0].parent


def _store(job: Job, studies: Sequence[BuiltStudy], watched: JobProgress) -> None:
    summary = [line for study in studies for line in study.summary]

    def within(loaded: Sequence[Loaded]) -> None:
        job.made.set([one.study for one in loaded])
        watched.finish(summary)

    try:
        # As the commands do it, but that no study that is there is written over.
        put_in_place(studies, out=None, load=True, owner=job.owner, among=Study.objects.none(), within=within)
    except SourceError as error:
        raise JobRefused(f"No study created: {error}", file=error.path.name, faults=error.faults) from None
    except (FolderRefused, LoadRefused, ImportRefused) as error:
        raise JobRefused(str(error)) from None


def load_folder(job: Job, watched: JobProgress) -> None:
    """The study whose folder a zip file holds. JobRefused; nothing is stored then."""
    [path] = paths_of(job, job.kind)
    watched.report(f"reading {path.name}")
    try:
        with path.open("rb") as file:
            read = read_zip_folder(file, name=path.name)
        watched.report(f"storing {counted(len(read.study.items), 'item')}")
        with transaction.atomic():
            loaded = store_folder(read, owner=job.owner, among=studies_for(job.owner, Right.EDIT))
            finish(job, summary=str(loaded).splitlines(), made=[loaded.study])
    except SourceError as error:
        raise refused_for(path.name, error.faults) from None
    except (LoadRefused, ImportRefused) as error:
        raise JobRefused(str(error)) from None
    drop(job)


def read_file(job: Job, watched: JobProgress) -> None:
    """Read a file whose columns are asked for then. JobRefused."""
    watched.report("reading the file")
    try:
        if job.kind == Job.Kind.ITEMS:
            read_items(job)
        else:
            KINDS[job.kind].read(job)
    except SourceError as error:
        raise JobRefused(f"{job.files[0]['name']} cannot be read.", faults=error.faults) from None
    del job.given[UNREAD]
    job.release(state=Job.State.PREPARED, given=job.given, key=job.key, log=[], touched_at=timezone.now())


# What a job does; it reports how far it is, and calls `finish` with what it stores.
Doer = Callable[[Job, JobProgress], None]
DOERS: dict[str, Doer] = {
    Job.Kind.CONSTRUCTION: make_studies,
    Job.Kind.DATA_SET: make_studies,
    Job.Kind.FOLDER: load_folder,
    Job.Kind.ITEMS: bring_items,
    **{key: kind.bring for key, kind in KINDS.items()},
}


def do(job: Job) -> None:
    Job.objects.filter(pk=job.pk, started_at=None).update(started_at=timezone.now())
    # What comes of it is the deed of whoever asked for it.
    with acting(asked_by(job.owner)):
        doer = read_file if UNREAD in job.given else DOERS[job.kind]
        doer(job, JobProgress(job))


def fail(job: Job, error: Exception) -> None:
    match error:
        case JobRefused():
            refused = error
        case GivenUp():
            refused = JobRefused(f"It {error}. Start it again yourself.")
        case OSError() if error.errno in FULL:
            refused = JobRefused("The server’s disk is full. Start it again once there is room.")
        case _:
            refused = JobRefused("Internal error. See the worker’s log.")
    if before := as_it_was(job):
        said = cannot_be_read(refused.faults) if refused.faults else f"The file was not read. {refused}"
        job.release(**before, error=said)
    else:
        JobProgress(job).fail(refused)


def drop_old_jobs() -> int:
    """Erase the files of jobs that have been over for a day, and what was sent and never started; returns how many
    folders that were. What is wrong with a file and may name people goes with it.
    """
    since = database_now() - KEPT
    Job.objects.filter(state=Job.State.PREPARED, touched_at__lt=since).delete()
    # One that has failed may be given other columns yet.
    over = Job.objects.filter(finished_at__lt=since, touched_at__lt=since)
    over = over.exclude(state__in=[Job.State.QUEUED, Job.State.RUNNING])
    naming = [key for key, kind in KINDS.items() if kind.names_people]
    over.filter(kind__in=naming).exclude(faults=[]).update(faults=[])
    there = {int(folder.name): folder for folder in all_jobs().glob("*") if folder.name.isdecimal()}
    needed = set(Job.objects.filter(pk__in=there).exclude(pk__in=over).values_list("pk", flat=True))
    old = there.keys() - needed
    for pk in old:
        shutil.rmtree(there[pk], ignore_errors=True)
    return len(old)


JOBS = Kind(model=Job, do=do, fail=fail, refusals=(JobRefused,))
