"""May a model take an annotator's place? The alternative annotator test, for one model.

Calderon, Reichart and Dror (2025, "The Alternative Annotator Test for LLM-as-a-Judge", ACL, sections 3 and 4). A
person's label and the model's are both scored against what the other people said of the item; a tie is an advantage of
both. Each person is left out in turn. On the items of that person, ρ^f is how often the model is at least as near to
the other people as the person, ρ^h how often the person is at least as near as the model. The model wins where ρ^f >
ρ^h − ε, shown by a one-sided paired t-test (Wilcoxon's where `fewest` lets in people with fewer than 30 items, as no
page does), with the false discovery rate over people held by Benjamini and Yekutieli (2001). ω is the share of people
it wins against; from one half on it may take an annotator's place. ρ, the mean of ρ^f over people, is what models are
compared by.

ε is what people cost more: the authors' rule of thumb is .2 for experts, .15 for trained people, .1 for crowd workers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy as sp
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.resampling.bootstrap import MEANINGFUL_WIDTH
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums
from corpus.errors import counted

Truths = NDArray[np.bool_]

# What a label is scored by, against the others' labels: the share that is the same, or the root of the mean squared
# distance, less being better.
ACCURACY, RMSE = "accuracy", "rmse"
# Distances nearer than this part of themselves are a tie: they are differences of sums in floating point.
TIE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Nearness:
    """One row a label that can be scored: its item, its person, and whether model and person are at least as near."""

    items: Ints
    raters: Ints
    model: Truths
    person: Truths


def nearness(items: Ints, raters: Ints, labels: Floats | Ints, decided: Floats | Ints, *, scoring: str) -> Nearness:
    """Labels one by one (item, person, label), and what the model `decided` of each item, shape (items,).

    Labels are codes, MISSING where there is none; for `RMSE` also numbers, NaN where there is none. Items that the
    model left open, or that nobody else has labeled, take no part.

    Three say 0 of the item and one says 1, as does the model: it is as near to the others as the fourth.

    >>> found = nearness(np.zeros(4, int), np.arange(4), np.array([0, 0, 0, 1]), np.array([1]), scoring=ACCURACY)
    >>> found.model.tolist(), found.person.tolist()
    ([False, False, False, True], [True, True, True, True])
    """
    both = _known(labels) & _known(decided)[items]
    items, raters, labels = items[both], raters[both], labels[both]
    others = np.bincount(items, minlength=len(decided))[items] - 1
    shared = others > 0
    items, raters, labels, others = items[shared], raters[shared], labels[shared], others[shared]
    score = {ACCURACY: _same, RMSE: _squares}[scoring]
    model, person = score(items, labels, decided[items], others)
    return Nearness(items, raters, model <= person, person <= model)


def _known(values: Floats | Ints) -> Truths:
    return np.asarray(values != MISSING if values.dtype.kind in "iu" else np.isfinite(values))


def _same(items: Ints, labels: Floats | Ints, decided: Floats | Ints, others: Ints) -> tuple[Floats, Floats]:
    """How many of the others do not say what the model says, and what the person says: whole numbers."""
    _, code = np.unique(np.concatenate([labels, decided]), return_inverse=True)
    values = int(code.max(initial=0)) + 1
    label, model = code[: len(labels)], code[len(labels) :]
    cells = np.bincount(items * values + label, minlength=(int(items.max(initial=0)) + 1) * values)
    of_model = cells[items * values + model] - (label == model)
    of_person = cells[items * values + label] - 1
    return (others - of_model).astype(np.float64), (others - of_person).astype(np.float64)


def _squares(items: Ints, labels: Floats | Ints, decided: Floats | Ints, others: Ints) -> tuple[Floats, Floats]:
    """The squared distances of model and person to the others, summed: the root and the number change no order."""
    middle = labels.mean() if len(labels) else 0.0
    # Whole degrees stay whole, so that their ties are exact.
    middle = np.rint(middle) if labels.dtype.kind in "iu" else middle
    label, model = labels - middle, decided - middle
    sums = np.bincount(items, weights=label)[items] - label
    squares = np.bincount(items, weights=label**2)[items] - label**2
    of_model = others * model**2 - 2 * model * sums + squares
    of_person = others * label**2 - 2 * label * sums + squares
    near = np.abs(of_model - of_person) <= TIE * np.maximum(np.abs(of_model), np.abs(of_person))
    return of_model, np.where(near, of_model, of_person)


COSTS = {0.1: "crowd workers", 0.15: "trained people", 0.2: "experts"}
RATE = 0.05
HALF = 0.5
# Below this many items a mean of signs is not near enough to normal for Student's t.
NORMAL = 30
FEWEST_ITEMS, FEWEST_PEOPLE = 30, 3


@dataclass(frozen=True, slots=True)
class Rival:
    """One person against the model, over `n` items. `p` is one-sided and `adjusted` over people."""

    rater: str
    n: int
    model: float
    person: float
    p: float
    adjusted: float
    test: str

    @property
    def is_beaten(self) -> bool:
        return self.adjusted <= RATE

    @property
    def model_words(self) -> str:
        return plain(self.model, decimals=2)

    @property
    def person_words(self) -> str:
        return plain(self.person, decimals=2)

    @property
    def words(self) -> str:
        """`the model wins, p < .001 (t)`: of the adjusted p."""
        p = "p < .001" if self.adjusted < 0.001 else f"p = {plain(self.adjusted, decimals=3)}"
        return f"{'the model wins' if self.is_beaten else 'not shown'}, {p} ({self.test})"


@dataclass(frozen=True, slots=True)
class Replacing:
    """What the test finds. `left_out` are people with too few items; `undefined` says why there is no ω."""

    cost: float
    rivals: tuple[Rival, ...]
    left_out: int
    advantage: Estimate
    undefined: str = ""

    @property
    def beaten(self) -> int:
        return sum(rival.is_beaten for rival in self.rivals)

    @property
    def winning_rate(self) -> float | None:
        return None if self.undefined else self.beaten / len(self.rivals)

    @property
    def may_replace(self) -> bool:
        return self.winning_rate is not None and self.winning_rate >= HALF

    @property
    def rate_words(self) -> str:
        """ω with what it rests on: `.67, 2 of 3 people`."""
        if self.winning_rate is None:
            return f"undefined: {self.undefined}"
        return f"{plain(self.winning_rate, decimals=2)}, {self.beaten:,} of {len(self.rivals):,}"


def replacing(
    near: Nearness,
    names: Sequence[str],
    *,
    costs: Sequence[float],
    fewest: int = FEWEST_ITEMS,
    sample: Sample = ITEMS,
) -> tuple[Replacing, ...]:
    """The test for each cost over the people of `names`, whose places are `near.raters`. `sample` is of the items,
    one by one.

    People with fewer than `fewest` items take no part, as in the authors' program. Where items hang together in
    clusters, so do the differences: the test's error is that of whole clusters (Cameron and Miller 2015, section II).

    >>> items, raters = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    >>> labels = np.where(raters == 2, 1 - items % 2, items % 2)
    >>> near = nearness(items, raters, labels, np.arange(40) % 2, scoring="accuracy")
    >>> (found,) = replacing(near, "abc", costs=[0.1])
    >>> [(one.rater, one.model, one.person) for one in found.rivals]
    [('a', 1.0, 1.0), ('b', 1.0, 1.0), ('c', 1.0, 0.0)]
    >>> found.rate_words, found.may_replace
    ('1.00, 3 of 3', True)
    """
    tries = np.bincount(near.raters, minlength=len(names))
    taking = np.flatnonzero(tries >= max(fewest, 2))
    left_out = int(((tries > 0) & (tries < max(fewest, 2))).sum())
    reason = _too_few(tries, taking, fewest)
    if not len(taking):
        nothing = Estimate.none(reason, unit="labels")
        return tuple(Replacing(cost, (), left_out, nothing, reason) for cost in costs)
    place = np.full(len(names), -1)
    place[taking] = np.arange(len(taking))
    included = place[near.raters] >= 0
    of_these = Nearness(near.items[included], place[near.raters[included]], near.model[included], near.person[included])
    advantage = _advantage(of_these, len(taking), sample)
    people = _people(of_these, [names[rater] for rater in taking.tolist()], sample)
    return tuple(Replacing(cost, _rivals(people, cost), left_out, advantage, reason) for cost in costs)


def _too_few(tries: Ints, taking: Ints, fewest: int) -> str:
    if len(taking) >= FEWEST_PEOPLE:
        return ""
    shared = int((tries > 0).sum())
    if shared < FEWEST_PEOPLE:
        who = ("no annotator shares", "1 annotator shares", "2 annotators share")[shared]
        return f"{who} items with others and the model; the test needs {FEWEST_PEOPLE}"
    who = ("none", "1", "2")[len(taking)]
    shares = "share" if len(taking) == 2 else "shares"
    return (
        f"{who} of {shared:,} annotators {shares} {fewest} items with others and the model; "
        f"the test needs {FEWEST_PEOPLE} (largest number of items: {int(tries.max()):,})"
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Person:
    """One person's labels: what the test takes of them, whatever the cost."""

    name: str
    model: float
    person: float
    differences: Floats
    clusters: Ints | None


