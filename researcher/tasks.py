"""Celery's side of the researcher's pages: load, call, record."""

import logging

from celery import shared_task

from annotation.models import Study
from annotation.simulation import CannotSimulate, simulate

log = logging.getLogger(__name__)


@shared_task(name="researcher.tasks.add_synthetic")
def add_synthetic(study_id: int, counts: dict[str, int], seed: int) -> None:
    """Let synthetic annotators answer: every answer waits for the disk, which takes too long for a page."""
    study = Study.objects.filter(pk=study_id).first()
    if study is None:
        log.warning("No synthetic annotators: study %s is gone.", study_id)
        return
    try:
        simulated = simulate(study, counts=counts, seed=seed)
    except CannotSimulate as error:
        log.warning("No synthetic annotators: %s", error)
        return
    log.info("%s: %s synthetic labels", study.slug, simulated.labels)
