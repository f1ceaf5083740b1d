"""The plain logistic regression: statsmodels' own figures, and words where nothing can be fitted."""

import re

import numpy as np
import pytest
from statsmodels.api import Logit, add_constant

from comparison.statistics.by_attribute.logistic import regress
from comparison.statistics.counts import MISSING
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
        assert found.note == "standard errors clustered by 100 groups of items"
    else:
        assert [one.odds.low for one in found.factors] == pytest.approx(low[1:], rel=1e-3)
        assert [one.odds.high for one in found.factors] == pytest.approx(high[1:], rel=1e-3)
        assert [one.p for one in found.factors] == pytest.approx(expected.pvalues[1:], rel=1e-2)


def test_items_without_a_number_are_left_out_in_words():
    number = np.where(CLASS == "c", np.nan, NUMBER)
    other = np.where(np.arange(N) < 10, np.nan, 1.0)
    assert (CLASS[:10] == "c").any()
    decided = np.where(np.arange(N) == N - 1, MISSING, DECIDED)
    found = regress(decided, TRUTH, {"number": number, "other": other}, {"class": CLASS})
    lost = int(((CLASS == "c") | (np.arange(N) < 10) | (np.arange(N) == N - 1)).sum())
    assert found.n == N - lost
    assert found.left_out.words == (
        f"{lost} of 400 items are left out: 1 lacks an answer or a label, {(CLASS == 'c').sum()} lack number, "
        "10 lack other (some lack several); no items are left with class: c; "
        "no estimate, because all items have the same value: other"
    )
    assert regress(DECIDED, TRUTH, {"number": NUMBER}, {"class": CLASS}).left_out.words == ""


def test_where_nothing_can_be_fitted_words_say_why():
    few = np.where(np.arange(N) < 4, 1, 0)
    assert regress(few, TRUTH, {"number": NUMBER}, {}).undefined == (
        "4 of 400 items are wrong, too few for 1 coefficient (5 each)"
    )
    assert regress(DECIDED, TRUTH, {}, {"class": np.full(N, "a", dtype=object)}).undefined == (
        "no attribute has two values here"
    )
    six = Sample(clusters=np.arange(N) // 80)
    assert regress(DECIDED, TRUTH, {"number": NUMBER}, {}, sample=six).undefined == "fewer than 10 groups of items"
    assert regress(DECIDED, TRUTH, {}, {}).undefined == "the model has no attribute"


def test_perfect_separation_names_what_separates():
    strong = np.where(np.arange(N) < 30, "a", CLASS).astype(object)
    decided = np.where(strong == "a", 0, DECIDED)
    items = int((strong == "a").sum())
    for sample in (Sample(), Sample(clusters=np.arange(N) // 4)):
        found = regress(decided, TRUTH, {"number": NUMBER}, {"class": strong}, sample=sample)
        assert found.factors == ()
        assert found.undefined == f"perfect separation, so odds are infinite: all {items} items with class: a are right"
    # Of two attributes neither of which does so alone; on however small a scale.
    other = RNG.normal(0, 1, N)
    both = (NUMBER - 5 + 3 * other < 0).astype(int)
    apart = regress(both, TRUTH, {"number": NUMBER, "other": other / 1e4}, {"class": CLASS}).undefined
    assert apart.endswith("right and wrong items are separated by number and other")


def test_the_value_that_others_are_beside_can_separate_too():
    found = regress(np.where(CLASS == "b", 1, DECIDED), TRUTH, {}, {"class": CLASS})
    assert found.undefined.endswith(f"all {(CLASS == 'b').sum()} items with class: b are wrong")


def test_almost_certain_is_not_separated():
    rare = np.where(np.arange(N) < 30, "rare", "usual").astype(object)
    decided = np.where(rare == "rare", np.where(np.arange(N) == 0, 1, 0), DECIDED)
    (found,) = regress(decided, TRUTH, {}, {"rare": rare}).factors
    usual = (DECIDED[30:] == 0).mean()
    assert found.odds.value == pytest.approx(29 / (usual / (1 - usual)), rel=1e-4)


def test_numbers_that_go_together_have_no_figure_but_a_reason():
    twin = NUMBER + RNG.normal(0, 0.05, N)
    found = regress(DECIDED, TRUTH, {"number": NUMBER, "twin": twin, "other": RNG.normal(0, 1, N)}, {})
    number, _, other = found.factors
    factor = 1 / (1 - np.corrcoef(NUMBER, twin)[0, 1] ** 2)
    assert (number.odds.value, number.p) == (None, None)
    said = re.fullmatch(
        r"the data do not determine it: its interval would span [\d.]+ orders of magnitude; "
        r"correlated with twin: variance inflation factor ([\d,]+)",
        number.odds.undefined,
    )
    assert said
    assert float(said[1].replace(",", "")) == pytest.approx(factor, rel=0.05)
    # What does not go with them stands as it did.
    assert other.odds.value is not None
    assert other.odds.note == ""


def test_numbers_that_go_together_less_have_a_word_beside_them():
    twin = NUMBER + RNG.normal(0, 0.8, N)
    number, other = regress(DECIDED, TRUTH, {"number": NUMBER, "twin": twin}, {}).factors
    assert number.odds.value is not None
    assert number.odds.note.startswith("correlated with twin: variance inflation factor 1")
    assert other.odds.note.startswith("correlated with number: variance inflation factor 1")


def test_a_number_of_small_scale_is_taken_by_its_deviation():
    small = NUMBER / 1000
    (found,) = regress(DECIDED, TRUTH, {"small": small}, {}).factors
    (large,) = regress(DECIDED, TRUTH, {"large": NUMBER / NUMBER.std()}, {}).factors
    assert found.more == f"{small.std():.3g} more (a standard deviation)"
    assert found.odds.value == pytest.approx(large.odds.value)
    assert (found.odds.low, found.odds.high) == pytest.approx((large.odds.low, large.odds.high))
    assert found.p == pytest.approx(large.p)
    assert "the interval of one more spans" in found.odds.note
    assert (large.more, large.odds.note) == ("one more", "")


def test_an_interval_of_more_than_two_orders_has_a_word_beside_it():
    pair = np.where(np.arange(N) < 2, "pair", "rest").astype(object)
    decided = np.where(np.arange(N) < 2, np.arange(N), DECIDED)
    (found,) = regress(decided, TRUTH, {}, {"pair": pair}).factors
    assert found.odds.low is not None
    assert found.odds.high is not None
    assert found.odds.high / found.odds.low > 100
    assert found.odds.note.startswith("the data hardly determine it: the interval spans 2.")
