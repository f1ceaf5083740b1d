"""Mean ranks over studies: which block they are of, and when an order is shown."""

import numpy as np
import pytest
from scipy.stats import permutation_test

from comparison.statistics.mean_ranks import SAME, TOO_FEW, MeanRanks, _p, mean_ranks


def agreeing(studies, models="abc"):
    """Studies in which models always stand in the same order."""
    return {f"s{n}": {name: 0.9 - place / 10 for place, name in enumerate(models)} for n in range(studies)}


def ranked(nearness) -> MeanRanks:
    found = mean_ranks(nearness)
    assert found is not None
    return found


def test_ranks_are_of_a_block_and_the_largest_is_taken():
    every = {**agreeing(3), "other": {"a": 0.1, "d": 0.9}, "alone": {"d": 0.3}}
    found = ranked(every)
    assert found.studies == ("s0", "s1", "s2")
    assert "d" not in found.of, "it was not compared in these"
    assert [one.mean.value for one in found.of.values()] == [1, 2, 3]


def test_where_no_two_models_share_two_studies_there_is_none():
    assert mean_ranks({}) is None
    assert mean_ranks({"x": {"a": 1.0, "b": 0.5}}) is None
    assert mean_ranks({"x": {"a": 1.0}, "y": {"a": 0.5}}) is None


def test_few_studies_show_no_order_and_it_is_said_how_many_it_takes():
    few = ranked(agreeing(5))
    assert not few.shows_order
    assert few.first == ("a", "b", "c")
    assert few.needed == 7, "2 · 3 pairs / 2^7 is the first below .05"
    assert not ranked(agreeing(few.needed - 1)).shows_order
    assert ranked(agreeing(few.needed)).first == ("a",)


def test_an_interval_takes_six_studies_and_some_spread():
    assert ranked(agreeing(5)).of["a"].mean.no_interval == TOO_FEW
    assert ranked(agreeing(6)).of["a"].mean.no_interval == SAME
    mixed = agreeing(8)
    mixed["s0"] = {"a": 0.1, "b": 0.2, "c": 0.3}
    found = ranked(mixed).of["a"].mean
    assert (found.value, found.low, found.n) == (1.25, 1.0, 8), "no rank is below 1"
    assert found.high == pytest.approx(1.25 + 2.3646 * np.std([3] + [1] * 7, ddof=1) / np.sqrt(8), abs=1e-3)


@pytest.mark.slow
def test_in_noise_an_order_is_rarely_shown():
    rng = np.random.default_rng(5)
    shown = 0
    for _ in range(200):
        drawn = {f"s{n}": dict(zip("abcd", rng.random(4), strict=True)) for n in range(12)}
        shown += ranked(drawn).shows_order
    assert shown <= 16, "5 % of 200, and what chance adds"


@pytest.mark.parametrize("differences", [[1, 2, -1, 3, 0.5], [2, 2, 2, 1, 1, 0], [-1, 1, 0.5, 0.5]])
def test_p_is_that_of_all_sign_flips(differences):
    given = np.array(differences, dtype=float)
    held = permutation_test((given,), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert _p(given) == pytest.approx(min(1.0, held.pvalue))
