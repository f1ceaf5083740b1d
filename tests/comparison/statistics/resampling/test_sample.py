"""Patterns with weights give what items one by one give; clusters are drawn whole."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparison.statistics.accuracy.ceiling import against_reference
from comparison.statistics.accuracy.hits import accuracy, kappa
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.bootstrap import estimate, mean, resample
from comparison.statistics.resampling.sample import Sample
from tests.comparison.statistics.agreement.made import width

patterns = st.lists(
    st.tuples(st.lists(st.integers(0, 4), min_size=3, max_size=3), st.integers(-1, 2), st.integers(-1, 2)),
    min_size=1,
    max_size=8,
)


def one_by_one(rows, weights):
    return np.repeat(rows, weights, axis=0)


@given(patterns, st.data())
@pytest.mark.slow
def test_the_figures_are_those_of_items_one_by_one_in_any_order(found, data):
    counts, truth, decided = (np.array(column) for column in zip(*found, strict=True))
    weights = np.array(data.draw(st.lists(st.integers(1, 30), min_size=len(found), max_size=len(found))))
    sample = Sample(weights=weights)
    order = np.random.default_rng(3).permutation(weights.sum())
    each = [one_by_one(column, weights)[order] for column in (counts, truth, decided)]
    assert against_reference(counts, truth, sample=sample) == against_reference(each[0], each[1])
    assert accuracy(decided, truth, sample=sample) == accuracy(each[2], each[1])
    assert kappa(decided, truth, values=3, sample=sample) == kappa(each[2], each[1], values=3)


def test_draws_of_patterns_vary_as_draws_of_items_do():
    rng = np.random.default_rng(5)
    values = rng.integers(0, 3, size=4000).astype(float)
    found = resample(values[:, None], draws=4000)[:, 0] / len(values)
    assert found.mean() == pytest.approx(values.mean(), abs=1e-3)
    assert found.std() == pytest.approx(values.std() / np.sqrt(len(values)), rel=0.05)


def test_a_draw_has_as_many_items_as_there_are():
    sample = Sample(weights=np.array([1000, 1, 500]))
    assert (resample(np.ones((3, 1)), sample=sample) == 1501).all()


def test_clusters_of_one_item_are_items():
    values = np.random.default_rng(1).normal(size=40)
    assert mean(values, sample=Sample(clusters=np.arange(40))).low == pytest.approx(mean(values).low, abs=0.1)


def test_items_that_hang_together_widen_the_interval():
    clusters = np.repeat(np.arange(50), 8)
    values = np.random.default_rng(2).normal(size=50)[clusters]
    plain, clustered = mean(values), mean(values, sample=Sample(clusters=clusters))
    assert clustered.value == plain.value
    assert width(clustered) / width(plain) == pytest.approx(np.sqrt(8), rel=0.15)


def test_one_cluster_has_no_interval_and_says_why():
    values = np.array([1.0, 0.0, 1.0])
    found = mean(values, sample=Sample(clusters=np.zeros(3, dtype=int)))
    assert found.no_interval == "all items are in one group"
    hits = accuracy(values.astype(int), np.ones(3, dtype=int), sample=Sample(clusters=np.zeros(3, dtype=int)))
    assert hits.accuracy.no_interval == "all items are in one group"


def test_a_weight_and_a_cluster_at_once_is_refused():
    with pytest.raises(ValueError, match="not both"):
        Sample(weights=np.ones(2, dtype=int), clusters=np.ones(2, dtype=int))


def test_nothing_to_draw_from_gives_no_interval():
    found = estimate(0.0, np.zeros((0, 1)), lambda sums: sums[:, 0], n=0)
    assert found.no_interval == "there is only one item"


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.85])
def test_the_interval_of_a_share_over_clusters_holds_the_truth(share):
    """Coverage over 600 worlds of 40 groups of 6 items that are alike by half; an item by itself covers far less."""
    rng = np.random.default_rng(11)
    clusters = np.repeat(np.arange(40), 6)
    truth = np.zeros(len(clusters), dtype=int)
    held = {"clusters": 0, "items": 0}
    for _ in range(600):
        chance = rng.beta(share, 1 - share, size=40)[clusters]
        decided = np.where(rng.random(len(clusters)) < chance, 0, 1)
        for name, sample in (("clusters", Sample(clusters=clusters)), ("items", Sample())):
            found = accuracy(decided, truth, sample=sample).accuracy
            held[name] += found.low <= share <= found.high
    assert 0.92 <= held["clusters"] / 600 <= 0.985
    assert held["items"] / 600 < 0.8


def test_items_without_a_decision_are_in_no_cluster():
    decided, truth = np.array([0, 0, MISSING, 1]), np.zeros(4, dtype=int)
    found = accuracy(decided, truth, sample=Sample(clusters=np.array([0, 0, 1, 2])))
    assert (found.compared, found.accuracy.note) == (3, "items in 2 groups, design effect 2.7")
