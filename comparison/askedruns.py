"""Runs that were asked in words: what the order of the options did, and whether asking and measuring agree."""

from dataclasses import dataclass

import numpy as np

from comparison.accuracy import Hits, accuracy, kappa
from comparison.bootstrap import Floats
from comparison.estimate import Estimate
from comparison.panel import Panel, RunColumn
from comparison.positionbias import PositionBias, position_bias
from comparison.strength import FEWEST, spearman
from scoring.metrics import METRICS
from scoring.models import Score


@dataclass(frozen=True, slots=True)
class Beside:
    """An asked run beside another run: how often they decide alike, κ, and the rank correlation of strengths."""

    name: str
    same: Hits
    kappa: Estimate
    strength: Estimate


@dataclass(frozen=True, slots=True)
class AskedRun:
    name: str
    family: str
    bias: PositionBias
    beside: tuple[Beside, ...]


def read_asked(panel: Panel) -> tuple[AskedRun, ...]:
    """The asked runs of a panel, each with its bias on the panel's items and beside every other run."""
    return tuple(
        AskedRun(run.name, run.family, _bias(run, panel), beside(run, panel)) for run in panel.runs if is_asked(run)
    )


def is_asked(run: RunColumn) -> bool:
    metric = METRICS.get(run.metric)
    return metric is not None and metric.shape == "prompt"


def beside(run: RunColumn, panel: Panel) -> tuple[Beside, ...]:
    """One run beside the others: the same model's first, since there only the way of asking differs."""
    others = sorted((other for other in panel.runs if other.key != run.key), key=lambda other: other.model != run.model)
    return tuple(
        Beside(
            name=other.title,
            same=accuracy(run.decided, other.decided),
            kappa=kappa(run.decided, other.decided, values=len(panel.values)),
            strength=_together(run.strengths, other.strengths),
        )
        for other in others
    )


def _together(one: Floats, other: Floats) -> Estimate:
    both = np.isfinite(one) & np.isfinite(other)
    n = int(both.sum())
    if n < FEWEST:
        return Estimate.none(f"fewer than {FEWEST} items have a strength from both", n=n)
    if np.ptp(one[both]) == 0 or np.ptp(other[both]) == 0:
        return Estimate.none("every item has the same strength", n=n)
    return spearman(one, other)


def _bias(run: RunColumn, panel: Panel) -> PositionBias:
    here = set(panel.items)
    rows = Score.objects.filter(run_id=int(run.key), unscored="").order_by("item__position")
    details = [detail["orders"] for item, detail in rows.values_list("item__external_id", "detail") if item in here]
    values = sorted({value for orders in details for value in orders[0]["order"]} if details else set())
    places = {value: place for place, value in enumerate(values)}
    shown = np.array([[[places[value] for value in one["order"]] for one in orders] for orders in details], dtype=int)
    logprobs = np.array([[one["logprobs"] for one in orders] for orders in details], dtype=np.float64)
    return position_bias(shown, logprobs)
