"""Celery's side of the researcher's pages: load, call, record."""

import logging
from typing import Any

from celery import shared_task
from django.http import QueryDict

from accounts.models import User
from annotation.audit.acting import acting, asked_by
from annotation.lifecycle.deleting import rest
from annotation.quality.policy import Policy
from annotation.simulation import CannotSimulate, simulate
from comparison.frame.cache.computing import Computing
from comparison.frame.cache.gathered import read_one
from comparison.frame.cache.remembered import remembered
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.tasks import study_of
from corpus.formats.apart import drop_left
from researcher.collecting.synthetic import SYNTHETIC, answering_in, tell_stopped
from researcher.collecting.totals import GIVEN, SUM_UP, cache_key_parts, read_collected
from researcher.deleting import DELETION, ask_for_the_rest, delete
from researcher.jobs.working import JOBS, drop_old_jobs
from researcher.studies.planning import PART, PLAN, read_planning
from researcher.studies.runs import read_runs
from researcher.what_if import TRY_POLICY, make_what_if
from scoring.library.uploads import forget_strays
from work.errands import errand
from work.kinds import register

log = logging.getLogger(__name__)


@errand(SYNTHETIC, tell=tell_stopped)
def add_synthetic(study_id: int, counts: dict[str, int], seed: int, asker: int) -> None:
    """Let synthetic annotators answer: every answer waits for the disk, which takes too long for a page."""
    study = study_of(study_id, "No synthetic annotators")
    if study is None:
        return
    answering = answering_in(study.pk)
    with answering.telling(CannotSimulate), acting(asked_by(User.objects.filter(pk=asker).first())):
        simulated = simulate(study, counts=counts, seed=seed)
        log.info("%s: %s synthetic labels", study.slug, simulated.labels)
        answering.clear()


@PLAN
def plan(study_id: int, query: str) -> None:
    """Draw the studies that the planning page of a large one asks for; it then shows them."""
    study = study_of(study_id, "Nothing to plan")
    if study is None:
        return
    chosen, computing = select(study, Selection()), Computing(study.pk, PART, query)
    computing.report("simulating studies")
    with computing.telling():
        read_planning(chosen, QueryDict(query))
        computing.finish(chosen.gathered)


@TRY_POLICY
def what_if(study_id: int, limits: dict[str, Any]) -> None:
    """Hold another policy against the answers of a large study; its page then says what that would do."""
    study = study_of(study_id, "No rules to try")
    if study is not None:
        make_what_if(study, Policy(**limits))


@SUM_UP
def sum_up(study_id: int) -> None:
    """Sum up what has been given to a large study, by annotator, sitting and day."""
    study = study_of(study_id, "Nothing to compute")
    if study is None:
        return
    gathered = read_one(study)
    computing = Computing(study.pk, "given", "")
    computing.report("reading answers")
    remembered(GIVEN, cache_key_parts(gathered.version), lambda: read_collected(study))
    # Its page shows how many scores every run holds as well, which are counted once.
    read_runs(study)
    computing.finish(gathered)


@shared_task(name="researcher.tasks.drop_uploads")
def drop_uploads() -> None:
    """Erase what was uploaded and came to nothing, and the files of jobs that are over."""
    log.info(
        "The files of %s jobs, %s models and %s killed readers erased", drop_old_jobs(), forget_strays(), drop_left()
    )


@errand(DELETION)
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


register(JOBS)
