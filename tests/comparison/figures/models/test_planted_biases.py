"""Biases that are planted in made models must be found, and worlds without any must be left in peace."""

import numpy as np
import pytest

from bench.biases import (
    DEGREES,
    ITEMS,
    OPTIONS,
    PLANTED,
    SILENT,
    favoring,
    finds,
    first_option,
    first_place,
    long_texts,
    mistaken,
    one_class,
    panel,
    run,
    short_texts,
    world,
)
from comparison.figures.models.biases import LABEL, LENGTH, biases
from comparison.statistics.counts import MISSING
from tests.comparison.statistics.agreement.made import ends


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_is_found(name):
    kind, made = PLANTED[name]
    assert sum(finds(made((3, seed)), kind) for seed in range(10)) == 10


@pytest.mark.slow
@pytest.mark.parametrize("name", SILENT)
def test_worlds_without_any_bias_are_left_in_peace_at_the_stated_rate(name):
    """Of 60 worlds 3 may be named on average, and 8 or more in 1 of 100 suites; the seeds are fixed."""
    assert sum(bool(SILENT[name]((4, seed)).found) for seed in range(60)) < 8


def test_the_first_option_that_is_favored_is_named_with_its_shares():
    (line,) = first_option(1).found
    assert line.verdict == "uses “first” more often than it is right"
    low, value, _ = ends(line.figure)
    assert line.given == pytest.approx(value + (line.true or 0.0))
    assert low > 0
    assert (line.held or 0.0) >= (line.p or 1.0)


def test_of_a_favored_class_the_others_are_told_as_less_frequent():
    told = {line.about: line.verdict for line in one_class(1).found if line.kind == LABEL}
    assert told.pop("3") == "uses “3” more often than it is right"
    assert all("less often" in verdict for verdict in told.values())


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (lambda: long_texts(1), "rates longer texts higher"),
        (lambda: long_texts(1, OPTIONS), "uses “first” less often for long texts"),
        (lambda: short_texts(1), "scores fall with length"),
        (lambda: first_place(1), "favors the first option"),
    ],
)
def test_what_is_followed_is_said_in_words(found, words):
    assert words in [line.verdict for line in found().found]


def test_a_model_that_always_gives_one_class_is_found_and_has_no_length():
    _, truth, lengths = world(3, DEGREES)
    found = biases(panel(DEGREES, truth, lengths, run("r", np.full(ITEMS, 4))), {}, target="majority")
    assert "uses “5” more often than it is right" in [line.verdict for line in found.found]
    (length,) = [line for line in found.lines if line.kind == LENGTH]
    assert (length.p, length.undefined) == (None, "the run’s answers are the same for all items of a label")


def test_labels_that_go_with_length_are_no_bias_of_a_run_that_is_right():
    _, truth, lengths = world(2, DEGREES)
    found = biases(panel(DEGREES, truth, lengths, run("r", truth)), {}, target="reference")
    assert found.found == ()


def test_baselines_are_not_tested_and_cost_nothing():
    rng, truth, lengths = world(5, DEGREES)
    fair = run("fair", mistaken(rng, truth, 0.3))
    constant = run("constant", np.full(ITEMS, 4), is_baseline=True)
    alone = biases(panel(DEGREES, truth, lengths, fair), {}, target="reference")
    beside = biases(panel(DEGREES, truth, lengths, fair, constant), {}, target="reference")
    assert alone == beside
    assert beside.tests == 6


def test_a_run_that_answered_nothing_has_no_line():
    _, truth, lengths = world(6, DEGREES)
    found = biases(panel(DEGREES, truth, lengths, run("r", np.full(ITEMS, MISSING))), {}, target="reference")
    assert found.lines == ()


def test_the_page_shows_what_is_found_of_a_runs_labels_and_else_the_nearest():
    rng, truth, lengths = world(7, DEGREES)
    runs = [run("fair", mistaken(rng, truth, 0.3)), run("favoring", favoring(rng, truth, 2))]
    found = biases(panel(DEGREES, truth, lengths, *runs), {}, target="reference")
    shown = [(line.run, line.kind, line.is_found) for line in found.shown]
    assert shown.count(("fair", LABEL, False)) == 1
    assert ("favoring", LABEL, True) in shown
    assert ("favoring", LABEL, False) not in shown
