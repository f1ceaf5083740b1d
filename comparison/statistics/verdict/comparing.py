"""All runs against one truth, on the items that all of them have labeled, with the same drawn items for all."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import with_interval
from comparison.statistics.resampling.clusters import worth_of_groups
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.verdict.best import FEWEST_GROUPS, chances, confidence_set, ranks
from comparison.statistics.verdict.drawing import drawn_sums
from comparison.statistics.verdict.evidence import MAJORITY, Entrant, Evidence
from comparison.statistics.verdict.measure import ACCURACY, KAPPA, Measure
from comparison.statistics.verdict.odds import (
    LEVEL,
    Constant,
    against_chance,
    against_constant,
    below_chance,
    best_constant,
    chance,
    chance_of_dealt,
    dealt_out,
    holm,
)
from comparison.statistics.verdict.parts import Placed, Runs, Settling
from comparison.statistics.verdict.person import POWERED, Besides, besides
from comparison.statistics.verdict.settling import items_needed
from comparison.statistics.verdict.strengths import strengths
from comparison.statistics.verdict.taking_part import Field, field

# Of fewer items the variance says too little to name how many more there should be.
FEWEST = 12
# A value and chance that are computed in different ways may be equal but for this.
ROUNDING = 1e-9
NOTHING_OPEN = Settling(what="", difference=0.0, items=None)
NOT_COMPARED = Estimate.none("no run is compared")


@dataclass(frozen=True, slots=True, eq=False)
class _Reached:
    """What each rater reaches, and over drawn items: shapes (raters,) and (draws, raters). More is nearer."""

    runs: Floats
    drawn: Floats
    # The best constant; chance, where no constant is worth more.
    bar: float
    bar_drawn: Floats
    # One person, and each run on the same labels as one person.
    beside: Besides


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The compared rows only."""

    by: Measure
    values: int
    counts: Ints
    truth: Ints
    decided: list[Ints]
    fitted: list[bool]
    sample: Sample

    @property
    def items(self) -> int:
        return self.sample.size(np.ones(len(self.truth), dtype=bool))

    @property
    def units(self) -> int:
        """What is drawn: items, or clusters."""
        clusters = self.sample.clusters
        return self.items if clusters is None else len(np.unique(clusters))

    @property
    def is_grouped(self) -> bool:
        return self.sample.clusters is not None

    def interval(self, value: float, drawn: Floats) -> Estimate:
        return with_interval(value, drawn, items=self.units, n=self.items, expanded=self.is_grouped)


def compared(evidence: Evidence, truth: Ints, *, against: str) -> Runs:
    """Who is nearest to `truth`, codes of shape (rows,).

    >>> truth = np.arange(40) % 2
    >>> one = Entrant(run=1, name="A", is_baseline=False, decided=truth)
    >>> found = compared(Evidence(counts=np.eye(2, dtype=int)[truth] * 3, truth=truth, words=("no", "yes"),
    ...     ordered=False, entrants=(one,)), truth, against="majority")
    >>> [(placed.name, str(placed.value), placed.is_told) for placed in found.nearest]
    [('A', '1.00 [.91, 1.00], n = 40', True)]
    """
    chosen = field(evidence.entrants, truth, evidence.sample)
    rated = strengths(evidence.entrants, evidence.sample)
    if not chosen.inside:
        return Runs(
            items=0, chance=0.0, constant=None, placed=(), outside=chosen.outside, strengths=rated,
            person=NOT_COMPARED, settling=NOTHING_OPEN,
        )  # fmt: skip
    rows = _rows(evidence, chosen, truth, chosen.rows)
    by_chance = chance(rows.by, rows.truth, rows.values, rows.sample)
    constant = None if evidence.one_role else best_constant(rows.by, rows.truth, rows.values, rows.sample)
    beside = besides(
        evidence.by, evidence.counts, truth, [one.decided for one in chosen.inside], against=against,
        here=_with_others(evidence, chosen, against), voices=evidence.voices, sample=evidence.sample,
    )  # fmt: skip
    reached = _reached(rows, by_chance, constant, beside)
    placed = _placed(chosen.inside, rows, constant, reached, by_chance=by_chance)
    found = Runs(
        items=rows.items,
        chance=by_chance,
        constant=constant,
        placed=placed,
        outside=chosen.outside,
        strengths=rated,
        person=beside.person,
        person_withheld=beside.withheld,
        settling=NOTHING_OPEN,
        one_role=evidence.one_role,
    )
    order = [one.run for one in chosen.inside]
    return replace(found, settling=_settling(found, rows, reached, order))


