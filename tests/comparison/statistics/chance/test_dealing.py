"""Labels dealt out: against all deals, and in worlds of noise that an approximation by t takes for knowledge."""

import itertools

import numpy as np
import pytest

from comparison.statistics import chance
from comparison.statistics.chance import dealt
from comparison.statistics.resampling.sample import ITEMS, Sample

PRODUCTS = np.outer(np.arange(5), np.arange(5))
# Four standard deviations of a share among the deals.
OF_ITEMS, OF_GROUPS = 4 * (0.25 / 9999) ** 0.5, 4 * (0.25 / 1999) ** 0.5


@pytest.mark.parametrize("gains", [np.eye(5, dtype=int), PRODUCTS, -PRODUCTS])
def test_it_is_the_share_of_all_deals(gains):
    rng = np.random.default_rng(1)
    said, true = rng.integers(0, 5, 7), rng.integers(0, 5, 7)
    every = [gains[list(order), true].sum() for order in itertools.permutations(said)]
    expected = np.mean(np.array(every) >= gains[said, true].sum())
    assert dealt(gains, said, true, ITEMS) == pytest.approx(expected, abs=OF_ITEMS)


def test_whole_groups_change_places():
    rng = np.random.default_rng(5)
    said, true, clusters = rng.integers(0, 5, 15), rng.integers(0, 5, 15), np.arange(15) // 3
    hands = said.reshape(5, 3)
    every = [PRODUCTS[hands[list(order)].ravel(), true].sum() for order in itertools.permutations(range(5))]
    expected = np.mean(np.array(every) >= PRODUCTS[said, true].sum())
    alone = dealt(PRODUCTS, said, true, ITEMS)
    found = dealt(PRODUCTS, said, true, Sample(clusters=clusters))
    assert found == pytest.approx(max(alone, expected), abs=OF_GROUPS)


def test_of_a_few_groups_no_deal_is_rare():
    """Three groups, all right: one of their 3! deals. Groups of which none has the size of another stay in place."""
    true = np.repeat([0, 2, 4], 10)
    assert dealt(PRODUCTS, true, true, ITEMS) < 0.001
    assert dealt(PRODUCTS, true, true, Sample(clusters=true)) == pytest.approx(1 / 6, abs=OF_GROUPS)
    true = np.repeat([0, 2, 4], [1, 4, 25])
    assert dealt(PRODUCTS, true, true, Sample(clusters=true)) == 1.0


def test_groups_of_about_one_size_are_dealt_and_many_of_them_too():
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(300), rng.integers(2, 4, 300))
    true = rng.integers(0, 5, 300)[clusters]
    assert dealt(PRODUCTS, true, true, Sample(clusters=clusters)) == 1 / 2000
    assert dealt(PRODUCTS, rng.integers(0, 5, 300)[clusters], true, Sample(clusters=clusters)) > 0.05


def test_patterns_with_weights_are_items_one_by_one():
    rng = np.random.default_rng(4)
    said, true = rng.integers(0, 5, 90), rng.integers(0, 5, 90)
    pairs, counts = np.unique(np.column_stack([said, true]), axis=0, return_counts=True)
    assert dealt(PRODUCTS, pairs[:, 0], pairs[:, 1], Sample(weights=counts)) == dealt(PRODUCTS, said, true, ITEMS)


@pytest.mark.slow
@pytest.mark.parametrize("shares", [(0.96, 0.01, 0.01, 0.01, 0.01), (0.5, 0, 0, 0, 0.5)])
@pytest.mark.parametrize(("groups", "each"), [(100, 1), (12, 5)])
def test_noise_with_the_labels_own_shares_is_as_rare_as_said(shares, groups, each, monkeypatch):
    """Of 200 worlds with one label a group: 5 of 100 and four standard deviations, on either side. By t: 7 to 11."""
    # A tenth of the deals: p is as likely to be .05 or less by them.
    monkeypatch.setattr(chance, "DEALS", 999)
    monkeypatch.setattr(chance, "DEALS_OF_GROUPS", 499)
    rng, clusters = np.random.default_rng([groups, each]), np.repeat(np.arange(groups), each)
    sample = ITEMS if each == 1 else Sample(clusters=clusters)
    ps = []
    for _ in range(200):
        said, true = (rng.choice(5, groups, p=shares)[clusters] for _ in range(2))
        ps.append([dealt(gains, said, true, sample) for gains in (PRODUCTS, -PRODUCTS)])
    assert ((np.array(ps) <= 0.05).mean(axis=0) <= 0.05 + 4 * (0.05 * 0.95 / 200) ** 0.5).all()
