"""Every figure of the results, in reading order: pages, Export, report, API, shared links and docs are made of it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from comparison.figures.by_attribute.between_values import BETWEEN_VALUES
from comparison.figures.by_attribute.breakdown import BREAKDOWN
from comparison.figures.by_attribute.heat_map import HEATMAP
from comparison.figures.by_attribute.mean_ratings import MEAN_RATINGS
from comparison.figures.by_attribute.numbers import NUMBERS
from comparison.figures.by_attribute.regression import REGRESSION
from comparison.figures.by_attribute.shares import SHARES
from comparison.figures.figure import Figure
from comparison.figures.findings import FINDINGS
from comparison.figures.models.accuracy import ACCURACY_OF_RUNS
from comparison.figures.models.alternative import ALTERNATIVE
from comparison.figures.models.between_runs import BETWEEN_RUNS
from comparison.figures.models.biases import BIASES
from comparison.figures.models.by_agreement import BY_AGREEMENT
from comparison.figures.models.calibration import CALIBRATION
from comparison.figures.models.classes import CLASSES
from comparison.figures.models.confusion import CONFUSION
from comparison.figures.models.distribution import DISTRIBUTION
from comparison.figures.models.prompted import ASKED
from comparison.figures.models.ranks import RANKS
from comparison.figures.models.ratings import RATINGS
from comparison.figures.models.run_figures import RUN_FIGURES
from comparison.figures.models.score_ratings import SCORE_RATINGS
from comparison.figures.models.strengths import CUTS, STRENGTH
from comparison.figures.models.two_runs import TWO_RUNS
from comparison.figures.models.verdict import VERDICT
from comparison.figures.people.aggregations import AGGREGATIONS
from comparison.figures.people.agreement import AGREEMENT
from comparison.figures.people.assessors import ASSESSORS
from comparison.figures.people.between_annotators import BETWEEN_ANNOTATORS
from comparison.figures.people.planning import NEXT, STOPPING
from comparison.figures.people.powered import POWERED
from comparison.figures.people.response_times import RESPONSE_TIMES
from comparison.figures.people.same_item import SAME_ITEM
from comparison.figures.people.yields import YIELD
from comparison.figures.table import Table
from comparison.frame.selected import Selected

FIGURES: tuple[Figure[Any], ...] = (
    # Overview
    VERDICT,
    DISTRIBUTION,
    BY_AGREEMENT,
    # People
    YIELD,
    FINDINGS,
    AGREEMENT,
    BETWEEN_ANNOTATORS,
    SAME_ITEM,
    RESPONSE_TIMES,
    ASSESSORS,
    AGGREGATIONS,
    POWERED,
    STOPPING,
    NEXT,
    # Models
    ACCURACY_OF_RUNS,
    CONFUSION,
    SCORE_RATINGS,
    # Models, each on a page of its own
    BIASES,
    BETWEEN_RUNS,
    CALIBRATION,
    CLASSES,
    ALTERNATIVE,
    STRENGTH,
    RATINGS,
    CUTS,
    ASKED,
    RANKS,
    RUN_FIGURES,
    # A page of its own: the run that a reader looks at and the one beside it.
    TWO_RUNS,
    # Breakdown
    MEAN_RATINGS,
    BREAKDOWN,
    NUMBERS,
    BETWEEN_VALUES,
    SHARES,
    HEATMAP,
    REGRESSION,
)
BY_KEY = {figure.key: figure for figure in FIGURES}
# What stands on the page Models; the others of its part are checks.
ON_MODELS = {"accuracy", "confusion", "score-ratings"}


@dataclass(frozen=True)
class Read:
    """A selection's figures by their keys, each read when it is asked for: `page.figures.biases` in a template."""

    chosen: Selected

    def __getitem__(self, key: str) -> Any:
        return BY_KEY[key.replace("_", "-")].read(self.chosen)


def tables_of_report(chosen: Selected, *, besides: Collection[str] = ()) -> tuple[Table, ...]:
    """All but those of two runs that a reader compares, and of the figures with the keys `besides`."""
    figures = (figure for figure in FIGURES if figure.part != "beside" and figure.key not in besides)
    return tuple(one for figure in figures for one in figure.tables(chosen))


def is_check(figure: Figure[Any]) -> bool:
    """Whether it has a page of its own in Results › Models, whose address has its key."""
    return figure.part == "models" and figure.key not in ON_MODELS


def checks() -> tuple[Figure[Any], ...]:
    return tuple(figure for figure in FIGURES if is_check(figure))


def of_part(part: str) -> tuple[Figure[Any], ...]:
    """The figures of one page of the results: those of a part, or a check alone."""
    return tuple(figure for figure in FIGURES if page_of(figure) == part)


def page_of(figure: Figure[Any]) -> str:
    """As addresses have it."""
    return figure.key if is_check(figure) else figure.part
