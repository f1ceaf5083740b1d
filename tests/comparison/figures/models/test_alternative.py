"""May a model take an annotator's place: the part of the page, from a panel and as it is read."""

import pytest

from comparison.figures.models.alternative import COST, Rate, Scored, alternatives
from comparison.frame.reading import read_panel
from comparison.statistics.alternative import FEWEST_ITEMS, NORMAL
from comparison.statistics.estimate import Estimate
from scoring.models import Run
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import page, words
from tests.studies import open_small_study, plausibility_row

EQUAL, LESS = "equally_likely", "less_likely"
SIZE = 34


@pytest.fixture
def labeled(db, tmp_path):
    """Four people on every item: three always agree, one is turned round every other time."""
    study = open_small_study(
        tmp_path / "wide", [plausibility_row(number) for number in range(1, SIZE + 1)], slug="wide"
    )
    names = [f"target-{number}" for number in range(1, SIZE + 1)]
    truth = [EQUAL if place % 3 else LESS for place in range(SIZE)]
    other = [LESS if label == EQUAL and place % 2 else EQUAL for place, label in enumerate(truth)]
    labels = [(name, f"p{rater}", label) for rater in range(3) for name, label in zip(names, truth, strict=True)]
    give_labels(study, labels + [(name, "p3", label) for name, label in zip(names, other, strict=True)])
    give_run(study, [(name, label, None, "") for name, label in zip(names, truth, strict=True)], key="right")
    give_run(study, [(name, "impossible", None, "") for name in names], key="wrong")
    return study


def found(study):
    return {run.model: run for run in alternatives(read_panel(study, coarse=False))}


@pytest.mark.slow
def test_who_says_what_people_say_may_and_who_never_does_may_not_and_epsilon_is_named(labeled):
    runs = found(labeled)
    right, wrong = runs["right"].scored[0], runs["wrong"].scored[0]
    assert right.scoring == "accuracy"
    assert right.advantage.value == 1
    assert right.first.cost == COST
    assert right.verdict == "Yes, at ε = .10: wins against at least half of the annotators."
    assert (wrong.first.won, wrong.first.people_tested) == (0, 4)
    assert wrong.verdict == ("Not shown: wins against fewer than half of the annotators, even at ε = .20 (experts).")


def test_what_passes_at_a_higher_cost_only_says_what_that_presumes():
    rates = tuple(
        Rate(
            cost=cost, people=people, value=0.6 * passes, won=0, people_tested=5, words="", passes=passes, undefined=""
        )
        for cost, people, passes in (
            (0.1, "crowd workers", False),
            (0.15, "trained people", False),
            (0.2, "experts", True),
        )
    )
    scored = Scored("accuracy", "the same label", Estimate(0.5, n=9), rates, (), 0)
    assert scored.verdict == ("Only at ε = .20, the value for experts.")


@pytest.mark.slow
def test_a_baseline_that_gives_one_label_takes_no_part(labeled):
    names = [f"target-{number}" for number in range(1, SIZE + 1)]
    give_run(labeled, [(name, EQUAL, None, "") for name in names], key="majority", metric="label", family="baseline")
    labels = [(name, LESS if place % 4 else EQUAL, None, "") for place, name in enumerate(names)]
    give_run(labeled, labels, key="random", metric="label", family="baseline")
    assert set(found(labeled)) == {"right", "wrong", "random"}


def test_whoever_takes_part_has_items_enough_for_students_t():
    """As docs/statistics.md says: no other test."""
    assert FEWEST_ITEMS >= NORMAL


@pytest.mark.slow
def test_an_ordered_scale_is_tried_by_distance_too(labeled):
    assert [scored.scoring for scored in found(labeled)["right"].scored] == ["accuracy", "rmse"]


def test_few_items_are_said_in_words(study):
    """Six items, of the study that all endpoints share."""
    scored = found(study)["parrot"].scored[0]
    assert scored.first.undefined.startswith("none of 3 annotators shares 30 items with others and the model")
    assert scored.verdict.startswith("Undefined: none of 3 annotators shares 30 items")
    assert (scored.rivals, scored.left_out) == ((), 3)


def test_a_study_without_labels_has_no_such_part(bare_study):
    assert alternatives(read_panel(bare_study, coarse=False)) == ()


@pytest.mark.slow
def test_the_page_asks_and_answers(logged_in, labeled):
    text = words(page(logged_in, labeled, "alternative"))
    assert "Could a model replace an annotator?" in text
    assert "Yes, at ε = .10: wins against at least half of the annotators." in text
    assert "the model wins, p &lt; .001 (t)" in text


@pytest.mark.slow
def test_the_page_says_why_not(logged_in, study):
    assert "Undefined: none of 3 annotators shares 30 items" in words(page(logged_in, study, "alternative"))


def test_a_run_that_names_no_label_takes_no_part(study):
    assert Run.objects.filter(study=study, model__key="smol").exists()
    assert "smol" not in found(study)


@pytest.mark.slow
def test_items_of_one_group_are_tested_together(labeled):
    labeled.items.update(group="")
    labeled.items.filter(position__lte=10).update(group="one source")
    tests = {rival.test for rival in found(labeled)["wrong"].scored[0].rivals}
    assert tests == {"t, groups together"}
