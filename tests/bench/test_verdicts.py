"""The bench of made worlds; that every row of it runs is tested with the other benches (test_small.py)."""

from bench.verdicts import count


def test_the_same_worlds_come_again():
    assert count(0, range(10)) == count(0, range(10))
