"""Celery's side of the researcher's pages: load, call, record."""

import logging

from celery import shared_task
from django.http import QueryDict

from annotation.models import Study
from annotation.simulation import CannotSimulate, simulate
from comparison.frame.reading import read_panel
from comparison.frame.selection import SelectionError, fitted, read_selection
from comparison.page.reading import compute_aggregations

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


@shared_task(name="researcher.tasks.aggregate")
def aggregate(study_id: int, query: str) -> None:
    """Compute every way to aggregate, for the selection of a comparison page's address; the page then shows them."""
    study = Study.objects.filter(pk=study_id).first()
    if study is None:
        log.warning("Nothing is aggregated: study %s is gone.", study_id)
        return
    asked = QueryDict(query)
    try:
        selection = read_selection(asked, asked.getlist("runs"))
        panel = read_panel(study, coarse=selection.coarse)
        selection = fitted(selection, panel)
    except SelectionError as error:
        log.warning("Nothing is aggregated: %s", error)
        return
    for way, found in compute_aggregations(study, panel.where(selection.mask(panel)), selection):
        log.info("%s: %s %s", study.slug, way.name, found.undefined or f"has labels for {found.labeled:,} items")
