"""All runs against one truth, on the items that all of them have labeled, with the same drawn items for all.

Each run's tests are adjusted for as many as there are runs, and for looks while labels come in (chance.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.chance import at_a_look, holm
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.bootstrap import drawn_sums
from comparison.statistics.resampling.sample import Z, worth_of_groups
from comparison.statistics.verdict.best import (
    FEWEST_GROUPS,
    LEVEL,
    DrawnSums,
    at_once,
    chances,
    confidence_set,
    lead,
    ranks,
)
from comparison.statistics.verdict.evidence import MAJORITY, Entrant, Evidence
from comparison.statistics.verdict.measure import ACCURACY, KAPPA
from comparison.statistics.verdict.odds import (
    Constant,
    against_chance,
    below_chance,
    best_constant,
    chance,
    chance_of_dealt,
    constant_is_nearer,
    dealt_out,
)
from comparison.statistics.verdict.parts import Placed, Runs, Settling
from comparison.statistics.verdict.person import POWERED, Besides, besides
from comparison.statistics.verdict.ranked import strengths
from comparison.statistics.verdict.rare import rare
from comparison.statistics.verdict.settling import LUCK, items_needed, items_to_show, items_to_single_out
from comparison.statistics.verdict.taking_part import Field, Rows, field


@dataclass(frozen=True, slots=True)
class Tested:
    """Each run's p of being better than chance, better also than its own labels dealt out, worse than chance, and
    further away than the constant; of the last none, where there is no constant.
    """

    over_chance: list[float]
    over_dealt: list[float]
    under_chance: list[float]
    under_constant: list[float]


def tested(rows: Rows, constant: Constant | None) -> Tested:
    """Both questions of a run that is told are one test, whose p is the larger: of runs that know nothing one is told
    in at most 5 of 100 studies.

    Of ten items nine are of one label, which a run always gives: better than chance, and dealt out no less right.

    >>> import numpy as np
    >>> from comparison.statistics.resampling.sample import ITEMS
    >>> from comparison.statistics.verdict.measure import measure_of
    >>> rows = Rows(by=measure_of("accuracy", ordered=False), values=2, counts=np.zeros((10, 2), dtype=int),
    ...     truth=np.arange(10) // 9, decided=[np.zeros(10, dtype=int)], fitted=[False], sample=ITEMS, share_in=1.0,
    ...     can_favor=True)
    >>> found = tested(rows, None)
    >>> [round(one, 3) for one in (*found.over_chance, *found.over_dealt)]
    [0.011, 1.0]
    """
    given = rows.truth, rows.values, rows.sample
    runs = list(zip(rows.decided, rows.fitted, strict=True))

    def dealt(decided: Ints, side: int = 1) -> float:
        return dealt_out(rows.by, decided, *given, side=side)

    above = [dealt(decided) if fitted else against_chance(rows.by, decided, *given) for decided, fitted in runs]
    both = [
        max(p, dealt(decided)) if rows.can_favor and not fitted else p
        for p, (decided, fitted) in zip(above, runs, strict=True)
    ]

    def adjusted(ps: list[float]) -> list[float]:
        return holm([at_a_look(p, rows.share_in) for p in ps])

    return Tested(
        over_chance=adjusted(above),
        over_dealt=adjusted(both),
        under_chance=adjusted(
            [dealt(decided, -1) if fitted else below_chance(rows.by, decided, *given) for decided, fitted in runs]
        ),
        under_constant=adjusted(
            [constant_is_nearer(rows.by, constant, decided, *given) for decided in rows.decided] if constant else []
        ),
    )


# Of fewer items the variance says too little to name how many more there should be.
FEWEST = 12
NOTHING_OPEN = Settling(what="", difference=0.0, items=None)
NOT_COMPARED = Estimate.none("no run to compare")


@dataclass(frozen=True, slots=True, eq=False)
class _Reached:
    """What each rater reaches, and over drawn items: shapes (raters,) and (draws, raters). More is nearer."""

    runs: Floats
    drawn: Floats
    # One person, and each run on the same labels as one person.
    beside: Besides


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
    reached = _reached(rows, beside)
    asked = tested(rows, constant)
    silent = _nearest_of_all(evidence, chosen, truth)
    placed = _placed(chosen.inside, rows, asked, reached, by_chance=by_chance, silent=silent)
    models = {place: (one.run, one.title) for place, one in enumerate(chosen.inside) if not one.is_baseline}
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
        can_favor=rows.can_favor,
        # Where one role is right for every item, what people now and then say otherwise is no class.
        rare=None if evidence.one_role else rare(rows, models),
        groups=rows.units if rows.is_grouped else 0,
    )
    order = [one.run for one in chosen.inside]
    return replace(found, settling=_settling(found, rows, reached, order))


def _rows(evidence: Evidence, chosen: Field, truth: Ints, here: NDArray[np.bool_]) -> Rows:
    return Rows(
        by=evidence.by,
        values=evidence.values,
        counts=evidence.counts[here],
        truth=truth[here],
        decided=[one.decided[here] for one in chosen.inside],
        fitted=[bool(one.how) for one in chosen.inside],
        sample=evidence.sample.where(here),
        share_in=evidence.share_in,
        can_favor=not evidence.one_role and evidence.by.key != KAPPA,
    )


def _with_others(evidence: Evidence, chosen: Field, against: str) -> NDArray[np.bool_]:
    """Where one person stands beside the runs. Against the majority of the others also where all labels tie.

    To leave out the items on which people disagree most would flatter them.
    """
    if against != MAJORITY:
        return chosen.rows
    decided = np.logical_and.reduce([one.decided != MISSING for one in chosen.inside])
    return np.asarray(decided & (evidence.counts.sum(axis=1) > 1))


def beside_without(evidence: Evidence, raters: Sequence[int], runs: Runs, *, against: str) -> tuple[Estimate, ...]:
    """Where the leading runs stand beside one person once the labels of `raters` are left out.

    Labels at chance make one person less right than those who answer with care are.
    """
    said = evidence.voices
    if said is None or runs.person_withheld:
        return ()
    chosen = field(evidence.entrants, evidence.majority if against == MAJORITY else evidence.truth, evidence.sample)
    out, counts = np.isin(said.raters, raters), evidence.counts.copy()
    np.subtract.at(counts, (said.rows[out], said.labels[out]), 1)
    left = replace(evidence, counts=counts, voices=said.of(~out))
    decided = {one.run: one.decided for one in chosen.inside}
    return besides(
        left.by, counts, left.truth, [decided[one.run] for one in runs.leading], against=against,
        here=_with_others(left, chosen, against), voices=left.voices, sample=left.sample,
    ).runs  # fmt: skip


def _reached(rows: Rows, beside: Besides) -> _Reached:
    each = _measured(rows)
    return _Reached(each[0], each[1:], beside)


def _measured(rows: Rows) -> Floats:
    """Each run's measure, shape (1 + draws, runs): of all items first, then of drawn ones. More is nearer."""
    by, blocks = rows.by, [rows.by.columns(decided, rows.truth, rows.values) for decided in rows.decided]
    total, drawn = drawn_sums(np.hstack(blocks), rows.sample)
    sums, width = np.vstack([total[None], drawn]), blocks[0].shape[1]
    return np.column_stack([by.sign * by.of_sums(sums[:, at : at + width]) for at in range(0, sums.shape[1], width)])


