"""Intervals over annotators: the fast way is the slow one, and they hold what they promise."""

from functools import partial

import numpy as np
import pytest

from comparison.statistics.agreement.alpha import alpha_form, krippendorff_alpha
from comparison.statistics.agreement.coded_labels import read_said
from comparison.statistics.agreement.cohen import conger
from comparison.statistics.agreement.from_counts import (
    PERCENT,
    brennan_form,
    brennan_prediger,
    fleiss,
    fleiss_form,
    gwet,
    gwet_form,
    percent_agreement,
)
from comparison.statistics.agreement.raters import _labels, over_both, over_raters
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.sample import Sample
from tests.comparison.statistics.agreement.made import counted, crowd, ends, one_by_one
from tests.comparison.statistics.agreement.scott import pairwise_cohen

PAIRS = [
    (PERCENT, percent_agreement),
    (fleiss_form(3), fleiss),
    (gwet_form(3, "ordinal"), partial(gwet, weighting="ordinal")),
    (brennan_form(3), brennan_prediger),
    (alpha_form(3, "ordinal"), partial(krippendorff_alpha, level="ordinal")),
]


def slowly(table, statistic, *, without):
    """The plain jackknife's variance, each time from a table without some labels."""
    found = []
    for gone in without:
        left = table.copy()
        left[gone] = MISSING
        found.append(statistic(counted(left, values=3)).value)
    return (len(found) - 1) * np.var(found)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "statistic"), PAIRS)
def test_leaving_raters_out_by_sums_is_leaving_them_out(form, statistic):
    table = crowd(np.random.default_rng(7), items=30, raters=9, each=4, values=3)
    table[::7, 1:] = MISSING
    by_rater = slowly(table, statistic, without=[(slice(None), rater) for rater in range(9)])
    found = over_raters(form, *one_by_one(table), values=3)
    assert found.value == pytest.approx(statistic(counted(table, values=3)).value)
    half = 2.306004 * np.sqrt(by_rater)
    assert found.low == pytest.approx(found.value - half, rel=1e-5)
    items = slowly(table, statistic, without=[(item, slice(None)) for item in range(30) if (table[item] >= 0).any()])
    labels = slowly(table, statistic, without=list(zip(*np.nonzero(table != MISSING), strict=True)))
    both = max(by_rater + items - labels, by_rater, items)
    found = over_both(form, *one_by_one(table), values=3)
    assert found.low == pytest.approx(found.value - half * np.sqrt(both / by_rater), rel=1e-3)


@pytest.mark.slow
def test_items_that_hang_together_are_left_out_together():
    table = crowd(np.random.default_rng(11), items=36, raters=8, each=5, values=3)
    clusters = np.arange(36) // 3
    form, statistic = fleiss_form(3), fleiss
    rows, columns = np.ogrid[:36, :8]
    by_rater = slowly(table, statistic, without=[(slice(None), rater) for rater in range(8)])
    groups = slowly(table, statistic, without=[(clusters == group, slice(None)) for group in range(12)])
    found = over_both(form, *one_by_one(table), values=3, sample=Sample(clusters=clusters))
    met = [(clusters[rows] == group) & (columns == rater) for group in range(12) for rater in range(8)]
    cells = slowly(table, statistic, without=[cell for cell in met if (table[cell] != MISSING).any()])
    both = max(by_rater + groups - cells, by_rater, groups)
    assert found.low == pytest.approx(found.value - 2.364624 * np.sqrt(both), abs=2e-4)
    assert found.note == "interval over 12 groups of items and 8 annotators"


def test_too_few_annotators_are_said_in_words():
    table = crowd(np.random.default_rng(1), items=20, raters=3, each=3, values=3)
    found = over_raters(fleiss_form(3), *one_by_one(table), values=3)
    assert found.value is not None
    assert found.no_interval == "fewer than 5 annotators"
    nothing = np.array([], dtype=np.int64)
    assert over_raters(fleiss_form(3), nothing, nothing, nothing, values=3).undefined == "no item has two labels yet"
    ones = np.zeros(6, int)
    assert (
        "only one label"
        in over_raters(fleiss_form(2), np.repeat([0, 1], 3), np.tile([0, 1, 2], 2), ones, values=2).undefined
    )


def test_where_somebody_labeled_an_item_twice_there_is_no_interval():
    items, raters, labels = one_by_one(crowd(np.random.default_rng(1), items=20, raters=6, each=4, values=2))
    again = (np.append(each, each[0]) for each in (items, raters, labels))
    found = over_raters(fleiss_form(2), *again, values=2)
    assert found.value is not None
    assert found.no_interval == "an annotator has labeled an item twice"


def test_names_and_order_of_raters_do_not_matter():
    table = crowd(np.random.default_rng(3), items=25, raters=8, each=5, values=3)
    items, raters, labels = one_by_one(table)
    mixed = np.random.default_rng(1).permutation(len(items))
    new = np.array([50, 3, 9, 7, 100, 1, 0, 2])[raters]
    one = over_raters(fleiss_form(3), items, raters, labels, values=3)
    other = over_raters(fleiss_form(3), items[mixed], new[mixed], labels[mixed], values=3)
    assert (one.value, one.low, one.n) == pytest.approx((other.value, other.low, other.n))


def test_a_label_left_out_of_two_leaves_one_that_agrees_with_nothing():
    found = _labels(alpha_form(2, "nominal"), read_said(np.array([0, 0]), np.array([0, 1]), np.array([0, 1])), 2)
    assert (found.changes == -found.parts).all()


def skilled(rng, *, items, raters, each):
    """Annotators of different skill on items of different difficulty."""
    skill, ease = rng.beta(6, 2, size=raters), rng.beta(2, 2, size=items)
    truth = rng.integers(4, size=items)
    right = rng.random((items, raters)) < skill * (0.5 + 0.5 * ease[:, None])
    said = np.where(right, truth[:, None], rng.integers(4, size=(items, raters)))
    return np.where(rng.random((items, raters)).argsort(axis=1) < each, said, MISSING)


@pytest.mark.slow
@pytest.mark.parametrize(("items", "raters", "each"), [(100, 5, 5), (200, 30, 3), (400, 12, 12)])
def test_intervals_over_both_hold_what_other_people_and_items_would_give(items, raters, each):
    rng = np.random.default_rng(0)
    worlds = [skilled(rng, items=items, raters=raters, each=each) for _ in range(300)]
    truth = np.mean([krippendorff_alpha(counted(one, values=4), level="nominal").value for one in worlds])
    found = [over_both(alpha_form(4, "nominal"), *one_by_one(one), values=4) for one in worlds]
    held = np.mean([low <= truth <= high for low, _, high in map(ends, found)])
    assert 0.92 <= held <= 0.995


@pytest.mark.slow
@pytest.mark.parametrize("statistic", [conger, pairwise_cohen])
def test_intervals_over_items_hold_what_the_same_people_would_give(statistic):
    rng = np.random.default_rng(1)
    skill = np.array([0.9, 0.6, 0.8, 0.5, 0.7])

    def world(items):
        truth = rng.integers(3, size=items)
        right = rng.random((items, 5)) < skill
        return np.where(right, truth[:, None], rng.integers(3, size=(items, 5)))

    truth = statistic(*one_by_one(world(100_000)), values=3).value
    found = [statistic(*one_by_one(world(80)), values=3) for _ in range(400)]
    assert 0.92 <= np.mean([low <= truth <= high for low, _, high in map(ends, found)]) <= 0.98