def _rows(evidence: Evidence, chosen: Field, truth: Ints, here: NDArray[np.bool_]) -> _Rows:
    return _Rows(
        by=evidence.by,
        values=evidence.values,
        counts=evidence.counts[here],
        truth=truth[here],
        decided=[one.decided[here] for one in chosen.inside],
        fitted=[bool(one.how) for one in chosen.inside],
        sample=evidence.sample.where(here),
    )


def _with_others(evidence: Evidence, chosen: Field, against: str) -> NDArray[np.bool_]:
    """Where one person stands beside the runs. Against the majority of the others also where all labels tie.

    To leave out the items on which people disagree most would flatter them.
    """
    if against != MAJORITY:
        return chosen.rows
    decided = np.logical_and.reduce([one.decided != MISSING for one in chosen.inside])
    return np.asarray(decided & (evidence.counts.sum(axis=1) > 1))


def _reached(rows: _Rows, by_chance: float, constant: Constant | None, beside: Besides) -> _Reached:
    by, size = rows.by, rows.values
    runs = [by.columns(decided, rows.truth, size) for decided in rows.decided]
    bar = [] if constant is None else [by.columns(np.full_like(rows.truth, constant.code), rows.truth, size)]
    each, k = _measured(by, [*runs, *bar], rows.sample), len(runs)
    if constant is None:
        each = np.insert(each, k, by.sign * by_chance, axis=1)
    return _Reached(each[0, :k], each[1:, :k], each[0, k], each[1:, k], beside)


def _measured(by: Measure, blocks: list[Floats], sample: Sample) -> Floats:
    """Each block's measure, shape (1 + draws, blocks): of all items first, then of drawn ones. More is nearer."""
    total, drawn = drawn_sums(np.hstack(blocks), sample)
    sums, width = np.vstack([total[None], drawn]), blocks[0].shape[1]
    return np.column_stack([by.sign * by.of_sums(sums[:, at : at + width]) for at in range(0, sums.shape[1], width)])


def _placed(
    inside: tuple[Entrant, ...], rows: _Rows, constant: Constant | None, reached: _Reached, *, by_chance: float
) -> tuple[Placed, ...]:
    """From the best to the worst; of equals, the run made first."""
    over_chance, under_chance, over_constant = _tested(rows, constant)
    chances_of = _chances(rows, by_chance)
    models = [place for place, one in enumerate(inside) if not one.is_baseline]
    among, level, places, best = _ranked(rows, reached, models)
    found = [
        Placed(
            run=one.run,
            name=one.title,
            is_baseline=one.is_baseline,
            how=one.how,
            value=_value(rows, reached, place),
            rank=places.get(place),
            best=best.get(place),
            over_chance=over_chance[place],
            under_chance=under_chance[place],
            chance=chances_of[place],
            is_above_chance=bool(reached.runs[place] > rows.by.sign * chances_of[place] + ROUNDING),
            over_constant=over_constant[place] if over_constant else None,
            nearest=bool(place in among and among[place] > LEVEL),
            level=bool(level[place] > LEVEL),
            beside=reached.beside.runs[place],
        )
        for place, one in enumerate(inside)
    ]
    order = sorted(range(len(found)), key=lambda place: (-reached.runs[place], found[place].run))
    return tuple(found[place] for place in order)


def _ranked(
    rows: _Rows, reached: _Reached, models: list[int]
) -> tuple[dict[int, float], Floats, dict[int, tuple[int, int]], dict[int, float]]:
    """Each model's p of being among the best models, each run's among all, and models' ranks and probabilities."""
    if rows.units < (FEWEST_GROUPS if rows.is_grouped else 2):
        # Nothing is known of how far another group would differ.
        return dict.fromkeys(models, 1.0), np.ones(len(reached.runs)), dict.fromkeys(models, (1, len(models))), {}
    clusters = rows.sample.clusters
    step = 0.0 if rows.by.key == KAPPA else 1 / rows.items
    groups = 0.0 if clusters is None else worth_of_groups(clusters)
    values, drawn = reached.runs[models], reached.drawn[:, models]
    among = confidence_set(values, drawn, step=step, groups=groups)
    places = ranks(values, drawn, step=step, groups=groups)
    best = chances(drawn) if models else np.zeros(0)
    return (
        dict(zip(models, among.tolist(), strict=True)),
        confidence_set(reached.runs, reached.drawn, step=step, groups=groups),
        dict(zip(models, places, strict=True)),
        dict(zip(models, best.tolist(), strict=True)),
    )


