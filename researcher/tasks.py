"""Celery's side of the researcher's pages: load, call, record."""

import logging
from typing import Any

from celery import shared_task
from django.http import QueryDict

from accounts.models import User
from annotation.audit.acting import acting, asked_by
from annotation.lifecycle.deleting import rest
from annotation.models import Study
from annotation.quality.policy import Policy
from annotation.simulation import CannotSimulate, simulate
from annotation.webhooks.outbox import tell_completed
from comparison.exported.dataset import make_dataset as write_dataset
from comparison.exported.dataset import making_of as dataset_of
from comparison.exported.downloads import make_download
from comparison.exported.downloads import making_of as download_of
from comparison.exported.reporting import making_of
from comparison.frame.filters.address import SelectionError, read_selection
from comparison.frame.filters.selection import Selection
from comparison.frame.kept.computing import Computing
from comparison.frame.kept.gathered import read_one
from comparison.frame.kept.remembered import remembered
from comparison.frame.selected import select
from comparison.page.page import FIGURES, read_part
from comparison.page.reading import compute_aggregations
from researcher.deleting import ask_for_the_rest, delete
from researcher.jobs import starting
from researcher.jobs.folder import drop_old_jobs
from researcher.jobs.working import work
from researcher.new_study.uploads import drop_old_uploads
from researcher.studies.given import GIVEN, given_parts, read_given
from researcher.studies.planning import PART, read_planning
from researcher.studies.runs import read_runs
from researcher.what_if import make_what_if
from scoring.models import Addition
from scoring.runs.place import at_start, place

log = logging.getLogger(__name__)

WEBHOOK_SECONDS = 12.0


@shared_task(name="researcher.tasks.add_synthetic")
def add_synthetic(study_id: int, counts: dict[str, int], seed: int, asker: int) -> None:
    """Let synthetic annotators answer: every answer waits for the disk, which takes too long for a page."""
    study = _study(study_id, "No synthetic annotators")
    if study is None:
        return
    try:
        with acting(asked_by(User.objects.filter(pk=asker).first())):
            simulated = simulate(study, counts=counts, seed=seed)
    except CannotSimulate as error:
        log.warning("No synthetic annotators: %s", error)
        return
    log.info("%s: %s synthetic labels", study.slug, simulated.labels)


@shared_task(name="researcher.tasks.compute")
def compute(study_id: int, part: str, query: str) -> None:
    """Compute the figures of one part of a study's results and, as all is read by then, those of the other parts."""
    study = _study(study_id, "Nothing is computed")
    if study is None:
        return
    asked = dict(QueryDict(query).lists())
    chosen = select(study, read_selection(asked))
    for one in (part, *(other for other in FIGURES if other != part)):
        computing = Computing(study.pk, one, query)
        if one != part and not computing.begin():
            continue
        with computing.telling(SelectionError):
            read_part(chosen, one, report=computing.report)
            computing.finish(chosen.gathered)


@shared_task(name="researcher.tasks.plan")
def plan(study_id: int, query: str) -> None:
    """Draw the studies that the planning page of a large one asks for; it then shows them."""
    study = _study(study_id, "Nothing is planned")
    if study is None:
        return
    chosen, computing = select(study, Selection()), Computing(study.pk, PART, query)
    computing.report("drawing studies")
    with computing.telling():
        read_planning(chosen, QueryDict(query))
        computing.finish(chosen.gathered)


@shared_task(name="researcher.tasks.what_if")
def what_if(study_id: int, limits: dict[str, Any]) -> None:
    """Hold another policy against the answers of a large study; its page then says what that would do."""
    study = _study(study_id, "No policy is tried")
    if study is not None:
        make_what_if(study, Policy(**limits))


@shared_task(name="researcher.tasks.make_export")
def make_export(study_id: int, what: str, query: str) -> None:
    """Write a download of a large study; its address then has it."""
    study = _study(study_id, f"No {what} is written")
    if study is None:
        return
    selection = read_selection(dict(QueryDict(query).lists()))
    computing = download_of(study, what, selection)
    with computing.telling(SelectionError):
        path = make_download(study, what, selection)
        computing.finish(read_one(study))
        log.info("%s: %s", study.slug, path)


@shared_task(name="researcher.tasks.sum_up")
def sum_up(study_id: int) -> None:
    """Sum up what has been given to a large study, by annotator, sitting and day."""
    study = _study(study_id, "Nothing is summed up")
    if study is None:
        return
    gathered = read_one(study)
    computing = Computing(study.pk, "given", "")
    computing.report("reading every answer")
    remembered(GIVEN, given_parts(gathered.version), lambda: read_given(study))
    # Its page shows how many scores every run holds as well, which are counted once.
    read_runs(study)
    computing.finish(gathered)


