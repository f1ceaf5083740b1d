"""Whether one run is right more often than another on the same items (McNemar 1947, in its exact form).

Items that both have right, or both wrong, say nothing about which is better. Of the others, each run would have half
if they were equally good, so the count is compared with the binomial distribution. Where items hang together in
clusters, the two runs may change places in a whole cluster and not item by item: each cluster's lead counts with
either sign alike, and the sum is compared with all such choices, exactly too (a permutation test, Fisher 1935, section
21, of what Obuchowski 1998 does for many clusters). With clusters of one item the two are the same.

How much more often one run is right than another, on the items that both label.

The difference of two shares on the same items, with an interval by drawing items anew, both runs' answers together
(the paired bootstrap: Efron and Tibshirani 1993, section 16.4; Berg-Kirkpatrick, Burkett and Klein 2012 on its use
for language models). Two intervals that overlap say nothing of the difference: this one does.

McNemar's test of every two runs, with p held down for as many looks (Holm 1979, Scand. J. Statist. 6: 65–70).

Of forty-five pairs of ten equally good runs, two differ by chance at p < .05. Holm's correction keeps the probability
of naming even one such pair below the level, whatever the pairs have to do with one another.

How often two runs give the same label to the same item, and how far beyond chance: the matrix of runs.

Percent and Cohen's κ (1960) on the items that both label. No truth is in it: two runs can be equally often right, and
agree no more than chance would have it, or make the same mistakes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import scipy as sp

from comparison.statistics.accuracy.hits import NOTHING_SHARED as NO_DECISION_AND_LABEL
from comparison.statistics.accuracy.hits import Hits, accuracy, kappa
from comparison.statistics.chance import at_least, holm
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.resampling.bootstrap import mean
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums

NOTHING_SHARED = "no item with a target is labeled by both runs"
NEVER_APART = "both runs are right on the same items"
BY_GROUPS = ", by groups of items (permutation of whole groups)"
EVEN_GROUPS = "in every group of items, each run is right alone equally often"


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
        return f"undefined: {self.undefined}" if self.p is None else p_in_words(self.p)


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
        p = float(sp.stats.binomtest(min(only_one, only_other), only_one + only_other).pvalue)
    else:
        lead = (first.astype(np.float64) - second)[shared, None]
        leads = np.rint(cluster_sums(lead, sample.clusters[shared])[:, 0]).astype(np.int64)
        ahead = leads if only_one > only_other else -leads
        p = min(1.0, 2 * at_least(ahead)) if leads.any() else None
        undefined = "" if leads.any() else EVEN_GROUPS
    return Paired(both, only_one, only_other, neither, p, undefined, sample.clusters is not None)


def difference(one: Ints, other: Ints, truth: Ints, *, sample: Sample = ITEMS) -> Estimate:
    """Accuracy of `one` less that of `other`, from -1 to 1, for codes of shape (items,); MISSING ones are left out.

    >>> truth = np.zeros(4, dtype=int)
    >>> difference(truth, np.array([0, 1, 1, MISSING]), truth).short
    '.7 [.0, 1.0]'
    """
    shared = (one != MISSING) & (other != MISSING) & (truth != MISSING)
    if not sample.size(shared):
        return Estimate.none(NOTHING_SHARED)
    leads = ((one == truth).astype(np.int64) - (other == truth))[shared]
    own = sample.where(shared)
    if own.clusters is not None:
        return mean(leads.astype(np.float64), sample=own)
    # A lead is -1, 0 or 1: however many items there are, they are three patterns.
    weights = np.bincount(leads + 1, weights=own.weights, minlength=3).astype(np.int64)
    return mean(np.array([-1.0, 0.0, 1.0]), sample=Sample(weights=weights))


NO_DECISIONS = "no item has answers from both runs"

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Alike:
    """Two runs by their keys."""

    one: str
    other: str
    same: Hits
    kappa: Estimate


def alike(runs: Mapping[str, Ints], *, values: int, sample: Sample = ITEMS) -> tuple[Alike, ...]:
    """Each run's decisions by its key, as codes of shape (items,); every two runs once.

    >>> found = alike({"a": np.array([0, 0, 1, 1]), "b": np.array([0, 0, 1, 0])}, values=2)
    >>> found[0].same.correct, found[0].same.compared, found[0].kappa.value
    (3, 4, 0.5)
    """
    return tuple(
        Alike(one, other, *_of_two(runs[one], runs[other], values, sample)) for one, other in combinations(runs, 2)
    )


def _of_two(one: Ints, other: Ints, values: int, sample: Sample) -> tuple[Hits, Estimate]:
    same = accuracy(one, other, sample=sample)
    beyond = kappa(one, other, values=values, sample=sample)
    return replace(same, accuracy=_in_words(same.accuracy)), _in_words(beyond)


def _in_words(estimate: Estimate) -> Estimate:
    """Neither of two runs is taken as true."""
    return replace(estimate, undefined=NO_DECISIONS) if estimate.undefined == NO_DECISION_AND_LABEL else estimate


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs by their keys. `held` is p after Holm over the `of` pairs that have one; None where there is no p."""

    one: str
    other: str
    paired: Paired
    held: float | None
    of: int

    @property
    def differ(self) -> bool:
        return self.held is not None and self.held < LEVEL

    @property
    def held_words(self) -> str:
        return "" if self.held is None else p_in_words(self.held)


def all_pairs(runs: Mapping[str, Ints], truth: Ints, *, sample: Sample = ITEMS) -> tuple[Pair, ...]:
    """Each run's decisions by its key, and what is true, as codes of shape (items,). A pair has the items both label.

    >>> truth = np.zeros(9, dtype=int)
    >>> found = all_pairs({"good": truth, "bad": truth + 1, "worse": truth + 1}, truth)
    >>> [(one.one, one.other, one.paired.p_words, one.held_words) for one in found[:2]]
    [('good', 'bad', 'p = .004', 'p = .008'), ('good', 'worse', 'p = .004', 'p = .008')]
    >>> found[2].paired.p_words
    'undefined: both runs are right on the same items'
    """
    tests = {(one, other): paired(runs[one], runs[other], truth, sample=sample) for one, other in combinations(runs, 2)}
    ps = {pair: test.p for pair, test in tests.items() if test.p is not None}
    held = dict(zip(ps, holm(ps.values()), strict=True))
    return tuple(Pair(*pair, test, held.get(pair), len(held)) for pair, test in tests.items())
