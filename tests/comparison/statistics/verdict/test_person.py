"""A run beside one person, in worlds where it is known what is true."""

import numpy as np
import pytest

from comparison.statistics.aggregation import majority
from comparison.statistics.counts import count
from comparison.statistics.verdict.evidence import Entrant, Evidence, Voices
from comparison.statistics.verdict.rule import verdict
from tests.comparison.statistics.verdict.made import runs_of


def said(items, raters, labels, run, *, size, truth=None, against="majority"):
    return Evidence(
        counts=count(items, labels, size=size, values=2),
        truth=np.full(size, -1) if truth is None else truth,
        words=("no", "yes"),
        ordered=False,
        entrants=(Entrant(run=1, name="m2", is_baseline=False, decided=run),),
        against=against,
        voices=Voices(items, raters, labels),
    )


def judged(*labels, **more):
    return verdict(said(*labels, **more))


def answers(rng, right, truth):
    return np.where(rng.random(len(truth)) < right, truth, 1 - truth)


def as_good_as_people(seed, *, people, items=200):
    """Everybody labels all; people are of differing skill, and the run is right as often as they are on average."""
    rng = np.random.default_rng((seed, people))
    truth, skills = rng.integers(2, size=items), rng.uniform(0.70, 0.95, size=people)
    rows, raters = np.repeat(np.arange(items), people), np.tile(np.arange(people), items)
    return rows, raters, answers(rng, skills[raters], truth[rows]), answers(rng, 0.825, truth)


@pytest.mark.slow
@pytest.mark.parametrize("people", [3, 5, 10])
def test_a_run_as_good_as_people_on_average_is_seldom_told_from_one_of_them(people):
    told = 0
    for seed in range(200):
        beside = runs_of(said(*as_good_as_people(seed, people=people), size=200)).models[0].beside
        assert beside.low is not None
        assert beside.high is not None
        told += beside.low > 0 or beside.high < 0
    # .05 of 200 is 10; it was 29, when items alone were drawn.
    assert told <= 17


def hard_and_easy(seed, *, hard=9, easy=2, items=240):
    """A third of the items is hard, and has more labels; the run is right on .80 of either kind, a person on .86."""
    rng = np.random.default_rng(seed)
    truth, is_hard = rng.integers(2, size=items), np.arange(items) < items // 3
    each = np.where(is_hard, hard, easy)
    rows = np.repeat(np.arange(items), each)
    raters = np.concatenate([rng.permutation(20)[:many] for many in each])
    right = np.where(is_hard, 0.62, 0.98)
    return rows, raters, answers(rng, right[rows], truth[rows]), answers(rng, 0.80, truth)


@pytest.mark.slow
@pytest.mark.parametrize("easy", [2, 3])
def test_a_run_below_one_person_is_not_above_where_hard_items_have_more_labels(easy):
    above = 0
    for seed in range(60):
        beside = runs_of(said(*hard_and_easy(seed, easy=easy), size=240)).models[0].beside
        above += beside.low is not None and beside.low > 0
    assert above <= 2


@pytest.mark.slow
def test_one_person_is_withheld_where_the_items_with_three_labels_are_a_selected_part():
    found = judged(*hard_and_easy(1), size=240)
    [person] = found.of("person")
    assert person.state.word == "Withheld"
    assert person.evidence.startswith("Only 80 of 240 items") and "not a random sample" in person.evidence


@pytest.mark.slow
def test_one_person_is_compared_while_labels_come_in_by_lot():
    withheld = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        truth, each = rng.integers(2, size=200), rng.integers(2, 4, size=200)
        rows = np.repeat(np.arange(200), each)
        raters = np.concatenate([rng.permutation(8)[:many] for many in each])
        given = said(rows, raters, answers(rng, 0.85, truth[rows]), answers(rng, 0.85, truth), size=200)
        withheld += bool(runs_of(given).person_withheld)
    assert withheld <= 25


@pytest.mark.slow
def test_the_sentence_counts_the_items_and_a_reference_allows_to_be_better_than_people():
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=200)
    rows, raters = np.repeat(np.arange(200), 5), np.tile(np.arange(5), 200)
    labels, run = answers(rng, 0.72, truth[rows]), answers(rng, 0.95, truth)
    [by_majority] = judged(rows, raters, labels, run, size=200).of("person")
    assert by_majority.state.word == "Above" and "200 items" in by_majority.evidence
    assert by_majority.evidence.endswith("not the same as being better than people")
    [by_reference] = judged(rows, raters, labels, run, size=200, truth=truth, against="reference").of("person")
    assert by_reference.state.word == "Above" and "nearer to the reference" in by_reference.statement
    assert "better than people" not in by_reference.text and "200 items" in by_reference.evidence


def test_a_difference_of_two_shares_is_at_most_1():
    rng = np.random.default_rng(9)
    truth = rng.integers(2, size=150)
    rows, raters = np.repeat(np.arange(150), 3), np.tile(np.arange(3), 150)
    labels = answers(rng, 0.95, np.where(raters == 2, 1 - truth[rows], truth[rows]))
    [run] = judged(rows, raters, labels, answers(rng, 0.95, truth), size=150).runs.models
    assert (run.beside.low > -1, run.beside.high) == (True, 1.0)


def test_equal_numbers_of_labels_weigh_as_single_labels_do():
    rows, raters, labels, run = as_good_as_people(5, people=4, items=60)
    counts = count(rows, labels, size=60, values=2)
    hits = tries = 0
    for row, _rater, label in zip(rows, raters, labels, strict=True):
        others = counts[row].copy()
        others[label] -= 1
        agreed = majority(others[None])[0]
        hits, tries = hits + (agreed == label), tries + (agreed >= 0)
    assert judged(rows, raters, labels, run, size=60).runs.person.value == pytest.approx(hits / tries)


def test_where_models_stand_without_who_answers_at_chance_is_said_beside_where_they_stand_with_them():
    """One of ten draws lots, and the others are right on 97 of 100: with the tenth the run's .88 is no gap."""
    rng = np.random.default_rng(4)
    truth, rows = rng.integers(2, size=200), np.repeat(np.arange(200), 5)
    raters = np.concatenate([rng.permutation(10)[:5] for _ in range(200)])
    labels = answers(rng, np.where(raters == 9, 0.5, 0.97), truth[rows])
    given = said(rows, raters, labels, answers(rng, 0.88, truth), size=200)
    found = verdict(given)
    assert found.people.at_chance is not None and found.people.at_chance.raters == (9,)
    assert found.on("person").startswith(
        "No gap to a single annotator is shown. Without labels at chance, it falls short"
    )
    assert "No gap" not in found.headline
    kept = raters != 9
    alone = runs_of(said(rows[kept], raters[kept], labels[kept], given.entrants[0].decided, size=200)).models[0].beside
    assert alone.high is not None and alone.high < 0
    [without] = found.runs.person_without
    assert (without.value, without.low) == pytest.approx((alone.value, alone.low), abs=0.01)
