"""ρ of all pairs of raters at once is that of each pair by itself, whatever they share."""

import numpy as np
import pytest

from comparison.statistics.agreement.between_annotators import pair_rhos, with_reasons
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.correlation import spearman

NOBODY = -1


@pytest.mark.parametrize("clusters", [None, np.arange(60) // 3])
@pytest.mark.parametrize("each", [12, 5])
def test_all_at_once_is_one_by_one(each, clusters):
    rng, items, people = np.random.default_rng(each), 60, 12
    table = np.full((items, people), NOBODY)
    worth = rng.normal(0, 1.4, items)
    for item in range(items):
        who = rng.permutation(people)[:each]
        table[item, who] = np.clip(np.rint(4 + worth[item] + rng.normal(size=each)), 1, 7)
    table[:, 1] = np.where(table[:, 1] == NOBODY, NOBODY, 3)
    rows, raters = np.nonzero(table != NOBODY)
    sample = ITEMS if clusters is None else Sample(clusters=clusters)
    found = pair_rhos(rows, raters, table[rows, raters], some=list(range(people)), sample=sample)
    numbers = np.where(table == NOBODY, np.nan, table.astype(float))
    for one in range(people):
        for other in range(one):
            alone = with_reasons(spearman(numbers[:, one], numbers[:, other], sample=sample))
            both = found[one][other]
            assert (both.n, both.undefined, both.no_interval) == (alone.n, alone.undefined, alone.no_interval)
            if alone.value is not None:
                assert both.value == pytest.approx(alone.value)
            if alone.low is not None:
                assert (both.low, both.high) == pytest.approx((alone.low, alone.high))
