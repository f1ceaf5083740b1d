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


@pytest.mark.slow
@pytest.mark.parametrize("pattern", SLOW)
def test_no_pattern_takes_longer_than_a_moment(pattern):
    began = time.process_time()
    for text in LONG:
        fits(pattern, text)
    is_pattern(pattern)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("pattern", ["[a-", "(", "a{99999999999}", "(a|aa)+$", "(a{1,60}){1,60}b"])
def test_what_is_no_pattern_or_a_slow_one_is_refused(pattern):
    assert not is_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "a{20000000}|.*",
        "(?:[ab]c){3000000}|.*",
        "((a{100}){100}){100}",
        "x{1i<]",
        "(?:a|b|ab){e}",
        "&{s}",
    ],
)
def test_what_would_fill_memory_or_reads_otherwise_is_not_compiled(pattern):
    """Nor at a visit, where a study has it from before."""
    began = time.process_time()
    assert not is_pattern(pattern)
    assert not fits(pattern, "a")
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "pattern",
    [
        r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}",
        r"[\w.+-]{1,64}@[\w-]{1,64}(\.[\w-]{2,63})+",
        r"[A-Z0-9]{10,24}",
        r"\{\d+\}",
    ],
)
def test_counts_that_ids_have_are_taken(pattern):
    assert is_pattern(pattern)
