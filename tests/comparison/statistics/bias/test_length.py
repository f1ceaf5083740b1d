"""The rank correlation within labels: against scipy's, against shuffling, and in groups."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from comparison.statistics.bias import LengthBias, length_bias
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.sample import Sample
from tests.comparison.statistics.agreement.made import ends, width


def made(items=60, *, follow=0.0, seed=3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=items)
    lengths = np.round(8 + 3 * truth + rng.normal(0, 2, size=items))
    return truth + follow * lengths + rng.normal(size=items), lengths, truth


def known(found: LengthBias) -> tuple[float, float]:
    """ρ and p of a bias that has them."""
    assert found.p is not None
    return ends(found.rho)[1], found.p


def test_with_one_label_it_is_spearmans():
    said, lengths, truth = made(follow=0.2)
    one = np.zeros_like(truth)
    found, expected = length_bias(said, lengths, one), spearmanr(said, lengths)
    assert found.rho.value == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue)


@pytest.mark.slow
def test_p_is_that_of_shuffling_within_labels():
    said, lengths, truth = made(follow=0.1)
    (rho, p), rng, shuffled = known(length_bias(said, lengths, truth)), np.random.default_rng(5), []
    for _ in range(2000):
        drawn = said.copy()
        for label in range(3):
            drawn[truth == label] = rng.permutation(said[truth == label])
        shuffled.append(abs(known(length_bias(drawn, lengths, truth))[0]))
    assert p == pytest.approx(np.mean(np.array(shuffled) >= abs(rho)), abs=0.02)


def test_the_labels_own_lengths_do_not_count():
    said, lengths, truth = made(items=200)
    assert spearmanr(said, lengths).pvalue < 1e-6
    assert known(length_bias(said, lengths, truth))[1] > 0.05
    shifted = length_bias(said, lengths + 100 * truth, truth)
    assert shifted.rho.value == pytest.approx(length_bias(said, lengths, truth).rho.value)


def test_items_that_are_copies_of_one_another_are_worth_one():
    said, lengths, truth = made(follow=0.15)
    four = [np.repeat(column, 4) for column in (said, lengths, truth)]
    alone, copied = length_bias(said, lengths, truth), length_bias(*four)
    grouped = length_bias(*four, sample=Sample(clusters=np.repeat(np.arange(60), 4)))
    assert known(copied)[1] < known(alone)[1] / 50
    assert known(alone)[1] / 5 < known(grouped)[1] < known(alone)[1] * 5
    assert grouped.rho.value == pytest.approx(alone.rho.value)
    assert width(grouped.rho) > 1.5 * width(copied.rho)


@pytest.mark.parametrize(
    ("said", "lengths", "truth", "reason"),
    [
        (np.arange(20.0), np.full(20, 5.0), np.zeros(20, dtype=int), "all texts of a label are equally long"),
        (
            np.ones(20),
            np.arange(20.0),
            np.zeros(20, dtype=int),
            "the run’s answers are the same for all items of a label",
        ),
        (np.arange(5.0), np.arange(5.0), np.zeros(5, dtype=int), "too few items with an answer, a length and a label"),
        (np.full(20, np.nan), np.arange(20.0), np.zeros(20, dtype=int), "too few items"),
        (np.arange(20.0), np.arange(20.0), np.full(20, MISSING), "too few items"),
    ],
)
def test_where_nothing_can_be_said_the_reason_is(said, lengths, truth, reason):
    found = length_bias(said, lengths, truth)
    assert found.p is None
    assert found.rho.undefined.startswith(reason)
