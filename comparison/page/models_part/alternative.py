"""May this model take an annotator's place? The alternative annotator test of every run: a panel in, findings out."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from comparison.frame.coded import Coded, coded
from comparison.frame.panel import NamedRun, Panel, RunColumn
from comparison.statistics.alternative.nearness import ACCURACY, RMSE, nearness
from comparison.statistics.alternative.replacing import COSTS, Replacing, Rival, replacing
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.resampling.sample import Sample

# People that a page lists beside each run; the download has all.
LISTED = 50
# What is asked first: the least that a model is given for being cheaper.
COST = min(COSTS)
SCORING_WORDS = {ACCURACY: "the same label", RMSE: "distance in degrees"}


@dataclass(frozen=True, slots=True)
class Rate:
    """ω at one cost ε, of whom it is the rule of thumb; it rests on `people_tested`, of whom it `won` against some."""

    cost: float
    people: str
    value: float | None
    won: int
    people_tested: int
    words: str
    passes: bool
    undefined: str

    @property
    def cost_words(self) -> str:
        return plain(self.cost, decimals=2)


@dataclass(frozen=True, slots=True)
class Scored:
    """The test by one scoring function; `rivals` at the lowest cost, but for those that are `unlisted`."""

    scoring: str
    words: str
    advantage: Estimate
    rates: tuple[Rate, ...]
    rivals: tuple[Rival, ...]
    left_out: int
    unlisted: int = 0

    @property
    def first(self) -> Rate:
        return self.rates[0]

    @property
    def passes_at(self) -> Rate | None:
        """The least cost at which it may stand in."""
        return next((rate for rate in self.rates if rate.passes), None)

    @property
    def verdict(self) -> str:
        if self.first.undefined:
            return f"Cannot be said: {self.first.undefined}."
        if self.passes_at is None:
            most = self.rates[-1].cost_words
            return f"Not shown: it wins against fewer than half of the annotators even at ε = {most}, that of experts."
        if self.first.passes:
            return f"Yes, at ε = {self.first.cost_words}: it wins against at least half of the annotators."
        least = self.passes_at
        return (
            f"Passes only at ε = {least.cost_words}, which presumes that being cheaper than {least.people} is worth as "
            f"much as being as near on {least.cost_words} more of the labels."
        )


@dataclass(frozen=True, kw_only=True)
class AlternativeFinding(NamedRun):
    """One run; `scored` has accuracy first, and on an ordered scale distance too."""

    scored: tuple[Scored, ...]


def alternatives(panel: Panel) -> tuple[AlternativeFinding, ...]:
    """The runs that name labels or have degrees, where people have labeled.

    Not baselines that give every item one label: where it is nearly all there is they pass, and know nothing of items.
    """
    if not panel.has_labels:
        return ()
    labels = coded(panel.people, items=list(panel.items), values=panel.values)
    scorings = (ACCURACY, RMSE) if panel.ordered else (ACCURACY,)
    return tuple(
        AlternativeFinding(
            key=run.key,
            model=run.model,
            metric=run.metric,
            family=run.family,
            is_baseline=run.is_baseline,
            state=run.state,
            cuts=run.cuts,
            always=run.always,
            scored=tuple(_scored(run, labels, scoring, panel.sample) for scoring in scorings),
        )
        for run in panel.runs
        if (run.decided != MISSING).any() and not _is_constant(run)
    )


def _is_constant(run: RunColumn) -> bool:
    return run.is_baseline and len(np.unique(run.decided[run.decided != MISSING])) == 1


def listed(found: Iterable[AlternativeFinding], most: int = LISTED) -> tuple[AlternativeFinding, ...]:
    """The same with the first of the people."""
    return tuple(replace(run, scored=tuple(_listed(scored, most) for scored in run.scored)) for run in found)


def _listed(scored: Scored, most: int) -> Scored:
    return replace(scored, rivals=scored.rivals[:most], unlisted=len(scored.rivals[most:]))


def _scored(run: RunColumn, labels: Coded, scoring: str, sample: Sample) -> Scored:
    near = nearness(labels.items, labels.raters, labels.labels, run.decided, scoring=scoring)
    found = replacing(near, labels.names, costs=sorted(COSTS), sample=sample)
    least = found[0]
    return Scored(
        scoring=scoring,
        words=SCORING_WORDS[scoring],
        advantage=least.advantage,
        rates=tuple(_rate(one) for one in found),
        rivals=least.rivals,
        left_out=least.left_out,
    )


def _rate(found: Replacing) -> Rate:
    return Rate(
        cost=found.cost,
        people=COSTS[found.cost],
        value=found.winning_rate,
        won=found.beaten,
        people_tested=len(found.rivals),
        words=found.rate_words,
        passes=found.may_replace,
        undefined=found.undefined,
    )