def _people(near: Nearness, names: Sequence[str], sample: Sample) -> list[_Person]:
    order = np.argsort(near.raters, kind="stable")
    ends = np.cumsum(np.bincount(near.raters, minlength=len(names)))[:-1]
    differences = near.person.astype(np.float64) - near.model
    return [
        _Person(
            name=name,
            model=float(near.model[own].mean()),
            person=float(near.person[own].mean()),
            differences=differences[own],
            clusters=None if sample.clusters is None else sample.clusters[near.items[own]],
        )
        for name, own in zip(names, np.split(order, ends), strict=True)
    ]


def _rivals(people: Sequence[_Person], cost: float) -> tuple[Rival, ...]:
    # Here and not above: it brings pandas, which a web process that computes nothing does without.
    from statsmodels.stats.multitest import multipletests

    tests = [_test(one.differences - cost, one.clusters) for one in people]
    adjusted = multipletests([p for p, _ in tests], alpha=RATE, method="fdr_by")[1]
    return tuple(
        Rival(
            rater=one.name,
            n=len(one.differences),
            model=one.model,
            person=one.person,
            p=p,
            adjusted=float(corrected),
            test=test,
        )
        for one, (p, test), corrected in zip(people, tests, adjusted, strict=True)
    )


def _test(shifted: Floats, clusters: Ints | None) -> tuple[float, str]:
    """How probable a mean as low as this is where the true one is 0 or more, and by which test."""
    n = len(shifted)
    if clusters is not None and len(np.unique(clusters)) < n:
        residuals = cluster_sums((shifted - shifted.mean())[:, None], clusters)[:, 0]
        return _student(shifted.mean(), residuals, n), "t, groups together"
    if n < NORMAL:
        # Differences of nothing but −ε, or of mixed signs: never 0, so that Wilcoxon drops none.
        return float(sp.stats.wilcoxon(shifted, alternative="less").pvalue), "Wilcoxon"
    return _student(shifted.mean(), shifted - shifted.mean(), n), "t"


