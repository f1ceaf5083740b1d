"""The plain logistic regression: statsmodels' own figures, and words where nothing can be fitted."""

import numpy as np
import pytest
from statsmodels.api import Logit, add_constant

from comparison.statistics.by_attribute.logistic import SEPARATED, regress
from comparison.statistics.resampling.sample import Sample

RNG = np.random.default_rng(3)
N = 400
NUMBER = RNG.normal(5, 3, N)
CLASS = RNG.choice(np.array(["b", "a", "c"], dtype=object), N, p=[0.5, 0.3, 0.2])
CHANCE = 1 / (1 + np.exp(-(0.3 * (NUMBER - 5) + 0.8 * (CLASS == "a"))))
TRUTH = np.zeros(N, dtype=int)
DECIDED = (RNG.random(N) > CHANCE).astype(int)


@pytest.mark.parametrize("grouped", [False, True])
def test_it_is_statsmodels(grouped):
    clusters = np.arange(N) // 4
    sample = Sample(clusters=clusters) if grouped else Sample()
    found = regress(DECIDED, TRUTH, {"number": NUMBER}, {"class": CLASS}, sample=sample)
    design = add_constant(np.column_stack([NUMBER, CLASS == "a", CLASS == "c"]).astype(float))
    how = {"cov_type": "cluster", "cov_kwds": {"groups": clusters}} if grouped else {}
    expected = Logit((DECIDED == 0).astype(float), design).fit(disp=False, **how)
    assert [(one.attribute, one.value, one.beside) for one in found.factors] == [
        ("number", "", ""), ("class", "a", "b"), ("class", "c", "b")
    ]  # fmt: skip
    assert [one.odds.value for one in found.factors] == pytest.approx(np.exp(expected.params[1:]), rel=1e-4)
    low, high = np.exp(expected.conf_int()).T
    if grouped:
        # By t on 99 degrees of freedom, a little wider than by z.
        assert all(one.odds.low < end for one, end in zip(found.factors, low[1:], strict=True))
        assert [one.odds.low for one in found.factors] == pytest.approx(low[1:], rel=0.05)
        assert found.note == "standard errors of 100 groups of items"
    else:
        assert [one.odds.low for one in found.factors] == pytest.approx(low[1:], rel=1e-3)
        assert [one.odds.high for one in found.factors] == pytest.approx(high[1:], rel=1e-3)
        assert [one.p for one in found.factors] == pytest.approx(expected.pvalues[1:], rel=1e-2)


def test_items_without_a_number_are_left_out():
    number = np.where(np.arange(N) < 100, np.nan, NUMBER)
    assert regress(DECIDED, TRUTH, {"number": number}, {}).n == 300


def test_where_nothing_can_be_fitted_words_say_why():
    few = np.where(np.arange(N) < 4, 1, 0)
    assert regress(few, TRUTH, {"number": NUMBER}, {}).undefined == (
        "4 of 400 items are wrong, too few for 1 figures (5 for each)"
    )
    assert regress(DECIDED, TRUTH, {}, {"class": np.full(N, "a", dtype=object)}).undefined == (
        "no attribute has two values here"
    )
    apart = np.where(np.arange(N) < 200, "a", "b").astype(object)
    assert regress((np.arange(N) < 200).astype(int), TRUTH, {}, {"class": apart}).undefined == SEPARATED
    six = Sample(clusters=np.arange(N) // 80)
    assert (
        regress(DECIDED, TRUTH, {"number": NUMBER}, {}, sample=six).undefined == "the items are of fewer than 10 groups"
    )