def _chances(rows: Rows, by_chance: float) -> tuple[list[float], list[float]]:
    """Of each run, its own labels dealt over the items, and what it is tested against: labels by cut points against
    those, all others against chance.
    """
    shuffled = [chance_of_dealt(rows.by, decided, rows.truth, rows.values, rows.sample) for decided in rows.decided]
    return shuffled, [own if fitted else by_chance for own, fitted in zip(shuffled, rows.fitted, strict=True)]


def _placed(
    inside: tuple[Entrant, ...], rows: Rows, asked: Tested, reached: _Reached, by_chance: float, silent: frozenset[int]
) -> tuple[Placed, ...]:
    """From the best to the worst; of equals, the run made first. Those of `silent` are nearest in any case."""
    shuffled, chances_of = _chances(rows, by_chance)
    models = [place for place, one in enumerate(inside) if not one.is_baseline]
    among, level, places, best = _ranked(rows, reached, models)
    nearest = [place for place in models if among[place] > LEVEL or inside[place].run in silent]
    places |= {place: (1, places[place][1]) for place in nearest}
    of_nearest = reached.runs[nearest], reached.drawn[:, nearest]
    times = at_once(*of_nearest) / Z
    ahead = lead(*of_nearest, _how(rows), n=rows.items) if len(nearest) == 2 and _can_be_told(rows) else None
    found = [
        Placed(
            run=one.run,
            name=one.title,
            is_baseline=one.is_baseline,
            model=one.model,
            how=one.how,
            value=_value(rows, reached, place),
            joint=_value(rows, reached, place, times=times if place in nearest else 1.0),
            rank=places.get(place),
            best=best.get(place),
            over_chance=asked.over_chance[place],
            over_dealt=asked.over_dealt[place],
            under_chance=asked.under_chance[place],
            chance=chances_of[place],
            under_constant=asked.under_constant[place] if asked.under_constant else None,
            nearest=place in nearest,
            level=bool(level[place] > LEVEL),
            beside=reached.beside.runs[place],
            shuffled=shuffled[place],
            ahead=ahead if place in nearest else None,
        )
        for place, one in enumerate(inside)
    ]
    return _from_best(found, reached.runs)


def _from_best(found: list[Placed], values: Floats) -> tuple[Placed, ...]:
    """Of equals, the run made first."""
    by_value = sorted(zip(values, found, strict=True), key=lambda pair: (-pair[0], pair[1].run))
    return tuple(one for _, one in by_value)