def _tested(rows: _Rows, constant: Constant | None) -> tuple[list[float], list[float], list[float]]:
    """Each run's p of being better than chance, worse than chance, and better than the constant, if there is one."""

    def all_runs(test: Callable[[Ints], float], of_fitted: Callable[[Ints], float]) -> list[float]:
        tested = zip(rows.decided, rows.fitted, strict=True)
        return holm([of_fitted(decided) if fitted else test(decided) for decided, fitted in tested])

    def above(decided: Ints) -> float:
        return against_chance(rows.by, decided, *given)

    def over(decided: Ints) -> float:
        return against_constant(rows.by, constant, decided, *given) if constant else 1.0

    given = rows.truth, rows.values, rows.sample
    return (
        all_runs(above, lambda decided: dealt_out(rows.by, decided, *given)),
        all_runs(
            lambda decided: below_chance(rows.by, decided, *given),
            lambda decided: dealt_out(rows.by, decided, *given, side=-1),
        ),
        all_runs(over, over) if constant else [],
    )


def _chances(rows: _Rows, by_chance: float) -> list[float]:
    """What each run is tested against: chance, or of degrees by cut points the same ones dealt out."""
    given = rows.truth, rows.values, rows.sample
    return [
        chance_of_dealt(rows.by, decided, *given) if fitted else by_chance
        for decided, fitted in zip(rows.decided, rows.fitted, strict=True)
    ]


def _value(rows: _Rows, reached: _Reached, place: int) -> Estimate:
    """By accuracy with Wilson's interval, as everywhere."""
    if rows.by.key == ACCURACY:
        return accuracy(rows.decided[place], rows.truth, sample=rows.sample).accuracy
    value, drawn = rows.by.sign * reached.runs[place], rows.by.sign * reached.drawn[:, place]
    return rows.interval(float(value), drawn)


def _settling(found: Runs, rows: _Rows, reached: _Reached, order: list[int]) -> Settling:
    """What is open first: chance, the models among one another, one person."""
    models = found.models
    if not models or rows.items < FEWEST:
        return NOTHING_OPEN
    at = {run: place for place, run in enumerate(order)}
    top = at[models[0].run]
    if not any(one.is_told for one in models):
        what = "chance" if found.constant is None or not models[0].beats_chance else "constant"
        bar, bar_drawn = _bar(found, rows, reached, what)
        gap, drawn = reached.runs[top] - bar, reached.drawn[:, top] - bar_drawn
        return _open(what, float(gap), drawn, rows.items, level=LEVEL / len(order), sides=1)
    if len(found.nearest) > 1:
        second = at[found.nearest[1].run]
        gap, drawn = reached.runs[top] - reached.runs[second], reached.drawn[:, top] - reached.drawn[:, second]
        return _open("models", float(gap), drawn, rows.items)
    beside = models[0].beside
    if beside.low is not None and beside.high is not None and beside.low <= 0 <= beside.high:
        return _open_beside(beside.value or 0.0, *reached.beside.spread[top])
    return NOTHING_OPEN


def _bar(found: Runs, rows: _Rows, reached: _Reached, what: str) -> tuple[float, Floats]:
    if what == "constant":
        return reached.bar, reached.bar_drawn
    chance = rows.by.sign * found.models[0].chance
    return chance, np.full(len(reached.drawn), chance)


def _open(what: str, gap: float, drawn: Floats, items: int, *, level: float = LEVEL, sides: int = 2) -> Settling:
    """One-sided: a gap in the wrong direction is closed by no number of items."""
    hopeless = sides == 1 and gap <= 0
    variance = items * float(np.nanvar(drawn))
    needed = None if hopeless or abs(gap) < 1e-12 else items_needed(gap, variance, level=level, sides=sides)
    return Settling(what=what, difference=gap, items=needed)


def _open_beside(gap: float, variance: float, of_people: float) -> Settling:
    """More items make up for what people differ by only where the gap is larger than that."""
    left = gap**2 - POWERED * of_people
    needed = items_needed(float(np.copysign(left**0.5, gap)), variance) if left > 1e-12 else None
    return Settling(what="person", difference=gap, items=needed)
