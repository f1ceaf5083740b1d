"""How far a coefficient would move with other annotators: intervals over annotators, and over both.

Intervals over items speak of other items labeled by the same people. Here annotators are left out one at a time, each
with all that they said; and for both at once the variances over items and over annotators are added, less that over
single labels, which is in both (two-way clustering: Cameron, Gelbach and Miller 2011, Journal of Business & Economic
Statistics 29: 238–249, equation 2.12).
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from comparison.statistics.agreement.coefficient import NO_PAIRS, Coefficient, distinct_rows
from comparison.statistics.agreement.said import Said, numbered, read_said
from comparison.statistics.counts import Floats, Ints, count
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.jackknife import variance, with_t

# Fewer annotators say too little about other ones.
FEWEST = 5


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels one by one as patterns of items, and what leaving one label out changes.

    `parts` (patterns, m) and `items` (patterns,): what a pattern adds, and how many items have it. `changes`
    (kinds, m): what a pattern adds without one label, less what it adds; `kind` and `rater` are those of each label.
    """

    parts: Floats
    items: Ints
    changes: Floats
    kind: Ints
    rater: Ints
    pairable: int
    raters: int

    @property
    def sums(self) -> Floats:
        return np.asarray(self.items @ self.parts)


def over_raters(coefficient: Coefficient, items: Ints, raters: Ints, labels: Ints, *, values: int) -> Estimate:
    """The coefficient of labels one by one (item, rater, code) with an interval over raters. n is items.

    Every rater has labeled an item once: ValueError otherwise.

    >>> from comparison.statistics.agreement.fleiss import fleiss_form
    >>> rng = np.random.default_rng(1)
    >>> truth, items, raters = rng.integers(2, size=40), np.repeat(np.arange(40), 8), np.tile(np.arange(8), 40)
    >>> labels = np.where(rng.random(320) < 0.8, truth[items], 1 - truth[items])
    >>> found = over_raters(fleiss_form(2), items, raters, labels, values=2)
    >>> found.low < found.value < found.high, found.note
    (True, 'interval over 8 annotators')
    """
    return _estimate(coefficient, items, raters, labels, values=values, also_items=False)


def over_both(coefficient: Coefficient, items: Ints, raters: Ints, labels: Ints, *, values: int) -> Estimate:
    """The same with an interval over items and raters together: for other items labeled by other people.

    >>> from comparison.statistics.agreement.fleiss import fleiss_form
    >>> rng = np.random.default_rng(1)
    >>> items, raters = np.repeat(np.arange(40), 8), np.tile(np.arange(8), 40)
    >>> over_both(fleiss_form(2), items, raters, rng.integers(2, size=320), values=2).note
    'interval over 40 items and 8 annotators'
    """
    return _estimate(coefficient, items, raters, labels, values=values, also_items=True)


def _estimate(
    coefficient: Coefficient, items: Ints, raters: Ints, labels: Ints, *, values: int, also_items: bool
) -> Estimate:
    said = read_said(items, raters, labels)
    if not said.items:
        return Estimate.none(NO_PAIRS)
    found = _labels(coefficient, said, values)
    if not found.pairable:
        return Estimate.none(NO_PAIRS)
    sums = found.sums
    value = coefficient.value(sums)
    if not np.isfinite(value):
        return Estimate.none(coefficient.why_not, n=found.pairable)
    note = f"interval over {found.raters:,} annotators"
    if found.raters < FEWEST:
        return Estimate(value, n=found.pairable, no_interval=f"there are fewer than {FEWEST} annotators")
    spread, units = _over_raters(coefficient, found, sums), found.raters
    if also_items:
        note = f"interval over {found.pairable:,} items and {found.raters:,} annotators"
        over_items = variance(coefficient.of_sums(sums - found.parts), found.items)
        kinds = np.bincount(found.kind, minlength=len(found.changes))
        over_labels = variance(coefficient.of_sums(sums + found.changes), kinds)
        spread, units = max(spread + over_items - over_labels, spread, over_items), min(units, found.pairable)
    return with_t(value, spread, units=units, n=found.pairable, called="annotators", note=note)


def _over_raters(coefficient: Coefficient, found: Labels, sums: Floats) -> float:
    ones = np.ones(len(found.kind))
    shape = (found.raters, len(found.changes))
    own = sparse.csr_matrix((ones, (found.rater, found.kind)), shape=shape)
    return variance(coefficient.of_sums(sums + own @ found.changes))


def _labels(coefficient: Coefficient, said: Said, values: int) -> Labels:
    keys = np.sort(said.item * said.raters + said.rater)
    if (keys[1:] == keys[:-1]).any():
        raise ValueError("An annotator has labeled an item twice; see repeated() for agreement with oneself.")
    counts = count(said.item, said.label, size=said.items, values=values)
    pattern, distinct = distinct_rows(counts)
    codes, kind = numbered(pattern[said.item] * values + said.label)
    without = distinct[codes // values]
    without[np.arange(len(codes)), codes % values] -= 1
    parts = _parts(coefficient, distinct)
    return Labels(
        parts=parts,
        items=np.bincount(pattern, minlength=len(distinct)),
        changes=_parts(coefficient, without) - parts[codes // values],
        kind=kind,
        rater=said.rater,
        pairable=int((counts.sum(axis=1) >= 2).sum()),
        raters=said.raters,
    )


def _parts(coefficient: Coefficient, counts: Ints) -> Floats:
    """What each row adds; nothing where it has too few labels."""
    used = counts.sum(axis=1) >= coefficient.fewest
    some = coefficient.parts(counts[used])
    parts = np.zeros((len(counts), some.shape[1]))
    parts[used] = some
    return parts
