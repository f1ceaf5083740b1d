"""A study's pattern of ids: what honest ones say, and that none takes a visitor's request with it."""

import time

import pytest

from annotation.arrival.id_pattern import fits, is_pattern

# The first three took Python's engine hours for 60 letters.
SLOW = ("(a+)+b", "([A-Za-z0-9]+)*-", "(a|aa)+$", "(a{1,60}){1,60}b", "(a?){99}" * 20)
LONG = ("a" * 60, "a" * 119 + "!", "a" * 59 + "cb", "x" * 120)


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        ("[0-9a-f]{24}", "5f" * 12, "5f" * 11),
        ("[A-Z0-9]{5,40}", "A1B2C3", "a1b2c3"),
        (r"\w+([-.]\w+)*", "anna-maria.2", "anna-"),
        (r"P\d{3}|T\d{3}", "T007", "T0071"),
    ],
)
def test_usual_patterns_hold_as_ever(pattern, good, bad):
    assert is_pattern(pattern)
    assert fits(pattern, good)
    assert not fits(pattern, bad)


@pytest.mark.parametrize("pattern", SLOW)
def test_no_pattern_takes_longer_than_a_moment(pattern):
    began = time.monotonic()
    for text in LONG:
        fits(pattern, text)
    is_pattern(pattern)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("pattern", ["[a-", "(", "a{99999999999}", "(a|aa)+$", "(a{1,60}){1,60}b"])
def test_what_is_no_pattern_or_a_slow_one_is_refused(pattern):
    assert not is_pattern(pattern)
