"""The scatter: marks stay inside the picture, lines are the scale's points, and the sentence says what is shown."""

import numpy as np

from comparison.page.drawn.scatter import BOTTOM, TOP, scatter_plot
from comparison.statistics.strengths.binned import scatter

RNG = np.random.default_rng(7)
RATINGS = RNG.integers(1, 6, size=300).astype(float)
WORDS = ("Impossible", "Less likely", "Equally likely", "More likely", "Necessarily true")


def plot(scores, words=WORDS, ends=(1.0, 5.0)):
    found = scatter(scores, RATINGS, ends=ends)
    assert found is not None
    return scatter_plot(
        found, key="1", name="GPT-2 pll", ends=ends, words=words, rated="mean ratings", averaged="mean rating"
    )


def test_every_mark_is_inside():
    found = plot(RATINGS + RNG.normal(size=300))
    for mark in found.marks:
        assert 0 < float(mark.at.rstrip("%")) < 100
        assert TOP <= float(mark.y) <= BOTTOM
    assert [line.words for line in found.lines] == [f"{place} {word}" for place, word in enumerate(WORDS, 1)]
    assert all(0 <= float(at.rstrip("%")) <= 100 for at, _ in found.ticks)
    assert 3 <= len(found.ticks) <= 8


def test_the_sentence_is_what_the_interval_shows():
    noise = RNG.normal(size=300)
    assert plot(RATINGS + noise).sentence.endswith("a higher score goes with a higher rating.")
    assert plot(noise - RATINGS).sentence.endswith("a higher score goes with a lower rating.")
    assert plot(noise).sentence.endswith("no relation is shown.")


def test_a_numbered_scale_says_its_numbers_once():
    assert [line.words for line in plot(RATINGS + RNG.normal(size=300), ("1", "2", "3", "4", "5")).lines] == list(
        "12345"
    )
