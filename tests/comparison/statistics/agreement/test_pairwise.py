"""Cohen's κ over pairs of annotators, held to scikit-learn, and what must not matter."""

import tracemalloc
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import t
from sklearn.metrics import cohen_kappa_score

from comparison.frame.coded import coded, count_labels
from comparison.statistics.agreement import coded_labels, pairwise
from comparison.statistics.agreement.cohen import conger
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from tests.comparison.published import KRIPPENDORFF_2011
from tests.comparison.statistics.agreement.made import crowd, ends, one_by_one
from tests.comparison.statistics.agreement.scott import pairwise_cohen, pairwise_scott, scott


def of_frame(frame: pd.DataFrame, *, values: list[str]) -> Estimate:
    labels = coded(frame, items=list(dict.fromkeys(frame["item"])), values=values)
    return pairwise_cohen(labels.items, labels.raters, labels.labels, values=len(values))


def krippendorff_frame() -> pd.DataFrame:
    rows = [
        {"item": f"u{unit}", "rater": f"r{rater}", "label": str(value)}
        for rater, values in enumerate(KRIPPENDORFF_2011)
        for unit, value in enumerate(values)
        if value
    ]
    return pd.DataFrame(rows)


def test_pairwise_is_the_mean_of_sklearn_over_pairs():
    found = of_frame(krippendorff_frame(), values=list("12345"))
    total = weight = 0.0
    for one in range(4):
        for other in range(one + 1, 4):
            both = (KRIPPENDORFF_2011[one] > 0) & (KRIPPENDORFF_2011[other] > 0)
            total += both.sum() * cohen_kappa_score(KRIPPENDORFF_2011[one][both], KRIPPENDORFF_2011[other][both])
            weight += both.sum()
    assert found.value == pytest.approx(total / weight)
    assert "6 pairs of annotators" in found.note


def test_pairs_that_hardly_meet_get_no_interval():
    rows = [("a", "r1", "x"), ("a", "r2", "x"), ("b", "r1", "y"), ("b", "r2", "y"), ("a", "r3", "x")]
    found = of_frame(pd.DataFrame(rows, columns=["item", "rater", "label"]), values=["x", "y"])
    assert found.value == 1
    assert found.low is None
    assert "Fleiss" in found.no_interval
    assert "2 pairs left out" in found.note


def test_no_two_annotators_sharing_items():
    frame = pd.DataFrame([("a", "r1", "x"), ("b", "r2", "y")], columns=["item", "rater", "label"])
    assert of_frame(frame, values=["x", "y"]).undefined == "no item has two labels yet"
    frame = pd.DataFrame([("a", "r1", "x"), ("a", "r2", "y")], columns=["item", "rater", "label"])
    assert "no two annotators share" in of_frame(frame, values=["x", "y"]).undefined


@pytest.mark.slow
@hypothesis_settings(max_examples=40)
@given(arrays(np.int64, (3, 8), elements=st.integers(0, 3)), st.permutations([0, 1, 2]))
def test_the_order_of_raters_does_not_matter(labels, order):
    def frame(rows):
        return pd.DataFrame(
            [
                {"item": f"i{item}", "rater": f"r{rater}", "label": "abc"[value - 1]}
                for rater, row in enumerate(rows)
                for item, value in enumerate(row)
                if value
            ],
            columns=["item", "rater", "label"],
        )

    one, other = frame(labels), frame(labels[list(order)])
    items, values = [f"i{item}" for item in range(8)], list("abc")
    assert of_frame(one, values=values).value == pytest.approx(of_frame(other, values=values).value)
    assert (count_labels(one, items=items, values=values) == count_labels(other, items=items, values=values)).all()