def _student(mean: float, residuals: Floats, n: int) -> float:
    """Student's t from what each unit drawn adds to the sum of residuals."""
    units = len(residuals)
    if units < 2:
        return 1.0
    error = float(np.sqrt(units / (units - 1) * (residuals**2).sum())) / n
    if error <= 0:
        return 0.0 if mean < 0 else 1.0
    return float(tails.of_t(-(mean / error), units - 1))


def _advantage(near: Nearness, people: int, sample: Sample) -> Estimate:
    """ρ, with an interval from what each item, or cluster of items, adds to it to first order (the infinitesimal
    jackknife; Efron and Tibshirani 1993, chapter 22): it costs the same with any number of people.
    """
    tries = np.bincount(near.raters, minlength=people)
    shares = np.bincount(near.raters, weights=near.model, minlength=people) / tries
    adds = (near.model - shares[near.raters]) / tries[near.raters] / people
    items = np.unique(near.items)
    units = near.items if sample.clusters is None else sample.clusters[near.items]
    value, influence = float(shares.mean()), cluster_sums(adds[:, None], units)[:, 0]
    n, note, groups = len(near.items), f"labels on {counted(len(items), 'item')}", len(influence)
    error = float(np.sqrt(groups / max(groups - 1, 1) * (influence**2).sum()))
    if groups < 2 or error < MEANINGFUL_WIDTH:
        reason = "there is only one item" if groups < 2 else "every item contributes equally"
        return Estimate(value, n=n, no_interval=reason, note=note, unit="labels")
    reach = float(tails.t_of(RATE / 2, groups - 1)) * error
    return Estimate(value, max(0.0, value - reach), min(1.0, value + reach), n=n, note=note, unit="labels")
