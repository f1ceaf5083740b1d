"""Mean ratings by attribute: what an interval is over, how often it holds the truth, and how often a difference is
shown where there is none.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import t

from comparison.statistics.by_attribute.mean_ratings import NOT_RATED, TOO_FEW_VALUES, Ratings, mean_ratings
from comparison.statistics.counts import Floats, Ints, count
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.evidence import Voices

POINTS, ITEMS_EACH, PEOPLE = 7, 12, 10


def given(rows: Ints, raters: Ints, labels: Ints, *, size: int, runs: Sequence[Floats] = (), sample: Sample = ITEMS):
    counts, points = count(rows, labels, size=size, values=POINTS), np.arange(1.0, POINTS + 1)
    scores = (counts @ points) / np.maximum(counts.sum(axis=1), 1)
    return Ratings(
        scores=np.where(counts.sum(axis=1) > 0, scores, np.nan),
        runs={str(place): one for place, one in enumerate(runs)},
        ends=(1.0, POINTS),
        points=points,
        counts=counts,
        voices=Voices(rows, raters, labels),
        sample=sample,
    )


def rated(rng: np.random.Generator, *, effect: float = 0.0, sets: bool = False):
    """Two values of twelve items each, all rated by ten people: items, people and single ratings vary."""
    size = 2 * ITEMS_EACH
    of_items = rng.normal(0, 0.7, size=ITEMS_EACH if sets else size)
    own = np.tile(of_items, 2) if sets else of_items
    condition = np.repeat([0.0, 1.0], ITEMS_EACH)
    people, slopes = rng.normal(0, 0.6, size=PEOPLE), rng.normal(0, 0.3, size=PEOPLE)
    rows, raters = np.repeat(np.arange(size), PEOPLE), np.tile(np.arange(PEOPLE), size)
    mean = 4 + own[rows] + people[raters] + condition[rows] * (effect + slopes[raters])
    labels = np.clip(np.rint(mean + rng.normal(0, 0.9, size=len(rows))), 1, POINTS).astype(np.int64) - 1
    sample = Sample(clusters=np.tile(np.arange(ITEMS_EACH), 2)) if sets else ITEMS
    return ["a"] * ITEMS_EACH + ["b"] * ITEMS_EACH, given(rows, raters, labels, size=size, sample=sample)


def is_shown(held: float | None) -> bool:
    assert held is not None
    return held <= 0.05


def holds(found: Estimate, value: float) -> bool:
    assert found.low is not None and found.high is not None
    return found.low <= value <= found.high


def test_the_mean_of_every_rating_each_with_an_interval_over_items_and_people():
    """By the book: the variances of means over items and over people, less that of single ratings."""
    column, ratings = rated(np.random.default_rng(5))
    found = mean_ratings(column, ratings).values[0]
    assert (found.items, found.ratings, found.mean.n, found.mean.unit) == (12, 120, 120, "ratings")
    table = (ratings.voices.labels + 1.0).reshape(-1, PEOPLE)[:ITEMS_EACH]
    away = table - table.mean()
    over_items = (away.sum(axis=1) ** 2).sum() * 12 / 11
    over_people = (away.sum(axis=0) ** 2).sum() * 10 / 9
    half = t.ppf(0.975, 9) * (over_items + over_people - (away**2).sum()) ** 0.5 / 120
    assert found.mean.value == pytest.approx(table.mean())
    assert (found.mean.low, found.mean.high) == pytest.approx((table.mean() - half, table.mean() + half), rel=1e-6)


def test_items_weigh_alike_however_many_ratings_they_have():
    rows, labels = np.array([0, 0, 0, 1]), np.array([0, 0, 0, 6])
    found = mean_ratings(["a", "a"], given(rows, np.arange(4), labels, size=2)).values[0]
    assert found.mean.value == 4.0


def test_a_value_without_ratings_says_so_and_is_not_tested():
    rows, raters = np.repeat(np.arange(4), 2), np.tile(np.arange(2), 4)
    labels = np.array([0, 1, 2, 3, 4, 5, 5, 4])
    found = mean_ratings(["a", "a", "b", "b", "c"], given(rows, raters, labels, size=5, runs=[np.arange(5.0)]))
    assert [one.mean.undefined for one in found.values] == ["", "", NOT_RATED]
    assert [(one.value, one.other) for one in found.gaps] == [("a", "b")]
    assert found.values[0].runs["0"].undefined.startswith("fewer than 4 items")


@pytest.mark.slow
@pytest.mark.parametrize("sets", [False, True])
def test_where_nothing_differs_few_studies_show_a_difference(sets):
    rng = np.random.default_rng(11)
    shown = [is_shown(mean_ratings(*rated(rng, sets=sets)).gaps[0].held) for _ in range(150)]
    assert np.mean(shown) <= 0.07


@pytest.mark.slow
def test_a_difference_within_item_sets_is_found_sooner_than_one_between_items():
    rng = np.random.default_rng(12)
    between, within = (
        np.mean([is_shown(mean_ratings(*rated(rng, effect=0.6, sets=sets)).gaps[0].held) for _ in range(60)])
        for sets in (False, True)
    )
    assert within > 0.85 > between


@pytest.mark.slow
def test_intervals_hold_the_mean_of_other_items_and_other_people():
    rng = np.random.default_rng(13)
    means = [mean_ratings(*rated(rng)).values[0].mean for _ in range(150)]
    assert np.mean([holds(one, 4) for one in means]) >= 0.92


def scored(rng: np.random.Generator, *, follows: Sequence[float], each: int):
    """Published ratings, and a run that follows them as much as this within each value."""
    scores = rng.normal(4, 1.5, size=each * len(follows))
    share = np.repeat(follows, each)
    run = share * (scores - 4) / 1.5 + np.sqrt(1 - share**2) * rng.normal(size=len(scores))
    column = [f"v{place}" for place in range(len(follows)) for _ in range(each)]
    return column, Ratings(scores=scores, runs={"run": run}, ends=(-9.0, 15.0))


@pytest.mark.slow
def test_one_rho_is_seldom_taken_for_several_and_several_are_found():
    rng = np.random.default_rng(14)

    def share(follows: Sequence[float], each: int) -> float:
        found = [mean_ratings(*scored(rng, follows=follows, each=each), tested=["run"]) for _ in range(150)]
        return float(np.mean([is_shown(one.same_rho[0].held) for one in found]))

    assert share([0.5, 0.5, 0.5], 10) <= 0.07
    assert share([0.8, 0.8, 0.0], 40) > 0.9


def test_rho_is_not_tested_on_few_items():
    column, ratings = scored(np.random.default_rng(15), follows=[0.5, 0.5], each=9)
    [found] = mean_ratings(column, ratings, tested=["run"]).same_rho
    assert (found.p, found.undefined) == (None, TOO_FEW_VALUES)
