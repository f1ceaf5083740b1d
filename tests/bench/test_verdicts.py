"""The bench of made worlds: that every row of it still runs."""

import pytest

from bench.verdicts import WORLDS, count, line


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(WORLDS)), ids=lambda place: f"{WORLDS[place].claim}, {WORLDS[place].of}")
def test_a_world_of_each_row_is_made_and_judged(place):
    seen = count(place, range(1))
    assert line(WORLDS[place], seen).count("|") == 6


def test_the_same_worlds_come_again():
    assert count(0, range(10)) == count(0, range(10))
