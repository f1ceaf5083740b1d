"""Mean ratings by attribute: what an interval is over, how often it holds the truth, and how often a difference is
shown where there is none.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import t

from comparison.statistics.by_attribute.mean_ratings import (
    ITEMS_ALONE,
    NOT_RATED,
    TOO_FEW_VALUES,
    Ratings,
    mean_ratings,
    same_order,
)
from comparison.statistics.counts import Floats, Ints, count
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.evidence import Voices
from comparison.statistics.verdict.two_way import ONE_GROUP_APART, ONE_ITEM_APART, ONE_PERSON_APART

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
    # None: what never varies has no interval and no p.
    return held is not None and held <= 0.05


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


def drawn(rng: np.random.Generator, sizes: Sequence[int], pools: Sequence[Sequence[int]]):
    """No true difference: values of so many items, rated by these people, who differ in level and in the difference."""
    condition = np.repeat(np.arange(len(sizes)), sizes)
    many = 1 + max(map(max, pools))
    of_items, people = rng.normal(0, 0.7, size=len(condition)), rng.normal(0, 0.6, size=many)
    slopes = rng.normal(0, 0.3, size=(many, len(sizes)))
    rows = np.concatenate([np.full(len(pools[own]), row) for row, own in enumerate(condition.tolist())])
    raters = np.concatenate([np.array(pools[own]) for own in condition.tolist()])
    mean = 4 + of_items[rows] + people[raters] + slopes[raters, condition[rows]]
    labels = np.clip(np.rint(mean + rng.normal(0, 0.9, size=len(rows))), 1, POINTS).astype(np.int64) - 1
    return [f"v{one}" for one in condition], given(rows, raters, labels, size=len(condition))


EVERYBODY = range(PEOPLE)


@pytest.mark.parametrize(
    ("sizes", "pools", "why"),
    [
        ((30, 1), (EVERYBODY, EVERYBODY), ONE_ITEM_APART),
        ((1, 1), (EVERYBODY, EVERYBODY), ONE_ITEM_APART),
        ((12, 12), ((0,), range(1, PEOPLE)), ONE_PERSON_APART),
    ],
)
def test_a_value_of_one_item_or_one_annotator_has_no_interval_of_differences(sizes, pools, why):
    [gap] = mean_ratings(*drawn(np.random.default_rng(21), sizes, pools)).gaps
    assert (gap.found.low, gap.p, gap.held, gap.found.no_interval) == (None, None, None, why)


def test_a_value_whose_items_are_one_group_has_no_interval_of_differences():
    rows, raters = np.repeat(np.arange(6), 2), np.tile(np.arange(2), 6)
    groups = Sample(clusters=np.array([0, 0, 0, 1, 2, 3]))
    labels = np.array([0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 6])
    [gap] = mean_ratings(list("aaabbb"), given(rows, raters, labels, size=6, sample=groups)).gaps
    assert (gap.p, gap.found.no_interval) == (None, ONE_GROUP_APART)


def test_published_ratings_of_one_item_are_not_held_against_many():
    scores = np.array([1.0, 2, 3, 4, 6])
    [gap] = mean_ratings(list("aaaab"), Ratings(scores=scores, runs={}, ends=(1, 7))).gaps
    assert (gap.p, gap.found.no_interval) == (None, ONE_ITEM_APART)


def test_each_side_has_its_own_factor_and_the_smaller_one_the_degrees_of_freedom():
    """Of published ratings the variance is that of Welch's t."""
    rng = np.random.default_rng(22)
    one, other = rng.normal(2, 1, size=3), rng.normal(4, 1, size=9)
    ratings = Ratings(scores=np.concatenate([one, other]), runs={}, ends=(-99, 99))
    [gap] = mean_ratings(["a"] * 3 + ["b"] * 9, ratings, order=["a", "b"]).gaps
    error = (one.var(ddof=1) / 3 + other.var(ddof=1) / 9) ** 0.5
    assert gap.p == pytest.approx(2 * t.sf(abs(one.mean() - other.mean()) / error, 2), rel=1e-6)


def test_one_annotator_shows_a_large_difference_over_items_alone():
    rows = np.arange(20)
    found = mean_ratings(["a", "b"] * 10, given(rows, rows * 0, np.array([0, 6, 1, 5] * 5), size=20))
    [gap] = found.gaps
    assert is_shown(gap.held)
    assert [one.mean.note for one in found.values] == [ITEMS_ALONE, ITEMS_ALONE]
    assert gap.found.note == ITEMS_ALONE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "pools"),
    [
        ((30, 2), (EVERYBODY, EVERYBODY)),
        ((2,) * 6, (EVERYBODY,) * 6),
        ((12, 12), (range(2), range(2, PEOPLE))),
    ],
)
def test_few_items_or_few_annotators_of_a_value_seldom_show_a_difference(sizes, pools):
    rng = np.random.default_rng(23)
    studies = [mean_ratings(*drawn(rng, sizes, pools)).gaps for _ in range(100)]
    assert np.mean([any(is_shown(one.held) for one in gaps) for gaps in studies]) <= 0.07
    # What does not vary at all has no interval.
    told = [one.found for gaps in studies for one in gaps if one.found.low is not None]
    assert np.mean([holds(one, 0) for one in told]) >= 0.93


def test_means_that_differ_by_the_order_of_their_sums_are_no_evidence():
    """Of three items with .1, .2 and .3 the mean is that of one with .2, as numbers of a computer not quite."""
    first, sets = np.array([True, True, True, False]), np.zeros(4, dtype=np.int64)
    rated, scored = np.array([1.0, 2, 3, 1]), np.array([0.1, 0.2, 0.3, 0.2])
    [equal] = same_order(first, sets, rated, {"owl": scored})
    [also] = same_order(first, sets, scored, {"owl": rated})
    assert (equal.found.n, also.found.n) == (0, 0)
    [told] = same_order(np.array([True, False]), sets[:2], np.array([2.0, 1]), {"owl": np.array([2e-12, 1e-12])})
    assert told.found.n == 1


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