@shared_task(name="researcher.tasks.aggregate")
def aggregate(study_id: int, query: str) -> None:
    """Compute every way to aggregate, for the selection of the results' address; they then show them."""
    study = _study(study_id, "Nothing is aggregated")
    if study is None:
        return
    asked = dict(QueryDict(query).lists())
    try:
        for way, found in compute_aggregations(select(study, read_selection(asked))):
            log.info("%s: %s %s", study.slug, way.name, found.undefined or f"has labels for {found.labeled:,} items")
    except SelectionError as error:
        log.warning("Nothing is aggregated: %s", error)


@shared_task(name="researcher.tasks.make_report")
def make_report(study_id: int) -> None:
    """Make the bundle of a study's report; the Export part of its results has it then."""
    study = _study(study_id, "No report is made")
    if study is None:
        return
    # Here and not above: pyarrow and vl-convert, which a web process does without; it knows the tasks to ask for them.
    from comparison.bundle.keeping import keep
    from comparison.bundle.making import CannotReport

    making = making_of(study)

    def report(words: str, done: int, steps: int) -> None:
        making.report(f"{done} of {steps} steps done; now {words}", share=done / steps)

    with making.telling(CannotReport):
        path = keep(study, report=report)
        making.finish(read_one(study))
        log.info("%s: %s", study.slug, path)


@shared_task(name="researcher.tasks.make_dataset")
def make_dataset(study_id: int) -> None:
    """Write a large study as a data set; its address then has it."""
    study = _study(study_id, "No data set is written")
    if study is None:
        return
    # Here and not above, for pyarrow, as in `make_report`.
    from comparison.dataset.making import CannotExport

    making = dataset_of(study)
    making.report("reading its items and labels")
    with making.telling(CannotExport):
        path = write_dataset(study)
        making.finish(read_one(study))
        log.info("%s: %s", study.slug, path)


@shared_task(name="researcher.tasks.send_webhooks")
def send_webhooks() -> None:
    """Tell what is to be told, for no longer than until the next time, so that figures do not wait behind it."""
    # Here and not above: httpx is for workers.
    from annotation.webhooks.sending import send_due

    tell_completed()
    if arrived := send_due(seconds=WEBHOOK_SECONDS):
        log.info("%s webhook messages delivered", arrived)


@shared_task(name="researcher.tasks.forget_deliveries")
def forget_deliveries() -> None:
    from annotation.webhooks.sending import forget_old

    log.info("%s old webhook messages erased", forget_old())


@shared_task(name="researcher.tasks.drop_uploads")
def drop_uploads() -> None:
    """Erase what was uploaded and came to nothing, and the files of jobs that are over."""
    log.info("%s uploads erased, and the files of %s jobs", drop_old_uploads(), drop_old_jobs())


@shared_task(name="researcher.tasks.do_job")
def do_job(job_id: int) -> None:
    work(job_id, worker=place())


@shared_task(name="researcher.tasks.keep_jobs")
def keep_jobs() -> None:
    """What time brings about: lost jobs go back to the queue."""
    starting.keep_moving()


@shared_task(name="researcher.tasks.add_model")
def add_model(addition_id: int) -> None:
    """Register a model that was asked for in the browser, as the command add_model does."""
    # Here and not above: opening a model takes torch, which a web process does without.
    from scoring.library.registering import carry_out

    addition = Addition.objects.filter(pk=addition_id).first()
    if addition is None:
        log.warning("No model is added: %s is gone.", addition_id)
        return
    carry_out(addition)


@shared_task(name="researcher.tasks.delete_study")
def delete_study(study_id: int) -> None:
    """Delete what is left of a study that is out of sight."""
    study = rest().filter(pk=study_id).first()
    if study is None:
        log.warning("Nothing is deleted: study %s is gone.", study_id)
        return
    delete(study)


@shared_task(name="researcher.tasks.delete_rest")
def delete_rest() -> None:
    """Go on with studies out of sight that nobody is at: the queue was silent, or a worker was killed."""
    for study in rest():
        ask_for_the_rest(study)


def _study(study_id: int, otherwise: str) -> Study | None:
    """The study that a task is about; `otherwise` says what is not done where it is gone."""
    study = Study.objects.filter(pk=study_id).first()
    if study is None:
        log.warning("%s: study %s is gone.", otherwise, study_id)
    return study


at_start(recover=starting.recover, resend=starting.resend)
