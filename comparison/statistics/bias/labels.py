"""Whether a run gives a label more often, or less often, than it is true of the same items.

Each label by itself: the items that a run alone gives it to against those that it alone leaves it off, by McNemar's
exact test (1947), which for one label against all others tests that the two margins of the table are the same
(marginal homogeneity: Stuart 1955; Maxwell 1970). A run may be wrong as often as it likes: as long as its mistakes go
both ways, it favors no label.
"""

from dataclasses import dataclass

import numpy as np

from comparison.statistics.between_runs.difference import difference
from comparison.statistics.between_runs.mcnemar import paired
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

SAME_ITEMS = "the run gives it to the very items of which it is true"


@dataclass(frozen=True, slots=True)
class LabelBias:
    """`given` and `true` are shares of the items that have both; `difference` is the first less the second.

    `p` is two-sided, or `undefined` says why there is none.
    """

    code: int
    given: float
    true: float
    difference: Estimate
    p: float | None
    undefined: str = ""


def label_biases(decided: Ints, truth: Ints, *, values: int, sample: Sample = ITEMS) -> tuple[LabelBias, ...]:
    """One for each label that is given or true, from codes of shape (items,).

    Of a scale of two labels one is told: what one gains the other loses.

    Five of ten items are truly the first label, and the run gives it to all of them:

    >>> truth = np.array([0, 1] * 5)
    >>> [(one.code, one.given, one.true, one.p) for one in label_biases(np.zeros(10, dtype=int), truth, values=2)]
    [(0, 1.0, 0.5, 0.0625)]
    """
    both = (decided != MISSING) & (truth != MISSING)
    n = sample.size(both)
    if not n:
        return ()
    given, true = ([sample.size(both & (codes == one)) for one in range(values)] for codes in (decided, truth))
    used = [code for code in range(values) if given[code] or true[code]]
    told = used if values > 2 else [int(given[1] > true[1])]
    return tuple(
        _one(code, given[code] / n, true[code] / n, decided[both], truth[both], sample.where(both)) for code in told
    )


def _one(code: int, given: float, true: float, decided: Ints, truth: Ints, sample: Sample) -> LabelBias:
    """Giving the label and its being true are two runs that are right where they say yes."""
    run, label, yes = (decided == code).astype(np.int64), (truth == code).astype(np.int64), np.ones_like(truth)
    test = paired(run, label, yes, sample=sample)
    undefined = SAME_ITEMS if test.p is None else ""
    return LabelBias(code, given, true, difference(run, label, yes, sample=sample), test.p, undefined)
