"""What one more person would say: labels drawn so have the study's own agreement, at any number of labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.aggregation import majority
from comparison.statistics.agreement.alpha import krippendorff_alpha
from comparison.statistics.planning.plan import Design, drawn_studies, likely_labels
from tests.comparison.statistics.agreement.made import value


@pytest.mark.slow
@pytest.mark.parametrize("level", ["nominal", "ordinal"])
@pytest.mark.parametrize("labels", [2, 3, 5, 12])
def test_labels_drawn_anew_have_the_studys_own_alpha(level, labels):
    rng = np.random.default_rng(3)
    counts = rng.multinomial(3, rng.dirichlet([0.4, 0.3, 0.8, 0.5], 800))
    own = value(krippendorff_alpha(counts, level=level))
    chances = likely_labels(counts, alike=np.zeros(800, dtype=int), ordered=level == "ordinal")
    drawn = drawn_studies(chances, np.arange(800), Design(800, labels), studies=20)
    found = [value(krippendorff_alpha(one.counts, level=level)) for one in drawn]
    assert np.mean(found) == pytest.approx(own, abs=0.02)


@pytest.mark.slow
def test_shares_as_they_stand_would_agree_too_well():
    """Why they are drawn together: three labels drawn from three are more alike than three people are."""
    rng = np.random.default_rng(3)
    counts = rng.multinomial(3, rng.dirichlet([0.4, 0.3, 0.8, 0.5], 800))
    own = value(krippendorff_alpha(counts, level="nominal"))
    drawn = drawn_studies(counts / 3, np.arange(800), Design(800, 3), studies=20)
    assert np.mean([value(krippendorff_alpha(one.counts, level="nominal")) for one in drawn]) > own + 0.1


def test_what_a_run_has_right_stays_right():
    """A run that knows something of people: labels drawn anew agree with it as often, item by item and by majority."""
    rng = np.random.default_rng(8)
    truth = rng.dirichlet([0.5, 0.5, 0.5], 2000)
    counts = rng.multinomial(3, truth)
    run = np.where(rng.random(2000) < 0.7, truth.argmax(axis=1), rng.integers(3, size=2000))
    chances = likely_labels(counts, alike=run, ordered=False)
    places = np.arange(2000)
    assert chances[places, run].mean() == pytest.approx((counts / 3)[places, run].mean(), abs=1e-9)
    own = value(accuracy(run, majority(counts)).accuracy)
    drawn = drawn_studies(chances, places, Design(2000, 3), studies=20)
    found = [value(accuracy(run[one.rows], majority(one.counts)).accuracy) for one in drawn]
    assert np.mean(found) == pytest.approx(own, abs=0.02)
    together = likely_labels(counts, alike=np.zeros(2000, dtype=int), ordered=False)
    assert together[places, run].mean() < (counts / 3)[places, run].mean() - 0.02, "towards all alike, it would be lost"


def test_it_foretells_the_accuracy_with_more_labels():
    """Three labels an item tell nearly what seven will: held to seven that are truly given (.72 for .75)."""
    rng = np.random.default_rng(9)
    truth = rng.dirichlet([0.5, 0.5, 0.5], 3000)
    run = np.where(rng.random(3000) < 0.8, truth.argmax(axis=1), rng.integers(3, size=3000))
    chances = likely_labels(rng.multinomial(3, truth), alike=run, ordered=False)
    drawn = drawn_studies(chances, np.arange(3000), Design(3000, 7), studies=10)
    found = [value(accuracy(run[one.rows], majority(one.counts)).accuracy) for one in drawn]
    later = value(accuracy(run, majority(rng.multinomial(7, truth))).accuracy)
    assert np.mean(found) == pytest.approx(later, abs=0.04)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), min_size=1, max_size=30),
    st.booleans(),
)
@pytest.mark.slow
def test_chances_are_chances(rows, ordered):
    counts = np.array([*rows, (1, 1)])
    chances = likely_labels(counts, alike=np.arange(len(counts)) % 2, ordered=ordered)
    assert chances.sum(axis=1) == pytest.approx(np.ones(len(counts)))
    assert (chances >= 0).all()


def test_without_agreement_every_item_is_like_all_others():
    chances = likely_labels(np.tile([1, 1], (20, 1)), alike=np.zeros(20, dtype=int), ordered=False)
    assert chances.tolist() == [[0.5, 0.5]] * 20
