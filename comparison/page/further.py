"""Further figures of runs, and of runs beside one another, computed once for each state of the data."""

from dataclasses import dataclass

from pydantic import TypeAdapter

from annotation.models import Study
from comparison.frame.panel import Panel
from comparison.frame.probabilities import read_probabilities
from comparison.frame.remembered import remembered
from comparison.frame.selection import Selection
from comparison.page.between_runs import BetweenRuns, between_runs
from comparison.page.calibration_chart import calibration_curve
from comparison.page.charts import Spec
from comparison.page.run_figures import CalibratedRun, RunFigures, run_figures

RUN_FIGURES = TypeAdapter(RunFigures)
# Nothing to show is remembered as well.
BETWEEN_RUNS: TypeAdapter[BetweenRuns | None] = TypeAdapter(BetweenRuns | None)


@dataclass(frozen=True, slots=True)
class Curve:
    """One run's calibration; `spec` is None where there is nothing to draw."""

    run: CalibratedRun
    spec: Spec | None

    @property
    def chart(self) -> str:
        """What the figure is called on the page and in a download's name."""
        return f"calibration-{self.run.key}"

    @property
    def spec_id(self) -> str:
        return f"{self.chart}-spec"

    @property
    def caption(self) -> str:
        return (
            f"How often {self.run.name} is right, by how sure it is: ten bins of as many items each, with 95 % "
            "intervals (Wilson). On the dashed line it is right as often as it says."
        )


@dataclass(frozen=True, slots=True)
class Further:
    figures: RunFigures
    curves: tuple[Curve, ...]
    between: BetweenRuns | None


def read_further(study: Study, panel: Panel, selection: Selection, *, version: list[object]) -> Further:
    """Of the selected part of a study's panel; `selection` is fitted to it, and `version` is the data's."""
    target = selection.against
    figures = read_run_figures(study, panel, selection, target=target, version=version)
    mark = f"labels of {study.people.many}" if study.people.are_synthetic else ""
    return Further(
        figures=figures,
        curves=tuple(Curve(run, calibration_curve(run, title=mark)) for run in figures.calibrated),
        between=read_between_runs(panel, selection, target=target, version=version),
    )


def read_run_figures(
    study: Study, panel: Panel, selection: Selection, *, target: str, version: list[object]
) -> RunFigures:
    """Against `target`. `version` is the data's."""
    parts = ["run figures", version, selection.of_items, target]
    return remembered(RUN_FIGURES, parts, lambda: _run_figures(study, panel, selection, target))


def _run_figures(study: Study, panel: Panel, selection: Selection, target: str) -> RunFigures:
    return run_figures(panel, read_probabilities(study, panel, coarse=selection.coarse), target=target)


def read_between_runs(panel: Panel, selection: Selection, *, target: str, version: list[object]) -> BetweenRuns | None:
    """Against `target`. `version` is the data's."""
    parts = ["between runs", version, selection.of_items, target]
    return remembered(BETWEEN_RUNS, parts, lambda: between_runs(panel, target=target))
