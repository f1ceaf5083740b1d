"""Raters who stand out: seldom one of those who are alike, not one who is a point lower, mostly one who answers by
lot.
"""

import numpy as np
import pytest

from comparison.statistics.agreement.rated_apart import rate_apart
from comparison.statistics.counts import Ints
from comparison.statistics.resampling.sample import Sample

POINTS = 7
Ratings = tuple[Ints, Ints, Ints]


def ratings(
    rng: np.random.Generator, *, items: int, people: int, each: int = 0, uneven: bool = False, by_lot: int | None = None
) -> Ratings:
    """People differ in level and in how much of the scale they use; `uneven`: and in care. One may answer `by_lot`."""
    each = each or people
    rows = np.repeat(np.arange(items), each)
    raters = np.concatenate([rng.permutation(people)[:each] for _ in range(items)])
    worth, level, use = rng.normal(0, 1.4, items), rng.normal(0, 0.7, people), rng.uniform(0.5, 1.2, people)
    care = rng.uniform(0.6, 1.6, people) if uneven else np.ones(people)
    said = 4 + level[raters] + use[raters] * (worth[rows] + care[raters] * rng.normal(size=len(rows)))
    labels = np.clip(np.rint(said), 1, POINTS).astype(np.int64) - 1
    if by_lot is not None:
        labels[raters == by_lot] = rng.integers(POINTS, size=(raters == by_lot).sum())
    return rows, raters, labels


DESIGNS = (
    {"items": 20, "people": 4},
    {"items": 60, "people": 5},
    {"items": 140, "people": 12, "each": 4},
    {"items": 60, "people": 8, "uneven": True},
    {"items": 200, "people": 12, "uneven": True},
)
POWER = (0.6, 0.9, 0.75, 0.95, 0.95)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_among_alike_people_somebody_is_named_in_few_studies(design):
    rng = np.random.default_rng(1)
    assert np.mean([bool(rate_apart(*ratings(rng, **design))) for _ in range(200)]) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize(("design", "power"), list(zip(DESIGNS, POWER, strict=True)))
def test_who_answers_by_lot_is_named_and_nobody_else(design, power):
    rng = np.random.default_rng(2)
    named = [rate_apart(*ratings(rng, by_lot=0, **design)) for _ in range(100)]
    assert np.mean([0 in one for one in named]) >= power
    assert np.mean([bool(set(one) - {0}) for one in named]) <= 0.05


def test_who_rates_a_point_lower_or_in_the_middle_is_not_named():
    rows, raters, labels = ratings(np.random.default_rng(3), items=80, people=6)
    lower = np.where(raters == 1, np.maximum(labels - 1, 0), labels)
    middle = np.where(raters == 2, 2 + labels // 3, lower)
    assert rate_apart(rows, raters, middle) == ()


def test_who_gives_one_rating_or_turns_the_scale_round_is_named():
    rows, raters, labels = ratings(np.random.default_rng(4), items=80, people=8)
    labels = np.where(raters == 1, 3, np.where(raters == 2, POINTS - 1 - labels, labels))
    assert rate_apart(rows, raters, labels) == (1, 2)


def test_on_few_items_or_of_two_people_nobody_is_named():
    rng = np.random.default_rng(5)
    assert rate_apart(*ratings(rng, items=9, people=6, by_lot=0)) == ()
    assert rate_apart(*ratings(rng, items=90, people=2, by_lot=0)) == ()
    assert rate_apart(np.zeros(0, int), np.zeros(0, int), np.zeros(0, int)) == ()


def test_items_of_one_group_are_no_evidence_one_by_one():
    rows, raters, labels = ratings(np.random.default_rng(6), items=40, people=6, by_lot=0)
    assert rate_apart(rows, raters, labels) == (0,)
    assert rate_apart(rows, raters, labels, sample=Sample(clusters=np.repeat([0, 1], 20))) == ()
