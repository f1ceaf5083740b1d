"""Whether one run is right more often than another on the same items (McNemar 1947, in its exact form).

Items that both have right, or both wrong, say nothing about which is better. Of the others, each run would have half
if they were equally good, so the count is held against the binomial distribution.
"""

from dataclasses import dataclass

from statsmodels.stats.contingency_tables import mcnemar

from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import plain

NOTHING_SHARED = "no item is labeled by both and has a label to compare with"
NEVER_APART = "the two are right and wrong on the same items"


@dataclass(frozen=True, slots=True)
class Paired:
    """Items by who is right. `p` is two-sided, or `undefined` says why there is none."""

    both: int
    only_one: int
    only_other: int
    neither: int
    p: float | None
    undefined: str = ""

    @property
    def n(self) -> int:
        return self.both + self.only_one + self.only_other + self.neither

    @property
    def discordant(self) -> int:
        return self.only_one + self.only_other

    @property
    def p_words(self) -> str:
        """`p = .031`, `p < .001`, or why there is none."""
        if self.p is None:
            return f"undefined, because {self.undefined}"
        return "p < .001" if self.p < 0.001 else f"p = {plain(self.p, decimals=3)}"


def paired(one: Ints, other: Ints, truth: Ints) -> Paired:
    """Two runs' decisions and what is true, as codes of shape (items,). Items that miss one are left out.

    >>> truth = np.zeros(6, dtype=int)
    >>> paired(truth, np.array([0, 1, 1, 1, 1, 1]), truth).p_words
    'p = .063'
    """
    shared = (one != MISSING) & (other != MISSING) & (truth != MISSING)
    first, second = one[shared] == truth[shared], other[shared] == truth[shared]
    both, only_one, only_other, neither = (
        int(count.sum()) for count in (first & second, first & ~second, ~first & second, ~first & ~second)
    )
    p, undefined = None, ""
    if not shared.any():
        undefined = NOTHING_SHARED
    elif not only_one + only_other:
        undefined = NEVER_APART
    else:
        p = min(1.0, float(mcnemar([[both, only_one], [only_other, neither]], exact=True).pvalue))
    return Paired(both, only_one, only_other, neither, p, undefined)
