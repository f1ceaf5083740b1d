"""Celery's side of the results: figures and files of large studies, which no reader waits for."""

import logging

from django.http import QueryDict

from annotation.models import Study
from comparison import exported
from comparison.exported import DATASET, EXPORT, REPORT
from comparison.figures.people.aggregations import compute_aggregations
from comparison.frame.cache.computing import Computing
from comparison.frame.cache.gathered import read_one
from comparison.frame.filters.address import SelectionError, read_selection
from comparison.frame.selected import select
from comparison.page.page import COMPUTE, pages, read_part
from work.errands import errand

log = logging.getLogger(__name__)

AGGREGATE = "aggregate"


@COMPUTE
def compute(study_id: int, part: str, query: str) -> None:
    """Compute the figures of one part of a study's results and, as all is read by then, those of the other parts."""
    study = study_of(study_id, "Nothing is computed")
    if study is None:
        return
    params = dict(QueryDict(query).lists())
    chosen = select(study, read_selection(params))
    for one in (part, *(other for other in pages() if other != part)):
        computing = Computing(study.pk, one, query)
        if one != part and not computing.begin():
            continue
        with computing.telling(SelectionError):
            read_part(chosen, one, report=computing.report)
            computing.finish(chosen.gathered)


@EXPORT
def make_export(study_id: int, what: str, query: str, ending: str = "csv") -> None:
    """Write a download of a large study; its address then has it."""
    study = study_of(study_id, f"No {what} is written")
    if study is None:
        return
    selection = read_selection(dict(QueryDict(query).lists()))
    computing = exported.export_under_way(study, what, selection, ending=ending)
    with computing.telling(SelectionError):
        path = exported.make_download(study, what, selection, ending=ending)
        computing.finish(read_one(study))
        log.info("%s: %s", study.slug, path)


@errand(AGGREGATE)
def aggregate(study_id: int, query: str) -> None:
    """Compute every way to aggregate, for the selection of the results' address; they then show them."""
    study = study_of(study_id, "Nothing is aggregated")
    if study is None:
        return
    params = dict(QueryDict(query).lists())
    try:
        for way, finding in compute_aggregations(select(study, read_selection(params))):
            log.info(
                "%s: %s %s", study.slug, way.name, finding.undefined or f"has labels for {finding.labeled:,} items"
            )
    except SelectionError as error:
        log.warning("Nothing is aggregated: %s", error)


@REPORT
def make_report(study_id: int) -> None:
    """Make the bundle of a study's report; the Export part of its results has it then."""
    study = study_of(study_id, "No report is made")
    if study is None:
        return
    # Here and not above: pyarrow and vl-convert, which a web process does without; it knows the tasks to ask for them.
    from comparison.bundle.making import CannotReport

    making = exported.report_under_way(study)

    def report(words: str, finished: int, steps: int) -> None:
        making.report(f"{finished} of {steps} steps done; now {words}", share=finished / steps)

    with making.telling(CannotReport):
        path = exported.make_report(study, report=report)
        making.finish(read_one(study))
        log.info("%s: %s", study.slug, path)


@DATASET
def make_dataset(study_id: int) -> None:
    """Write a large study as a data set; its address then has it."""
    study = study_of(study_id, "No data set is written")
    if study is None:
        return
    # Here and not above, for pyarrow, as in `make_report`.
    from comparison.dataset.making import CannotExport

    making = exported.dataset_under_way(study)
    making.report("reading its items and labels")
    with making.telling(CannotExport):
        path = exported.make_dataset(study)
        making.finish(read_one(study))
        log.info("%s: %s", study.slug, path)


def study_of(study_id: int, otherwise: str) -> Study | None:
    """The study that a task is about; `otherwise` says what is not done where it is gone."""
    study = Study.objects.filter(pk=study_id).first()
    if study is None:
        log.warning("%s: study %s is gone.", otherwise, study_id)
    return study
