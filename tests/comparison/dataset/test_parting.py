"""Parting: every item once, groups whole, shares of every label, and the same again by the same seed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparison.dataset.parting import PARTS, Unit, parted

SHARES = (80, 10, 10)


def counts(units, parting):
    found: Counter[tuple[str, str]] = Counter()
    for unit in units:
        found[parting.part_of(unit.name), unit.stratum] += unit.items
    return found


def test_each_part_has_its_share_of_the_whole_and_of_every_label():
    units = [Unit(f"item {n}", "rare" if n % 20 == 0 else "common", 1) for n in range(1000)]
    found = counts(units, parted(units, shares=SHARES, seed=1))
    assert {part: found[part, "common"] + found[part, "rare"] for part in PARTS} == {
        "train": 800,
        "validation": 100,
        "test": 100,
    }
    assert [found[part, "rare"] for part in PARTS] == [40, 5, 5]


def test_another_seed_draws_others_and_the_same_one_the_same_whatever_the_order():
    units = [Unit(f"item {n}", "a", 1) for n in range(100)]
    first = parted(units, shares=SHARES, seed=1)
    assert parted(reversed(units), shares=SHARES, seed=1) == first
    other = parted(units, shares=SHARES, seed=2)
    assert [first.part_of(unit.name) for unit in units] != [other.part_of(unit.name) for unit in units]


@pytest.mark.slow
@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=200), seed=st.integers(0, 9))
def test_no_part_is_further_from_its_share_than_two_of_the_largest_groups(sizes, seed):
    units = [Unit(str(place), "abc"[place % 3], size) for place, size in enumerate(sizes)]
    found = counts(units, parted(units, shares=SHARES, seed=seed))
    for part, share in zip(PARTS, SHARES, strict=True):
        got = sum(number for (one, _), number in found.items() if one == part)
        assert abs(got - share * sum(sizes) / 100) <= 2 * max(sizes)


@pytest.mark.parametrize("empty", [(100, 0, 0), (90, 0, 10), (90, 10, 0)])
def test_a_part_of_no_share_gets_nothing(empty):
    units = [Unit(str(place), "a", 1 + place % 3) for place in range(50)]
    found = counts(units, parted(units, shares=empty, seed=1))
    for part, share in zip(PARTS, empty, strict=True):
        assert bool(found[part, "a"]) == bool(share)