def _nearest_of_all(evidence: Evidence, chosen: Field, truth: Ints) -> frozenset[int]:
    """The models that may be nearest where an item without a label of a model counts as wrong, as far off as can be.

    So that a model is not nearest alone for saying nothing of what it does not know. None where nothing is left out.
    """
    known, values = truth != MISSING, evidence.values
    models = [one for one in chosen.inside if not one.is_baseline]
    if len(models) < 2 or not any((one.decided[known] == MISSING).any() for one in models):
        return frozenset()
    furthest = np.where(2 * truth < values - 1, values - 1, 0)
    filled = tuple(replace(one, decided=np.where(one.decided == MISSING, furthest, one.decided)) for one in models)
    rows = _rows(evidence, replace(chosen, inside=filled), truth, known)
    each = _measured(rows)
    if not _can_be_told(rows):
        return frozenset(one.run for one in models)
    p = confidence_set(each[0], each[1:], _how(rows))
    return frozenset(one.run for one, own in zip(models, p, strict=True) if own > LEVEL)


def _ranked(
    rows: Rows, reached: _Reached, models: list[int]
) -> tuple[dict[int, float], Floats, dict[int, tuple[int, int]], dict[int, float]]:
    """Each model's p of being among the best models, each run's among all, and models' ranks and probabilities."""
    if not _can_be_told(rows):
        # Nothing is known of how far another group would differ.
        return dict.fromkeys(models, 1.0), np.ones(len(reached.runs)), dict.fromkeys(models, (1, len(models))), {}
    values, drawn, how = reached.runs[models], reached.drawn[:, models], _how(rows)
    best = chances(drawn) if models else np.zeros(0)
    return (
        dict(zip(models, confidence_set(values, drawn, how).tolist(), strict=True)),
        confidence_set(reached.runs, reached.drawn, how),
        dict(zip(models, ranks(values, drawn, how), strict=True)),
        dict(zip(models, best.tolist(), strict=True)),
    )


def _can_be_told(rows: Rows) -> bool:
    """Whether there is enough to tell one run from another."""
    return rows.units >= (FEWEST_GROUPS if rows.is_grouped else 2)


def _how(rows: Rows) -> DrawnSums:
    clusters = rows.sample.clusters
    return DrawnSums(
        step=0.0 if rows.by.key == KAPPA else 1 / rows.items,
        groups=0.0 if clusters is None else worth_of_groups(clusters),
        share_in=rows.share_in,
    )


def _value(rows: Rows, reached: _Reached, place: int, *, times: float = 1.0) -> Estimate:
    """By accuracy with Wilson's interval, as everywhere; of so many `times` as many standard errors."""
    if rows.by.key == ACCURACY:
        return accuracy(rows.decided[place], rows.truth, sample=rows.sample, times=times).accuracy
    value, drawn = rows.by.sign * reached.runs[place], rows.by.sign * reached.drawn[:, place]
    return rows.by.widened(rows.interval(float(value), drawn), times, rows.values)


def _settling(found: Runs, rows: Rows, reached: _Reached, order: list[int]) -> Settling:
    """What is open first: chance, the models among one another, one person; nothing while labels come in."""
    models = found.models
    if not models or rows.items < FEWEST or rows.share_in < 1:
        return NOTHING_OPEN
    if not any(one.is_told for one in models):
        return _until_told(min(models, key=lambda one: one.over_dealt), found, rows)
    at = {run: place for place, run in enumerate(order)}
    among = [at[one.run] for one in models if one.nearest]
    top = at[models[0].run]
    if len(among) > 1:
        if not _can_be_told(rows):
            return NOTHING_OPEN
        lead = float(reached.runs[top] - reached.runs[among[1]])
        needed = items_to_single_out(reached.runs[among], reached.drawn[:, among], rows.items, _how(rows))
        is_open = needed is not None or lead < 1e-12
        return Settling(what="models", difference=lead, items=needed) if is_open else NOTHING_OPEN
    beside = models[0].beside
    if beside.low is not None and beside.high is not None and beside.low <= 0 <= beside.high:
        return _open_beside(beside.value or 0.0, *reached.beside.spread[top])
    return NOTHING_OPEN


def _until_told(one: Placed, found: Runs, rows: Rows) -> Settling:
    """Of the model that is told soonest; nothing where as many coins would do as well."""
    if one.over_dealt > LUCK:
        return NOTHING_OPEN
    tests = len(found.placed)
    needed = items_to_show(one.over_dealt / tests, rows.items, tests=tests)
    lead = rows.by.sign * ((one.value.value or 0.0) - one.chance)
    return Settling(what="favoring" if one.beats_chance else "chance", difference=lead, items=needed, name=one.name)


def _open_beside(gap: float, variance: float, of_people: float) -> Settling:
    """More items make up for what people differ by only where the gap is larger than that."""
    left = gap**2 - POWERED * of_people
    needed = items_needed(float(np.copysign(left**0.5, gap)), variance) if left > 1e-12 else None
    return Settling(what="person", difference=gap, items=needed)
