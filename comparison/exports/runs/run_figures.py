"""Further figures of runs beside people: measures, label distributions and calibration, one line each."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import Row, estimated, figure_rows
from comparison.frame.filters.selection import TARGETS, Selection
from comparison.frame.selected import Selected
from comparison.page.models_part.run_figures import CalibratedRun, Table
from comparison.page.reading import read_run_figures
from comparison.statistics.estimate import Estimate


def run_figure_rows(study: Study, selection: Selection) -> Iterator[Row]:
    return figure_rows(study, selection, run_figure_lines)


def run_figure_lines(chosen: Selected) -> Iterator[Row]:
    """From the section on: against the majority and the reference, each where it is there."""
    for target in TARGETS:
        found = read_run_figures(chosen, target=target)
        if found.measures:
            yield from _table_lines(found.measures, "measures", target)
        for run in found.calibrated:
            yield from _calibration_lines(run, target)
        # The shares of people's labels are the same whatever is taken as true.
        if found.distributions and target == TARGETS[0]:
            yield from _table_lines(found.distributions, "distributions", "people’s labels")


def _table_lines(table: Table, section: str, against: str) -> Iterator[Row]:
    for line, figures in table.named:
        for column, found in figures:
            yield [section, line.name, line.family, against, column.key, *estimated(found, how=line.how)]


def _calibration_lines(run: CalibratedRun, target: str) -> Iterator[Row]:
    head = ["calibration", run.name, run.family, target]
    found = run.found
    yield [*head, "ece", *estimated(found.ece, how=run.how)]
    if found.by_chance is not None:
        yield [*head, "ece_by_chance", *estimated(Estimate(found.by_chance, n=found.ece.n))]
    yield [*head, "confidence_less_accuracy", *estimated(found.lead)]
    for number, one in enumerate(found.bins, 1):
        how = f"probability from {one.low:.4f} to {one.high:.4f}, mean {one.confidence:.4f}"
        yield [*head, f"bin_{number}_accuracy", *estimated(one.accuracy, how=how)]
