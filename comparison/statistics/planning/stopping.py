"""May collecting stop? Intervals and evidence that hold however often one looks. And where does one label tell most?

A confidence sequence (Robbins 1970, Annals of Mathematical Statistics 41: 1397–1409; Howard, Ramdas, McAuliffe and
Sekhon 2021, Annals of Statistics 49: 1055–1080): with all looks taken together, the chance that it ever misses is at
most 5 %, by Ville's inequality. For right and wrong it is exact with a Beta mixture (Lindon and Malek 2022,
"Anytime-valid inference for multinomial count data", NeurIPS): no schedule of looks is fixed beforehand and none is
written down. The price is an interval that is wider, by half as much again or more, than one that is looked at once.

An item counts once all its labels are in; a majority that may still change would count twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy as sp

from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, plain

ERROR = 0.05
NOTHING_YET = "no complete item has an answer of the run"
NEVER_APART = "both runs are right on the same items so far"


@dataclass(frozen=True, slots=True)
class AnytimeTest:
    """Two runs on the finished items. `evidence` is an e-value: 20 or more, at any look, tells them apart at 5 %.

    Where the two were chosen by looking, out of so many `pairs`, it takes so many times 20 (Bonferroni).
    """

    only_one: int
    only_other: int
    evidence: float | None
    pairs: int = 1
    undefined: str = ""

    @property
    def apart(self) -> bool:
        return self.evidence is not None and self.evidence >= self.pairs / ERROR

    @property
    def p_words(self) -> str:
        """The p that holds at every look: one over the evidence, times the pairs."""
        if self.evidence is None:
            return f"undefined: {self.undefined}"
        p = min(1.0, self.pairs / self.evidence)
        return "p < .001" if p < 0.001 else f"p = {plain(p, decimals=3)}"


def always_valid(correct: int, compared: int, *, error: float = ERROR) -> Estimate:
    """A share with an interval that holds at every look: the p whose likelihood is at least `error` of the mixture's.

    >>> always_valid(80, 100).short
    '.80 [.65, .91]'
    """
    if not compared:
        return Estimate.none(NOTHING_YET)
    wrong, value = compared - correct, correct / compared
    # The mixture over all p alike (Lindon and Malek, equation 3, with one of each).
    floor = float(sp.special.betaln(1 + correct, 1 + wrong)) + np.log(error)

    def above(p: float) -> float:
        return float(correct * np.log(p) + wrong * np.log1p(-p) - floor)

    tiny = 1e-12
    low = sp.optimize.brentq(above, tiny, value if wrong else 1 - tiny) if correct else 0.0
    high = sp.optimize.brentq(above, value if correct else tiny, 1 - tiny) if wrong else 1.0
    return Estimate(value, float(low), float(high), n=compared)


def anytime_comparison(
    one: Ints, other: Ints, truth: Ints, groups: Ints | None = None, *, pairs: int = 1
) -> AnytimeTest:
    """Two runs' decisions on finished items, and what is true; items that miss one are left out.

    Of the items on which one alone is right each would have half, were they equally good. Groups count once, for the
    run that is right on more of their items.

    >>> truth = np.zeros(12, dtype=int)
    >>> found = anytime_comparison(truth, np.ones(12, dtype=int), truth)
    >>> found.only_one, found.apart, found.p_words
    (12, True, 'p = .003')
    """
    shared = (one != MISSING) & (other != MISSING) & (truth != MISSING)
    lead = (one == truth).astype(np.int64) - (other == truth).astype(np.int64)
    if groups is not None:
        places = np.unique(groups[shared], return_inverse=True)[1]
        sums = np.bincount(places, weights=lead[shared].astype(np.float64))
    else:
        sums = lead[shared].astype(np.float64)
    for_one, for_other = int((sums > 0).sum()), int((sums < 0).sum())
    if not len(sums):
        return AnytimeTest(0, 0, None, undefined=NOTHING_YET)
    if not for_one + for_other:
        return AnytimeTest(0, 0, None, undefined=NEVER_APART)
    log = float(sp.special.betaln(1 + for_one, 1 + for_other)) + (for_one + for_other) * np.log(2)
    return AnytimeTest(for_one, for_other, float(np.exp(min(log, 700.0))), pairs)


# Until there are labels on two items, what one item may differ from another: as if people said yes and no alike.
UNKNOWN = 0.25


def narrowing(counts: Ints, decided: Sequence[Ints]) -> Floats:
    """How much one more label on each item takes off, shape (items,), mean over the runs; the highest comes next.

    The interval is that of the mean, over items, of the share of people who say what the run says. Its variance is that
    between items plus each item's own p(1 − p)/k from k labels, over n² (two-stage sampling: Cochran 1977, *Sampling
    Techniques*, chapter 10). So one more label takes p(1 − p)/(k(k + 1)) off an item that has labels, and the whole
    variance of one item off where there is none yet.

    Labels are of shape (items, values), each run's decisions of shape (items,). An item that no run decides has 0.
    In units of one item's variance; only the order matters.

    Nothing said, one person said it, two disagree, three agree:

    >>> counts = np.array([[0, 0], [1, 0], [1, 1], [3, 0]])
    >>> narrowing(counts, [np.zeros(4, dtype=int)]).round(3).tolist()
    [0.083, 0.025, 0.03, 0.003]
    """
    gains = [_of_run(counts, own) for own in decided]
    return np.mean(gains, axis=0) if gains else np.zeros(len(counts))


def _of_run(counts: Ints, decided: Ints) -> Floats:
    given = counts.sum(axis=1)
    here = decided != MISSING
    agreeing = np.where(here, counts[np.arange(len(counts)), np.where(here, decided, 0)], 0)
    known = here & (given > 0)
    shares = agreeing[known] / given[known]
    between = float(shares.var(ddof=1)) if len(shares) > 1 else UNKNOWN
    # Where all said the same so far, one more label may still be another.
    usual = float(shares.mean()) if 0 < shares.sum() < len(shares) else 0.5
    # The expected p(1 − p) where one more label, of the usual sort, is added to what was said.
    yes, no = agreeing + usual, given - agreeing + 1 - usual
    divided = yes * no / ((yes + no) * (yes + no + 1))
    further = np.divide(divided, given * (given + 1), out=np.zeros(len(given)), where=given > 0)
    fresh = max(between, float(further[known].max(initial=0.0)))
    return np.where(here, np.where(given > 0, further, fresh), 0.0)


def narrowing_of_means(counts: Ints) -> Floats:
    """How much one more label on each item takes off where labels are ratings, shape (items,); the highest comes next.

    The variance of the mean rating over items is that between items plus each item's own s²/k. So one more label takes
    s²/(k(k + 1)) off: the items come first whose mean has the largest standard error for its number of labels. The s²
    of a few labels is drawn toward that of all items, as by one more label.

    Nothing said, one label, two apart by six steps, two alike:

    >>> counts = np.array([[0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 1], [0, 0, 0, 2, 0, 0, 0]])
    >>> narrowing_of_means(counts).round(3).tolist()
    [4.5, 4.5, 2.25, 0.75]
    """
    given = counts.sum(axis=1)
    known = given > 0
    if not known.any():
        return np.full(len(counts), UNKNOWN)
    steps = np.arange(counts.shape[1])
    means = np.divide(counts @ steps, given, out=np.zeros(len(counts)), where=known)
    squares = (counts * (steps - means[:, None]) ** 2).sum(axis=1)
    free = int((given[known] - 1).sum())
    between = float(means[known].var(ddof=1)) if known.sum() > 1 else UNKNOWN
    usual = (float(squares.sum()) / free if free else between) or UNKNOWN
    further = np.divide(squares + usual, given**2 * (given + 1), out=np.zeros(len(counts)), where=known)
    return np.where(known, further, max(between, float(further.max())))
