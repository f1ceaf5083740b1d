"""What would settle it: how many items until what is open shows, if figures stay as they are.

- Whether a model beats chance: a test's statistic grows with the root of the items.
- Which of the nearest is the best: as many as put the first beyond the confidence set's own critical values of all the
  others at once, in four of five sets of items drawn anew (best.py).
- One person: by Connor (1987, Biometrics 43: 207–211, equation 2; Miettinen 1968) for paired hits, where the variance
  between items is that of the discordant ones; the same form serves any measure, with the variance that drawing gives.

The best of many is ahead by luck, too. Where as many runs that are all alike would often be as far ahead, nothing is
advised: more items would hardly show a lead that is not there.
"""

from decimal import Decimal
from math import ceil

import numpy as np
import scipy as sp

from comparison.statistics import tails
from comparison.statistics.counts import Floats
from comparison.statistics.verdict.best import DrawnSums, errors, leaving
from comparison.statistics.verdict.odds import LEVEL

POWER = 0.8
# A lead that luck alone gives more often than this is nothing to build on.
LUCK = 0.2
# Beyond this a number would only pretend to be a plan.
MOST = 1_000_000


def items_needed(difference: float, variance: float) -> int | None:
    """Items in all for a difference to show, on either side; `variance` is that of one item's difference.

    None where there is no difference to show.

    Discordant on 30 % of the items, better on 20 % and worse on 10 % (Connor's form by hand: 234):

    >>> items_needed(0.1, 0.3 - 0.1**2)
    234
    """
    if not difference:
        return None
    tail, power = float(tails.z_of(LEVEL / 2)), float(tails.z_of(1 - POWER))
    spread: float = tail * (variance + difference**2) ** 0.5 + power * max(variance, 0.0) ** 0.5
    return ceil((spread / difference) ** 2)


def items_to_show(p: float, items: int, *, tests: int) -> int:
    """Items in all until a test with this one-sided p of `items` passes, as the first of so many (Holm).

    >>> items_to_show(0.0786, 100, tests=1)
    309
    """
    norm = sp.stats.norm
    return ceil(items * (float(norm.isf(LEVEL / tests) + norm.ppf(POWER)) / float(norm.isf(p))) ** 2)


def items_to_single_out(values: Floats, drawn: Floats, items: int, how: DrawnSums) -> int | None:
    """Items in all until the first of these runs is alone in the set; None where its lead may well be luck.

    Two runs whose difference has a standard error of .05 over 100 items, and that are two errors apart: as far as a
    test at .05 and a power of .8 ask for, 2.8 errors, takes twice the items (and those that make up for whole items).

    >>> drawn = np.random.default_rng(1).normal(0, 0.05 / 2**0.5, (5000, 2)) + np.array([0.7, 0.6])
    >>> 190 < items_to_single_out(np.array([0.7, 0.6]), drawn, 100, DrawnSums()) < 210
    True
    """
    found, error, apart = leaving(values, drawn, how), errors(drawn), drawn - values
    first, others = found.order[-1], list(found.order[:-1])
    leads, sure = values[first] - values[others], error[first, others]
    by_luck = np.sort(apart, axis=1)[:, -2:]
    if float((by_luck[:, 1] - by_luck[:, 0] >= leads.min()).mean()) > LUCK or not (sure > 0).all():
        return None
    missing = (found.critical[others] - (apart[:, [first]] - apart[:, others]) / sure) * sure / leads
    times = float(np.quantile(missing.max(axis=1), POWER)) ** 2
    whole = 2 / float(leads.min()) if how.step else 0.0
    return ceil(items * times + whole)


def about(items: int) -> str:
    """Rounded up to two digits, as the estimate it is: `1,300`.

    >>> about(1234), about(87), about(2_000_001)
    ('1,300', '87', 'more than 1,000,000')
    """
    if items > MOST:
        return f"more than {MOST:,}"
    step = max(1, 10 ** (Decimal(items).adjusted() - 1))
    return f"{ceil(items / step) * step:,}"
