"""Measures of the table of true and given labels, against scikit-learn and by hand."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    mean_absolute_error,
)

from comparison.statistics.accuracy.classes import macro_f1
from comparison.statistics.accuracy.confusion import ONE_DECISION, matthews
from comparison.statistics.accuracy.crossed import (
    balanced_accuracy,
    crossed,
    mean_distance,
    one_person,
    people_beside_truth,
    weighted_kappa,
)
from comparison.statistics.accuracy.hits import NOTHING_SHARED, kappa
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.verdict.person import one_annotator
from tests.comparison.statistics.agreement.made import ends, width

OURS = {
    "balanced": balanced_accuracy,
    "f1": macro_f1,
    "matthews": matthews,
    "linear": lambda found: weighted_kappa(found, weights="linear"),
    "quadratic": lambda found: weighted_kappa(found, weights="quadratic"),
    "distance": mean_distance,
}
THEIRS = {
    "balanced": balanced_accuracy_score,
    "f1": lambda true, given: f1_score(true, given, average="macro"),
    "matthews": matthews_corrcoef,
    "linear": lambda true, given: cohen_kappa_score(true, given, labels=range(4), weights="linear"),
    "quadratic": lambda true, given: cohen_kappa_score(true, given, labels=range(4), weights="quadratic"),
    "distance": mean_absolute_error,
}


def made(seed, *, items=80, values=4):
    rng = np.random.default_rng(seed)
    truth = rng.choice(values, size=items, p=[0.6, 0.2, 0.15, 0.05])
    decided = np.where(rng.random(items) < 0.6, truth, rng.integers(values, size=items))
    return decided, truth


def table(decided, truth, **options):
    return crossed(decided, truth, values=4, called="references", **options)


@pytest.mark.parametrize("measure", OURS)
@pytest.mark.parametrize("seed", range(5))
def test_values_are_those_of_scikit_learn(measure, seed):
    decided, truth = made(seed)
    found = OURS[measure](table(decided, truth))
    assert found.value == pytest.approx(THEIRS[measure](truth, decided), abs=1e-12)
    assert found.n == 80
    low, middle, high = ends(found)
    assert low <= middle <= high


@pytest.mark.parametrize("measure", OURS)
@pytest.mark.slow
def test_an_interval_is_that_of_drawing_the_items_themselves(measure):
    """By a loop that draws items one by one and asks scikit-learn each time; other draws, so near and not the same."""
    decided, truth = made(7)
    rng = np.random.default_rng(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a draw can lack a label that is decided
        draws = [rng.integers(80, size=80) for _ in range(800)]
        loop = np.percentile([THEIRS[measure](truth[chosen], decided[chosen]) for chosen in draws], [2.5, 97.5])
    found = OURS[measure](table(decided, truth))
    low, _, high = ends(found)
    assert abs(low - loop[0]) < 0.12 * width(found)
    assert abs(high - loop[1]) < 0.12 * width(found)


@pytest.mark.parametrize("measure", OURS)
def test_patterns_with_weights_give_the_same_figures_as_their_items(measure):
    decided, truth = made(3)
    pairs, times = np.unique(np.column_stack([decided, truth]), axis=0, return_counts=True)
    patterns = table(pairs[:, 0], pairs[:, 1], sample=Sample(weights=times))
    assert OURS[measure](patterns) == OURS[measure](table(decided, truth))


@pytest.mark.parametrize("measure", OURS)
def test_items_that_stand_in_pairs_have_wider_intervals(measure):
    decided, truth = (np.repeat(one, 2) for one in made(3, items=60))
    alone = OURS[measure](table(decided, truth))
    tied = OURS[measure](table(decided, truth, sample=Sample(clusters=np.arange(120) // 2)))
    assert tied.value == alone.value
    assert width(tied) > 1.2 * width(alone)


def test_items_without_a_decision_or_a_label_are_left_out():
    decided, truth = made(4)
    decided[:10], truth[10:20] = MISSING, MISSING
    assert balanced_accuracy(table(decided, truth)) == balanced_accuracy(table(decided[20:], truth[20:]))


@pytest.mark.parametrize("measure", OURS)
def test_where_nothing_is_shared_the_reason_is_given(measure):
    none = np.full(3, MISSING)
    assert OURS[measure](table(none, np.zeros(3, dtype=int))).undefined == NOTHING_SHARED


@pytest.mark.parametrize("measure", sorted(set(OURS) - {"distance"}))
def test_where_all_that_is_true_is_one_label_nothing_is_said_of_skew_or_chance(measure):
    found = OURS[measure](table(np.array([0, 1, 0]), np.zeros(3, dtype=int)))
    assert (found.undefined, found.n) == ("all references are one label", 3)


def test_one_decision_has_no_correlation_half_the_balance_and_no_kappa():
    truth = np.array([0] * 9 + [1])
    found = crossed(np.zeros(10, dtype=int), truth, values=2, called="references")
    assert matthews(found).undefined == ONE_DECISION
    assert balanced_accuracy(found).value == 0.5
    assert weighted_kappa(found, weights="quadratic").value == pytest.approx(0)


def test_one_person_is_held_as_in_the_ceiling():
    counts = np.random.default_rng(2).multinomial(5, [0.5, 0.3, 0.2], size=40)
    found = one_person(counts)
    right = np.trace(found.table) / found.table.sum()
    ceiling = one_annotator(counts, np.zeros(40, dtype=int), against="majority")
    assert right == pytest.approx(ceiling.value)
    assert (found.n, found.unit) == (ceiling.n, "labels")
    distance = mean_distance(found)
    assert (distance.unit, distance.note) == ("labels", ceiling.note)


def test_one_person_s_distance_by_hand():
    # Three labels 0, 0, 2: only the last one has others that agree, and lies two degrees off.
    assert mean_distance(one_person(np.array([[2, 0, 1]]))).value == 2
    # Labels 0, 1, 1, 1: the first is one degree off, the three others have two others who agree with them.
    assert mean_distance(one_person(np.array([[1, 3, 0]]))).value == 0.25


def test_people_beside_references_are_their_labels_one_by_one():
    counts, truth = np.array([[2, 1, 0], [0, 0, 3], [1, 1, 1]]), np.array([0, 1, MISSING])
    found = people_beside_truth(counts, truth)
    assert found.n == 6
    assert mean_distance(found).value == pytest.approx((1 + 3) / 6)
    alone = crossed(np.array([0, 0, 1, 2, 2, 2]), np.array([0, 0, 0, 1, 1, 1]), values=3, called="references")
    assert macro_f1(found).value == pytest.approx(macro_f1(alone).value)


pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


@given(pairs)
@settings(max_examples=60, deadline=None)
@pytest.mark.slow
def test_whatever_the_labels_figures_are_bounded_and_hold_under_turning(given_pairs):
    decided, truth = np.array(given_pairs).T
    found = {name: measure(table(decided, truth)) for name, measure in OURS.items()}
    for name, one in found.items():
        if one.value is not None:
            assert (0 if name in ("balanced", "f1", "distance") else -1) - 1e-9 <= one.value
            assert one.value <= (3 if name == "distance" else 1) + 1e-9
    # The names of labels do not matter to these, nor the end of the scale at which counting begins to those.
    renamed = np.array([2, 0, 3, 1])
    for name in ("balanced", "f1", "matthews"):
        again = OURS[name](table(renamed[decided], renamed[truth])).value
        assert again == pytest.approx(found[name].value) if again is not None else found[name].value is None
    for name in ("linear", "quadratic", "distance"):
        again = OURS[name](table(3 - decided, 3 - truth)).value
        assert again == pytest.approx(found[name].value) if again is not None else found[name].value is None


def test_perfect_decisions_are_perfect_by_every_measure():
    truth = np.array([0, 1, 2, 3, 3])
    values = {name: measure(table(truth, truth)).value for name, measure in OURS.items()}
    assert values == pytest.approx({**dict.fromkeys(OURS, 1.0), "distance": 0.0})


def test_of_two_labels_weighted_kappa_is_plain_kappa():
    decided, truth = np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 1, 0])
    found = crossed(decided, truth, values=2, called="references")
    plain = kappa(decided, truth, values=2).value
    assert weighted_kappa(found, weights="linear").value == pytest.approx(plain)
    assert weighted_kappa(found, weights="quadratic").value == pytest.approx(plain)
