"""Votes: held to ADEPT's rule, to Snow et al.'s crowd, to crowd-kit, and to what must not matter."""

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import MajorityVote
from hypothesis import given
from hypothesis import strategies as st

from comparison.statistics.aggregation import (
    NOBODY_BESIDE,
    ONE_LABEL,
    ONE_RATER,
    accuracy,
    adept,
    majority,
    ties_shared,
    weighted,
)
from comparison.statistics.counts import MISSING, count
from comparison.statistics.resampling.sample import Sample
from tests.comparison.known import known
from tests.comparison.statistics.aggregation.crowds import made, snow
from tests.comparison.statistics.agreement.made import value, width

CROWD = made()


def test_adept_is_the_majority_of_the_page():
    found = adept(*CROWD.arrays, **CROWD.sizes)
    counts = count(CROWD.items, CROWD.labels, size=200, values=3)
    assert (found.codes == majority(counts)).all()
    assert (found.credit.sum(axis=1) == (found.codes != MISSING)).all()


def test_snows_majority_with_ties_shared():
    """The figure of ../shared/data/crowd_labels/SOURCE.txt."""
    crowd = snow("snow_temp")
    found = accuracy(crowd.truth, ties_shared(*crowd.arrays, **crowd.sizes))
    assert round(value(found), 4) == 0.9361
    assert found.n == 462


def test_weights_and_their_votes_are_those_of_crowd_kit():
    """Five labels of two values: no ties, which crowd-kit would break by their place."""
    crowd = made(values=2, seed=3)
    frame = pd.DataFrame({"task": crowd.items, "worker": crowd.raters, "label": crowd.labels})
    plain = MajorityVote().fit(frame)
    expected = MajorityVote().fit(frame, skills=plain.skills_)
    found = weighted(*crowd.arrays, **crowd.sizes)
    assert found.reliability == pytest.approx(known(plain.skills_).sort_index().to_numpy())
    assert found.probabilities == pytest.approx(known(expected.probas_).to_numpy())
    assert (found.codes == known(expected.labels_).to_numpy()).all()


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        (([0, 1], [0, 0], [0, 1]), ONE_RATER),
        (([0, 0], [0, 1], [1, 1]), ONE_LABEL),
        (([0, 1], [0, 1], [0, 1]), NOBODY_BESIDE),
    ],
)
def test_what_cannot_be_weighed_is_said(arrays, reason):
    found = weighted(*map(np.array, arrays), size=2, values=2, people=2)
    assert found.undefined == reason
    assert accuracy(np.array([0, 0]), found).undefined == reason
    assert (found.codes == MISSING).all()


@pytest.mark.parametrize("way", [adept, ties_shared, weighted])
def test_no_labels_at_all(way):
    nothing = np.zeros(0, dtype=np.int64)
    assert way(nothing, nothing, nothing, size=3, values=2, people=0).undefined == "no one has labeled these items"


def test_an_item_without_labels_has_no_label_and_no_part():
    found = ties_shared(np.array([0, 0]), np.array([0, 1]), np.array([1, 1]), size=2, values=2, people=2)
    assert found.codes.tolist() == [1, MISSING]
    assert accuracy(np.array([1, 1]), found).n == 1


def test_items_that_hang_together_have_a_wider_interval():
    found = ties_shared(*CROWD.arrays, **CROWD.sizes)
    alone = accuracy(CROWD.truth, found)
    clusters = np.argsort(np.argsort(found.codes == CROWD.truth)) // 10
    together = accuracy(CROWD.truth, found, sample=Sample(clusters=clusters))
    assert together.value == alone.value
    assert width(together) > width(alone)


@pytest.mark.slow
@pytest.mark.parametrize("way", [adept, ties_shared, weighted])
@given(seed=st.integers(0, 10_000))
def test_order_and_names_of_people_do_not_matter(way, seed):
    crowd, rng = made(size=12, people=6, each=4), np.random.default_rng(seed)
    order, names = rng.permutation(len(crowd.items)), rng.permutation(6)
    first = way(*crowd.arrays, **crowd.sizes)
    second = way(crowd.items[order], names[crowd.raters[order]], crowd.labels[order], **crowd.sizes)
    assert (first.codes == second.codes).all()
    assert second.reliability[names] == pytest.approx(first.reliability, nan_ok=True)
