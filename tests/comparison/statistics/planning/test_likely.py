"""What one more person would say: labels drawn so have the study's own agreement, at any number of labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparison.statistics.agreement.coefficients import krippendorff_alpha
from comparison.statistics.planning.drawing import Design, drawn_studies
from comparison.statistics.planning.likely import likely_labels


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
@pytest.mark.parametrize("labels", [2, 3, 5, 12])
def test_labels_drawn_anew_have_the_studys_own_alpha(level, labels):
    rng = np.random.default_rng(3)
    counts = rng.multinomial(3, rng.dirichlet([0.4, 0.3, 0.8, 0.5], 800))
    own = krippendorff_alpha(counts, level=level).value
    chances = likely_labels(counts, alpha=own)
    drawn = drawn_studies(chances, np.arange(800), Design(800, labels), studies=20)
    found = [krippendorff_alpha(one.counts, level=level).value for one in drawn]
    assert np.mean(found) == pytest.approx(own, abs=0.02)


def test_shares_as_they_stand_would_agree_too_well():
    """Why they are drawn together: three labels drawn from three are more alike than three people are."""
    rng = np.random.default_rng(3)
    counts = rng.multinomial(3, rng.dirichlet([0.4, 0.3, 0.8, 0.5], 800))
    own = krippendorff_alpha(counts, level="nominal").value
    drawn = drawn_studies(counts / 3, np.arange(800), Design(800, 3), studies=20)
    assert np.mean([krippendorff_alpha(one.counts, level="nominal").value for one in drawn]) > own + 0.1


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), min_size=1, max_size=8),
    st.floats(-1, 1),
)
def test_chances_are_chances_and_keep_the_order_of_labels(rows, alpha):
    counts = np.array(rows)
    chances = likely_labels(counts, alpha=alpha)
    assert chances.sum(axis=1) == pytest.approx(np.ones(len(rows)))
    assert (chances >= 0).all()


def test_without_agreement_every_item_is_like_all_others():
    chances = likely_labels(np.array([[2, 0], [0, 2], [2, 0]]), alpha=-0.2)
    assert chances.tolist() == [[pytest.approx(2 / 3), pytest.approx(1 / 3)]] * 3
