"""How far a coefficient would move with other annotators: intervals over annotators, and over both.

Intervals over items speak of other items labeled by the same people. Here annotators are left out one at a time, each
with all that they said; and for both at once the variances over items and over annotators are added, less that over
single labels, which is in both (two-way clustering: Cameron, Gelbach and Miller 2011, Journal of Business & Economic
Statistics 29: 238–249, equation 2.12).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy as sp

from comparison.statistics.agreement.coded_labels import CodedLabels, blocks, numbered, read_said, runs
from comparison.statistics.agreement.coefficient import NO_PAIRS, ONE_LABEL, Coefficient, distinct_rows
from comparison.statistics.counts import Floats, Ints, count
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.left_out import variance, with_t
from comparison.statistics.resampling.sample import ITEMS, Sample

# Fewer annotators say too little about other ones.
FEWEST = 5


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels one by one as patterns of items, and what leaving one label out changes.

    `parts` (patterns, m): what a pattern adds; `changes` (kinds, m): what it adds without one label, less that.
    `pattern` is that of each item, `kind` that of each label.
    """

    said: CodedLabels
    parts: Floats
    pattern: Ints
    changes: Floats
    kind: Ints
    pairable: int

    @property
    def sums(self) -> Floats:
        return np.asarray(np.bincount(self.pattern, minlength=len(self.parts)) @ self.parts)


def over_raters(coefficient: Coefficient, items: Ints, raters: Ints, labels: Ints, *, values: int) -> Estimate:
    """The coefficient of labels one by one (item, rater, code) with an interval over raters. n is items.

    >>> from comparison.statistics.agreement.from_counts import fleiss_form
    >>> rng = np.random.default_rng(1)
    >>> truth, items, raters = rng.integers(2, size=40), np.repeat(np.arange(40), 8), np.tile(np.arange(8), 40)
    >>> labels = np.where(rng.random(320) < 0.8, truth[items], 1 - truth[items])
    >>> found = over_raters(fleiss_form(2), items, raters, labels, values=2)
    >>> found.low < found.value < found.high, found.note
    (True, 'interval over 8 annotators')
    """
    found = _labels(coefficient, read_said(items, raters, labels), values)
    note = f"interval over {found.said.raters:,} annotators"
    return _estimate(coefficient, found, lambda sums: _leaving_raters(coefficient, found, sums), note=note)


def over_both(
    coefficient: Coefficient, items: Ints, raters: Ints, labels: Ints, *, values: int, sample: Sample = ITEMS
) -> Estimate:
    """The coefficient with an interval over items (or the clusters that `sample` names by the item's row) and raters.

    It speaks of other items labeled by other people.

    >>> from comparison.statistics.agreement.from_counts import fleiss_form
    >>> rng = np.random.default_rng(1)
    >>> items, raters = np.repeat(np.arange(40), 8), np.tile(np.arange(8), 40)
    >>> over_both(fleiss_form(2), items, raters, rng.integers(2, size=320), values=2).note
    'interval over 40 items and 8 annotators'
    """
    found = _labels(coefficient, read_said(items, raters, labels, sample=sample), values)

    def spread(sums: Floats) -> float:
        over, units = _leaving_raters(coefficient, found, sums), _leaving_items(coefficient, found, sums)
        return max(over + units - _leaving_both(coefficient, found, sums), over, units)

    units = "items" if sample.clusters is None else "groups of items"
    note = f"interval over {found.said.clusters:,} {units} and {found.said.raters:,} annotators"
    return _estimate(coefficient, found, spread, note=note)


def _estimate(coefficient: Coefficient, found: Labels, spread: Callable[[Floats], float], *, note: str) -> Estimate:
    if not found.pairable:
        return Estimate.none(NO_PAIRS)
    sums, raters = found.sums, found.said.raters
    value = coefficient.value(sums)
    if not np.isfinite(value):
        return Estimate.none(ONE_LABEL, n=found.pairable)
    if raters < FEWEST:
        return Estimate(value, n=found.pairable, no_interval=f"fewer than {FEWEST} annotators")
    if _has_repeats(found.said):
        return Estimate(value, n=found.pairable, no_interval="an annotator has labeled an item twice")
    units = min(raters, found.said.clusters)
    return with_t(value, spread(sums), units=units, n=found.pairable, called="annotators", note=note)


def _leaving_raters(coefficient: Coefficient, found: Labels, sums: Floats) -> float:
    own = _kinds(found.said.rater, found.kind, (found.said.raters, len(found.changes)))
    return variance(coefficient.of_sums(sums + own @ found.changes))


def _leaving_items(coefficient: Coefficient, found: Labels, sums: Floats) -> float:
    if found.said.clusters == found.said.items:
        return variance(coefficient.of_sums(sums - found.parts), np.bincount(found.pattern))
    own = _kinds(found.said.groups, found.pattern, (found.said.clusters, len(found.parts)))
    return variance(coefficient.of_sums(sums - own @ found.parts))


def _leaving_both(coefficient: Coefficient, found: Labels, sums: Floats) -> float:
    """Over single labels or, where items hang together, over what one rater said of one group."""
    said = found.said
    if said.clusters == said.items:
        kinds = np.bincount(found.kind, minlength=len(found.changes))
        return variance(coefficient.of_sums(sums + found.changes), kinds)
    keys = said.groups[said.item] * said.raters + said.rater
    order = np.argsort(keys, kind="stable")
    left_out = []
    for part in blocks(keys[order]):
        met, place = runs(keys[order[part]])
        own = _kinds(place, found.kind[order[part]], (len(met), len(found.changes)))
        left_out.append(coefficient.of_sums(sums + own @ found.changes))
    return variance(np.concatenate(left_out))


def _has_repeats(said: CodedLabels) -> bool:
    """Whether somebody labeled an item twice: what leaving both labels out changes is not the sum of their changes."""
    keys = np.sort(said.item * said.raters + said.rater)
    return bool((keys[1:] == keys[:-1]).any())


def _kinds(rows: Ints, kinds: Ints, shape: tuple[int, int]) -> "sp.sparse.csr_matrix":
    """How many of each kind each row has."""
    return sp.sparse.csr_matrix((np.ones(len(rows)), (rows, kinds)), shape=shape)


def _labels(coefficient: Coefficient, said: CodedLabels, values: int) -> Labels:
    counts = count(said.item, said.label, size=said.items, values=values)
    pattern, distinct = distinct_rows(counts)
    codes, kind = numbered(pattern[said.item] * values + said.label)
    without = distinct[codes // values]
    without[np.arange(len(codes)), codes % values] -= 1
    parts = _parts(coefficient, distinct)
    changes = _parts(coefficient, without) - parts[codes // values]
    return Labels(said, parts, pattern, changes, kind, int((counts.sum(axis=1) >= 2).sum()))


def _parts(coefficient: Coefficient, counts: Ints) -> Floats:
    """What each row adds; nothing where it has too few labels."""
    used = counts.sum(axis=1) >= coefficient.fewest
    some = coefficient.parts(counts[used])
    parts = np.zeros((len(counts), some.shape[1]))
    parts[used] = some
    return parts
