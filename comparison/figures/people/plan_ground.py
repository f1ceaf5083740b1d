"""What plans rest on: what people's labels and the runs in front say of larger designs, by the study's measure."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.models.ratings import ALL, LABELS, RATINGS
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.aggregation import majority
from comparison.statistics.agreement.alpha import Level, krippendorff_alpha, spearman_brown
from comparison.statistics.agreement.from_counts import brennan_prediger
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.planning.plan import Design, Here
from comparison.statistics.planning.rating_power import FEWEST, AssumedRatings
from comparison.statistics.verdict.measure import ACCURACY

NO_LABELS = "no item is labeled yet"
NO_RUN, NO_SECOND = "no model has scores to compare with ratings", "only one model has scores"
OTHERS = "models are compared with {rated}"
NOT_ABOVE = "the model’s ρ is not above 0"
FEW = f"fewer than {FEWEST} items"
NO_POWER = "power can be computed for accuracy and ρ, not for {measure}"
# Of ratings without labels: agreement that is often found, a model that follows people as models often do, and one that
# follows them less.
AGREEMENT, RHO, RHO_APART = 0.6, 0.5, 0.1


@dataclass(frozen=True, slots=True)
class Known:
    """What planning rests on, or why it cannot be done; and the names of the run in front and the next."""

    here: Here | None
    first: str
    second: str
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """What the cache keeps of it: how many `labeled` items there are to plan from, 0 where nothing can be planned."""

    labeled: int
    first: str
    second: str
    undefined: str = ""
    # Of nominal labels, beyond 1 / options; how often the run in front and the next give the majority label.
    agreement: float | None = None
    right: tuple[float | None, ...] = ()


def in_front(panel: Panel) -> tuple[RunColumn, ...]:
    """The two runs that come nearest by accuracy: models before baselines, those that name labels before cut ones."""
    deciding = [run for run in panel.runs if (run.decided != MISSING).any()]

    def place(run: RunColumn) -> tuple[bool, bool, float]:
        estimate = accuracy(run.decided, panel.majority, sample=panel.sample).accuracy
        return run.is_baseline, run.is_cut, -(estimate.low if estimate.low is not None else -1.0)

    return tuple(sorted(deciding, key=place)[:2])


def known(panel: Panel) -> Known:
    """What `planned` asks for, of the items that people have labeled."""
    front = in_front(panel)
    first, second = (*(run.title for run in front), "", "")[:2]
    level: Level = "ordinal" if panel.ordered else "nominal"
    alpha = krippendorff_alpha(panel.counts, level=level)
    labeled = panel.counts.sum(axis=1) > 0
    if not labeled.any() or alpha.value is None:
        return Known(None, first, second, alpha.undefined if labeled.any() else NO_LABELS)
    codes = panel.sample.clusters
    decided = [run.decided[labeled] for run in front]
    observed = Here(
        counts=panel.counts[labeled],
        level=level,
        groups=np.arange(int(labeled.sum())) if codes is None else codes[labeled],
        first=decided[0] if decided else None,
        second=decided[1] if len(decided) > 1 else None,
    )
    return Known(observed, first, second)


def ground(basis: Known) -> Ground:
    observed = basis.here
    if observed is None:
        return Ground(0, basis.first, basis.second, basis.undefined)
    truth = majority(observed.counts)
    right = (accuracy(one, truth).accuracy.value for one in (observed.first, observed.second) if one is not None)
    agreement = brennan_prediger(observed.counts).value
    return Ground(len(observed.counts), basis.first, basis.second, agreement=agreement, right=tuple(right))


GROUND = TypeAdapter(Ground)


def read_own_ground(chosen: Selected) -> Ground:
    """What there is to plan from by the study's own measure; no labels where no power can be computed by it."""
    if chosen.study.is_averaged:
        return read_ground_of_ratings(chosen)
    if chosen.study.measure != ACCURACY:
        return Ground(0, "", "", NO_POWER.format(measure=chosen.study.measured_by))
    return read_ground(chosen)


def read_ground(chosen: Selected) -> Ground:
    """What plans are drawn from: all items, whatever the filters."""
    return chosen.remembered(
        GROUND, ["ground, with accuracies", chosen.asked.classes], lambda: ground(known(chosen.whole))
    )


def read_ground_of_ratings(chosen: Selected) -> Ground:
    """`agreement` is the reliability of one rating, `right` the ρ of the two models in front with the true ratings."""
    own, ratings = read_ground(chosen), RATINGS.read(chosen)
    if not own.labeled or ratings is None:
        return Ground(own.labeled, "", "", own.undefined)
    if ratings.rated != LABELS:
        return Ground(own.labeled, "", "", OTHERS.format(rated=ratings.rated))
    each = max(1.0, chosen.gathered.labels / own.labeled)
    mean = ratings.reliability
    one = None if mean is None else max(0.0, spearman_brown(mean, 1 / each))
    models = {run.key for run in chosen.outline.runs if not run.is_baseline}
    rows = [row for row in ratings.shown if row.key in models and row.condition == ALL]
    reached = [(rho, row.name) for row in rows if (rho := row.spearman.value) is not None]
    front = sorted(reached, reverse=True)[:2]
    first, second = (*(name for _, name in front), "", "")[:2]
    right = tuple(rho / sqrt(mean) if mean else rho for rho, _ in front)
    return Ground(own.labeled, first, second, agreement=one, right=right)


def ratings_of(ground: Ground) -> AssumedRatings:
    """What a plan for ratings takes for granted: what the labels say or, as far as they do not, what is common.

    A model that does not follow people at all would be no plan to begin with.
    """
    rhos = [round(min(one, 1.0), 2) for one in ground.right if one is not None and one >= 0.01]
    first = rhos[0] if rhos else RHO
    second = next((one for one in rhos[1:] if one != first), round(max(first - RHO_APART, 0.0), 2))
    return AssumedRatings(agreement=_reliability(ground), first=first, second=second)


def _reliability(ground: Ground) -> float:
    return AGREEMENT if ground.agreement is None else round(max(ground.agreement, 0.0), 2)


@dataclass(frozen=True, slots=True)
class PlannedRatings:
    """What a design of a study of ratings would show: that the first model's ρ is above 0, and that two differ."""

    design: Design
    above_zero: Estimate
    apart: Estimate


def planned_ratings(ground: Ground, design: Design) -> PlannedRatings:
    """Of the two models in front as they are: nothing is assumed of them."""
    if not ground.right:
        missing = Estimate.none(ground.undefined or NO_RUN)
        return PlannedRatings(design, missing, missing)
    first, *others = (round(min(max(one or 0.0, -1.0), 1.0), 2) for one in ground.right)
    assumed = AssumedRatings(agreement=_reliability(ground), first=first, second=others[0] if others else None)
    power = assumed.power(items=design.items, labels=design.labels)
    note = f"reliability of one rating {plain(assumed.agreement, decimals=2)}"
    return PlannedRatings(
        design,
        _power(power.above, missing=NOT_ABOVE if first <= 0 else "", note=note),
        _power(power.apart, missing="" if others else NO_SECOND, note=note),
    )


def _power(value: float | None, *, missing: str, note: str) -> Estimate:
    if missing or value is None:
        return Estimate.none(missing or FEW)
    return Estimate(value, note=note)
