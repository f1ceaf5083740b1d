"""Shares on which all agree: no interval without a width, and none that claims what so few cannot show."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from comparison.statistics.accuracy.ceiling import against_reference
from comparison.statistics.agreement.cohen import repeated
from comparison.statistics.agreement.from_counts import percent_agreement
from comparison.statistics.by_attribute.label_shares import label_shares
from comparison.statistics.counts import Ints
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.verdict.evidence import MAJORITY, Voices
from comparison.statistics.verdict.measure import measure_of
from comparison.statistics.verdict.person import besides, one_annotator


def all_alike(items: int, people: int) -> tuple[Ints, Voices]:
    counts = np.zeros((items, 2), dtype=np.int64)
    counts[:, 0] = people
    rows, raters = np.repeat(np.arange(items), people), np.tile(np.arange(people), items)
    return counts, Voices(rows, raters, np.zeros(items * people, dtype=np.int64))


@pytest.mark.parametrize(
    ("items", "people", "units"), [(2, 3, 2), (2, 4, 2), (3, 5, 3), (10, 4, 4), (200, 3, 3), (50, 60, 50)]
)
def test_one_annotator_has_the_interval_of_the_fewer_of_items_and_people(items, people, units):
    counts, voices = all_alike(items, people)
    found = one_annotator(counts, np.zeros(items, dtype=np.int64), against=MAJORITY, voices=voices)
    low, _ = proportion_confint(units, units, method="wilson")
    assert (found.value, found.low, found.high) == pytest.approx((1.0, low, 1.0))


def test_a_difference_that_never_varies_has_no_interval():
    counts, voices = all_alike(2, 3)
    truth = np.zeros(2, dtype=np.int64)
    here = np.ones(2, dtype=np.bool_)
    by = measure_of("accuracy", ordered=False)
    found = besides(by, counts, truth, [truth], against=MAJORITY, here=here, voices=voices)
    assert (found.runs[0].low, found.runs[0].no_interval) == (None, "the value is the same for all items and people")


def test_shares_of_several_labels_an_item_do_too():
    counts, _ = all_alike(5, 3)
    low, high = proportion_confint(5, 5, method="wilson")[0], proportion_confint(0, 5, method="wilson")[1]
    for found in (percent_agreement(counts), against_reference(counts, np.zeros(5, dtype=np.int64))):
        assert (found.low, found.high) == pytest.approx((low, 1.0))
    [value] = label_shares(["a"] * 5, counts)
    assert [(one.share.low, one.share.high) for one in value.shares] == [
        pytest.approx((low, 1.0)),
        pytest.approx((0.0, high)),
    ]


def test_of_a_label_nobody_used_it_is_not_said_that_all_agree():
    counts, _ = all_alike(6, 3)
    used, unused = label_shares(["a"] * 6, counts)[0].shares
    assert used.share.note == "18 labels of 6 items; Wilson’s interval of 6 items that all agree"
    assert unused.share.note == "18 labels of 6 items; Wilson’s interval of 0 of 6 items"


def test_groups_are_what_agrees():
    counts, _ = all_alike(6, 3)
    found = percent_agreement(counts, sample=Sample(clusters=np.repeat(np.arange(2), 3)))
    assert found.low == pytest.approx(proportion_confint(2, 2, method="wilson")[0])
    assert found.note == "Wilson’s interval of 2 groups that all agree"


def test_somebody_who_repeats_every_label():
    items = np.tile(np.arange(4), 2)
    found = repeated(items, np.zeros(8, dtype=np.int64), np.tile([0, 1, 0, 1], 2), values=2)
    assert found.percent.low == pytest.approx(proportion_confint(4, 4, method="wilson")[0])
    assert found.kappa.low is None


@pytest.mark.slow
@pytest.mark.parametrize(("share", "items"), [(0.9, 5), (0.95, 10), (0.98, 30)])
def test_it_holds_the_share_where_people_nearly_always_agree(share, items):
    """Labels of an item are all alike, the worst case; items that differ give other intervals, which are not its."""
    rng, held, met = np.random.default_rng(5), 0, 0
    for agreed in rng.binomial(items, share, size=2000):
        if agreed < items:
            continue
        met += 1
        found = percent_agreement(all_alike(items, 3)[0])
        held += found.low is not None and found.low <= share
    assert met > 500
    assert held == met
