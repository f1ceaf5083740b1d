"""Krippendorff's α for labels, degrees, numbers and ratios."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from comparison.statistics.agreement.coefficient import CERTAIN, NO_PAIRS, Coefficient, over_items
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

Level = Literal["nominal", "ordinal", "interval", "ratio"]

NO_RATIOS = "ratios need numbers of 0 or more"
# How often labels are dealt out, fewer times where there are many: with either number p of .025 is a whole share.
DEALT, FEWEST_DEALT, LABELS_DEALT = 1999, 199, 20_000_000


def krippendorff_alpha(
    counts: Ints, *, level: Level, numbers: Sequence[float] | None = None, sample: Sample = ITEMS
) -> Estimate:
    """Krippendorff's α (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", sections C and D).

    For the ordinal level the order of the columns is the order of the scale. For the interval and ratio levels
    `numbers` are what the columns stand for; places on the scale, from 1, where not given. Items with one label say
    nothing about agreement and are left out, by definition.

    >>> counts = np.array([[2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 0]])
    >>> [round(krippendorff_alpha(counts, level=level).value, 3) for level in ("nominal", "ordinal", "interval")]
    [0.667, 0.79, 0.821]
    """
    if level == "ratio" and numbers is not None and min(numbers) < 0:
        several = counts.sum(axis=1) >= 2
        return Estimate.none(NO_RATIOS if several.any() else NO_PAIRS, n=sample.size(several))
    return over_items(alpha_form(counts.shape[1], level, numbers), counts, sample=sample)


def reliability(counts: Ints, alpha: Estimate, *, sample: Sample = ITEMS) -> Estimate:
    """Of an item's labels together, such as its majority, where α is that of one label (Spearman 1910; Brown 1910).

    An item of k labels has 1/k of the error of one, so that of items with unequally many k is the harmonic mean, over
    the items that α is of. Undefined where α is not above 0.

    >>> counts = np.array([[2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 0]])
    >>> round(reliability(counts, krippendorff_alpha(counts, level="nominal")).value, 3)
    0.8
    """
    if alpha.value is None or alpha.value <= 0:
        return Estimate.none(alpha.undefined or "α is not above 0", n=alpha.n)
    totals = counts.sum(axis=1)
    several = totals >= 2
    # By how many labels items have: then patterns and items one by one come to the same number to the last digit.
    items = np.bincount(totals[several], weights=sample.where(several).weights)
    k = float(items.sum() / (items[2:] / np.arange(2, len(items))).sum())
    low, high = (None if end is None else spearman_brown(max(end, 0.0), k) for end in (alpha.low, alpha.high))
    note = f"of {k:.1f} labels per item"
    return Estimate(spearman_brown(alpha.value, k), low, high, n=alpha.n, no_interval=alpha.no_interval, note=note)


def below_chance(rows: Ints, raters: Ints, labels: Ints, *, values: int, level: Level) -> float:
    """The probability of an α as low where each one's labels are dealt out over the items that they labeled.

    Labels one by one: row, rater, code. By draws with a fixed seed, which keep everybody's own shares of the labels, so
    that a rare label that two people never give to one item is no contradiction.

    >>> yes, item = np.eye(50, dtype=int)[[0, 1, 2]].sum(axis=0), np.arange(50)
    >>> other = np.eye(50, dtype=int)[[3, 4]].sum(axis=0)
    >>> rows, raters, labels = np.tile(item, 2), np.repeat([0, 1], 50), np.concatenate([yes, other])
    >>> below_chance(rows, raters, labels, values=2, level="nominal") > 0.8
    True
    """
    several = (np.bincount(rows) > 1)[rows]
    rows, raters, labels = np.unique(rows[several], return_inverse=True)[1], raters[several], labels[several]
    if not len(rows):
        return 1.0
    weights = 1 / (np.bincount(rows) - 1)
    used = np.bincount(labels, minlength=values).astype(np.float64)
    distance = np.broadcast_to(_distances(level, np.arange(1.0, values + 1))(used[None]), (1, values, values))[0]

    def apart(given: Ints) -> float:
        counts = np.bincount(rows * values + given, minlength=len(weights) * values).reshape(-1, values)
        return float((((counts @ distance) * counts).sum(axis=1) * weights).sum())

    rng, places, dealt = np.random.default_rng(1), np.argsort(raters, kind="stable"), np.empty_like(labels)
    draws = max(FEWEST_DEALT, min(DEALT, LABELS_DEALT // len(labels)))
    least, as_far = apart(labels) * (1 - 1e-9), 0
    for _ in range(draws):
        dealt[places] = labels[np.argsort(raters + rng.random(len(raters)))]
        as_far += apart(dealt) >= least
    return (1 + as_far) / (1 + draws)


def spearman_brown(one: float, times: float) -> float:
    """The reliability of so many times as much, by that of one.

    >>> round(spearman_brown(0.13, 39), 2)
    0.85
    """
    return times * one / (1 + (times - 1) * one)


def alpha_form(values: int, level: Level, numbers: Sequence[float] | None = None) -> Coefficient:
    """α as a function of sums over items: of the coincidence matrix.

    >>> alpha_form(2, "nominal").fewest
    2
    """
    distances = _distances(level, np.arange(1.0, values + 1) if numbers is None else np.asarray(numbers, np.float64))

    def of_sums(sums: Floats) -> Floats:
        return _alpha_of_sums(sums.reshape(len(sums), values, values), distances)

    return Coefficient(_coincidences, of_sums)


def _coincidences(counts: Ints) -> Floats:
    """Each item's part of the coincidence matrix, shape (items, values * values)."""
    size = counts.shape[1]
    products = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size, dtype=np.int64)
    per_item = products / (counts.sum(axis=1) - 1)[:, None, None]
    return np.asarray(per_item.reshape(len(counts), size * size), dtype=np.float64)


def _alpha_of_sums(coincidences: Floats, distances: Callable[[Floats], Floats]) -> Floats:
    """α per draw from coincidence matrices of shape (draws, values, values)."""
    marginals = coincidences.sum(axis=2)
    distance = distances(marginals)
    total = marginals.sum(axis=1)
    products = marginals[:, :, None] * marginals[:, None, :]
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (products * distance).sum(axis=(1, 2))
    ratio = np.divide(observed, expected, out=np.full_like(observed, np.nan), where=expected > CERTAIN)
    return np.asarray(1 - (total - 1) * ratio, dtype=np.float64)


def _distances(level: Level, numbers: Floats) -> Callable[[Floats], Floats]:
    """The squared difference function: marginals (draws, values) to what broadcasts to (draws, values, values)."""
    if level == "ordinal":
        return _ordinal
    one, other = numbers[:, None], numbers[None, :]
    if level == "nominal":
        fixed = 1 - np.eye(len(numbers))
    elif level == "interval":
        fixed = (one - other) ** 2
    else:
        sums = np.where(one + other == 0, 1.0, one + other)
        fixed = ((one - other) / sums) ** 2
    return lambda marginals: fixed


def _ordinal(marginals: Floats) -> Floats:
    """The labels from c to k inclusive, less half of those at either end, squared: it differs from draw to draw."""
    middles = np.cumsum(marginals, axis=1) - marginals / 2
    return np.asarray((middles[:, :, None] - middles[:, None, :]) ** 2, dtype=np.float64)