@pytest.mark.parametrize("weighting", [None, "linear", "quadratic"])
def test_weighted_pairwise_is_the_mean_of_sklearn_over_pairs(weighting):
    table = crowd(np.random.default_rng(5), items=60, raters=5, each=3, values=4)
    kappas, shared = [], []
    for one, other in combinations(range(5), 2):
        both = (table[:, [one, other]] != MISSING).all(axis=1)
        kappas.append(cohen_kappa_score(table[both, one], table[both, other], weights=weighting, labels=[0, 1, 2, 3]))
        shared.append(both.sum())
    found = pairwise_cohen(*one_by_one(table), values=4, weighting=weighting or "identity")
    assert found.value == pytest.approx(np.average(kappas, weights=shared))


def test_pairwise_scott_is_the_mean_of_scott_over_pairs():
    table = crowd(np.random.default_rng(6), items=60, raters=4, each=3, values=3)
    pis = [scott(table[:, one], table[:, other], values=3) for one, other in combinations(range(4), 2)]
    expected = np.average([each.value for each in pis], weights=[each.n for each in pis])
    assert pairwise_scott(*one_by_one(table), values=3).value == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize("statistic", [pairwise_cohen, pairwise_scott, conger])
@pytest.mark.parametrize("size", [1, 3])
def test_leaving_items_out_by_sums_is_leaving_them_out(statistic, size, monkeypatch):
    monkeypatch.setattr(coded_labels, "BLOCK", 7)
    table = crowd(np.random.default_rng(8), items=60, raters=5, each=4, values=3)
    clusters = np.arange(60) // size
    found = statistic(*one_by_one(table), values=3, sample=Sample(clusters=clusters) if size > 1 else ITEMS)
    without = []
    for cluster in range(60 // size):
        left = np.where((clusters == cluster)[:, None], MISSING, table)
        without.append(statistic(*one_by_one(left), values=3).value)
    spread = (len(without) - 1) * np.var(without)
    assert found.value - found.low == pytest.approx(t.ppf(0.975, len(without) - 1) * np.sqrt(spread), rel=1e-6)


@pytest.mark.slow
def test_the_interval_of_many_pairs_that_share_little_holds_the_value():
    """Items drawn twice make pairs that share few items look more alike or less: draws lay beside the value."""
    table = crowd(np.random.default_rng(10), items=12000, raters=90, each=5, values=5)
    found = pairwise_cohen(*one_by_one(table), values=5)
    assert "4,005 pairs of annotators, 30.0 shared items each" in found.note
    low, middle, high = ends(found)
    assert low < middle < high


def test_where_there_are_too_many_meetings_annotators_are_drawn(monkeypatch):
    table = crowd(np.random.default_rng(9), items=80, raters=30, each=30, values=3)
    every = pairwise_cohen(*one_by_one(table), values=3)
    assert "435 pairs of annotators, 80.0 shared items each" in every.note
    monkeypatch.setattr(pairwise, "MOST_MEETINGS", 5_000)
    some = pairwise_cohen(*one_by_one(table), values=3)
    assert "of 11 annotators drawn at random from 30" in some.note
    assert some.value == pytest.approx(every.value, abs=0.05)
    assert some == pairwise_cohen(*one_by_one(table), values=3)


def test_patterns_are_refused_where_labels_come_one_by_one():
    items = np.repeat(np.arange(4), 2)
    with pytest.raises(ValueError, match="single items"):
        pairwise_cohen(items, np.tile([0, 1], 4), items % 2, values=2, sample=Sample(weights=np.ones(4, int)))


@pytest.mark.slow
def test_a_million_labels_by_a_thousand_people_take_bounded_memory():
    rng = np.random.default_rng(1)
    items = np.repeat(np.arange(200_000), 5)
    raters = (np.repeat(rng.integers(1000, size=200_000), 5) + np.tile(np.arange(5), 200_000) * 37) % 1000
    tracemalloc.start()
    found = pairwise_cohen(items, raters, rng.integers(5, size=len(items)), values=5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.value == pytest.approx(0, abs=0.01)
    assert peak < 400_000_000
