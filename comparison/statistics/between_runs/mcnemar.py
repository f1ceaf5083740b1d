"""Whether one run is right more often than another on the same items (McNemar 1947, in its exact form).

Items that both have right, or both wrong, say nothing about which is better. Of the others, each run would have half
if they were equally good, so the count is held against the binomial distribution. Where items hang together in
clusters, the two runs may change places in a whole cluster and not item by item: each cluster's lead counts with
either sign alike, and the sum is held against all such choices, exactly too (a permutation test, Fisher 1935, section
21, of what Obuchowski 1998 does for many clusters). With clusters of one item the two are the same.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from comparison.statistics.chance.signs import at_least
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import plain
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums

NOTHING_SHARED = "no item is labeled by both and has a label to compare with"
NEVER_APART = "the two are right and wrong on the same items"
BY_GROUPS = ", by groups of items (permutation of whole groups)"
EVEN_GROUPS = "in every group of items, each of the two is right alone equally often"


def p_in_words(p: float, *, least: float = 0.0) -> str:
    """`p = .031` or `p < .001`. A test that counts exchanges has a `least` p: a p as small is counted, and said so.

    >>> p_in_words(0.0312), p_in_words(0.0001), p_in_words(0.0005, least=0.0005)
    ('p = .031', 'p < .001', 'p = .0005')
    """
    if least and p < 0.001:
        return f"p = {plain(max(p, least), decimals=4)}"
    return "p < .001" if p < 0.001 else f"p = {plain(p, decimals=3)}"


@dataclass(frozen=True, slots=True)
class Paired:
    """Items by who is right. `p` is two-sided, or `undefined` says why there is none."""

    both: int
    only_one: int
    only_other: int
    neither: int
    p: float | None
    undefined: str = ""
    by_groups: bool = False

    @property
    def test(self) -> str:
        """What was computed: where items have groups, the form that exchanges the two runs in whole groups."""
        return f"McNemar’s exact test{BY_GROUPS if self.by_groups else ''}"

    @property
    def n(self) -> int:
        return self.both + self.only_one + self.only_other + self.neither

    @property
    def discordant(self) -> int:
        return self.only_one + self.only_other

    @property
    def p_words(self) -> str:
        """`p = .031`, `p < .001`, or why there is none."""
        return f"undefined, because {self.undefined}" if self.p is None else p_in_words(self.p)


def paired(one: Ints, other: Ints, truth: Ints, *, sample: Sample = ITEMS) -> Paired:
    """Two runs' decisions and what is true, as codes of shape (items,). Items that miss one are left out.

    >>> truth = np.zeros(6, dtype=int)
    >>> paired(truth, np.array([0, 1, 1, 1, 1, 1]), truth).p_words
    'p = .063'

    The same five items, of two groups:

    >>> paired(truth, np.array([0, 1, 1, 1, 1, 1]), truth, sample=Sample(clusters=np.array([0, 0, 0, 1, 1, 1]))).p
    0.5
    """
    shared = (one != MISSING) & (other != MISSING) & (truth != MISSING)
    first, second = shared & (one == truth), shared & (other == truth)
    both, only_one, only_other = (sample.size(rows) for rows in (first & second, first & ~second, ~first & second))
    neither = sample.size(shared) - both - only_one - only_other
    p, undefined = None, ""
    if not sample.size(shared):
        undefined = NOTHING_SHARED
    elif not only_one + only_other:
        undefined = NEVER_APART
    elif sample.clusters is None:
        p = float(binomtest(min(only_one, only_other), only_one + only_other).pvalue)
    else:
        lead = (first.astype(np.float64) - second)[shared, None]
        leads = np.rint(cluster_sums(lead, sample.clusters[shared])[:, 0]).astype(np.int64)
        ahead = leads if only_one > only_other else -leads
        p = min(1.0, 2 * at_least(ahead)) if leads.any() else None
        undefined = "" if leads.any() else EVEN_GROUPS
    return Paired(both, only_one, only_other, neither, p, undefined, sample.clusters is not None)
