"""A run beside one person, against a loop over people, and in worlds where the answer is known."""

import numpy as np
import pytest

from comparison.statistics.accuracy.ceiling import NO_OTHERS
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.verdict.person import NOT_DECIDED, compare_with_person, one_annotator
from tests.comparison.statistics.agreement.made import width


def made(seed, *, items=200, people=5, values=3):
    """People's labels one by one, and one more of them as a run."""
    rng = np.random.default_rng(seed)
    true = rng.dirichlet(np.full(values, 0.4), size=items)
    labels = np.array([rng.choice(values, size=people + 1, p=row) for row in true])
    return labels[:, :people], labels[:, people]


def counted(labels, values=3):
    return np.array([np.bincount(row, minlength=values) for row in labels])


def loop(labels, run):
    """Label by label: the run's hits less the person's, and how many labels could be held."""
    right, own, tries = 0, 0, 0
    for row, decision in zip(labels, run, strict=True):
        if decision == MISSING:
            continue
        for place, label in enumerate(row):
            others = np.bincount(np.delete(row, place), minlength=3)
            best = others.max()
            if best < 2 or (others == best).sum() > 1:
                continue
            right, own, tries = right + (decision == others.argmax()), own + (label == others.argmax()), tries + 1
    return right / tries, own / tries, tries


@pytest.mark.parametrize("people", [3, 4, 5])
def test_shares_are_those_of_a_loop_over_people(people):
    labels, run = made(1, people=people)
    run[:15] = MISSING
    found = compare_with_person(run, counted(labels))
    right, own, tries = loop(labels, run)
    assert (found.run, found.person) == pytest.approx((right, own))
    assert found.difference.n == tries
    assert found.difference.value == pytest.approx(right - own)
    assert found.difference.unit == "labels"


def test_the_person_s_share_is_the_ceiling_where_the_run_decides_all():
    labels, run = made(2)
    assert compare_with_person(run, counted(labels)).person == pytest.approx(
        one_annotator(counted(labels), run, against="majority").value
    )


@pytest.mark.slow
def test_a_run_that_is_one_of_the_people_cannot_be_told_from_one():
    told = [compare_with_person(run, counted(labels)).verdict for labels, run in (made(seed) for seed in range(60))]
    assert told.count("not shown to differ from one of them") >= 53


def test_a_run_that_knows_the_majority_is_nearer_and_one_that_guesses_farther():
    labels, _ = made(3)
    counts = counted(labels)
    assert compare_with_person(counts.argmax(axis=1), counts).verdict == "nearer to the others than one of them is"
    guess = np.random.default_rng(0).integers(3, size=200)
    assert compare_with_person(guess, counts).verdict == "farther from the others than one of them is"


def test_without_people_or_decisions_the_reason_is_given():
    counts = np.array([[3, 0], [1, 1]])
    assert compare_with_person(np.array([0, 0]), counts[1:].repeat(2, axis=0)).difference.undefined == NO_OTHERS
    found = compare_with_person(np.array([MISSING, 0]), counts)
    assert (found.difference.undefined, found.verdict, found.run) == (NOT_DECIDED, "", None)


def test_patterns_and_pairs_of_items():
    labels, run = made(4)
    counts = counted(labels)
    rows, times = np.unique(np.column_stack([run, counts]), axis=0, return_counts=True)
    by_pattern = compare_with_person(rows[:, 0], rows[:, 1:], sample=Sample(weights=times)).difference
    one_by_one = compare_with_person(run, counts).difference
    for end in ("value", "low", "high"):
        assert getattr(by_pattern, end) == pytest.approx(getattr(one_by_one, end))
    twice = compare_with_person(run.repeat(2), counts.repeat(2, axis=0), sample=Sample(clusters=np.arange(400) // 2))
    alone = compare_with_person(run.repeat(2), counts.repeat(2, axis=0))
    assert width(twice.difference) > 1.2 * width(alone.difference)
