"""The alternative annotator test: held to plain loops over its paper's definitions, and to worlds of known answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from comparison.statistics.alternative import ACCURACY, RMSE, nearness, replacing
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.sample import Sample
from tests.comparison.statistics.aggregation.crowds import made
from tests.comparison.statistics.alternative import plain

NAMES = [f"p{place}" for place in range(40)]


def world(*, size=120, people=5, each=4, right=0.7, model=0.7, values=4, seed=1):
    """Labels of people who are all right `right` of the time, and a model that is right `model` of the time."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(values, size=size)
    items = np.repeat(np.arange(size), each)
    raters = np.argsort(rng.random((size, people)), axis=1)[:, :each].ravel()
    labels = np.where(rng.random(len(items)) < right, truth[items], rng.integers(values, size=len(items)))
    said = np.where(rng.random(size) < model, truth, rng.integers(values, size=size))
    said[rng.random(size) < 0.05] = MISSING
    return items, raters, labels, said


def alternative(items, raters, labels, said, *, scoring=ACCURACY, cost=0.1, fewest=30, sample=None):
    near = nearness(items, raters, labels, said, scoring=scoring)
    return replacing(near, NAMES, costs=[cost], fewest=fewest, sample=sample or Sample())[0]


@pytest.mark.parametrize("scoring", [ACCURACY, RMSE])
@pytest.mark.parametrize("cost", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("size", [25, 120])
def test_it_is_what_plain_loops_find(scoring, cost, size):
    items, raters, labels, said = world(size=size, model=0.75, seed=size)
    found = alternative(items, raters, labels, said, scoring=scoring, cost=cost, fewest=10)
    people: plain.Said = {}
    for item, rater, label in zip(items, raters, labels, strict=True):
        people.setdefault(int(rater), {})[int(item)] = float(label)
    model = {item: float(label) for item, label in enumerate(said) if label != MISSING}
    expected = plain.rivals(people, model, scoring=scoring, cost=cost, fewest=10)
    own = {int(rival.rater.removeprefix("p")): rival for rival in found.rivals}
    assert own.keys() == expected.keys()
    for person, (n, nearer, kept, p) in expected.items():
        rival = own[person]
        assert (rival.n, rival.model, rival.person) == (n, pytest.approx(nearer), pytest.approx(kept))
        assert rival.p == pytest.approx(p, abs=1e-12)
        assert rival.test == ("Wilcoxon" if n < 30 else "t")
    assert found.beaten == plain.beaten([p for *_, p in expected.values()])
    assert found.advantage.value == pytest.approx(np.mean([nearer for _, nearer, _, _ in expected.values()]))


def test_numbers_as_well_as_degrees():
    """A slider's numbers, of which tenths are not exact: sums in another order make no winner."""
    items, raters = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    labels = np.tile([0.1, 0.2, 0.3], 40)
    near = nearness(items, raters, labels, np.full(40, 0.3), scoring=RMSE)
    assert near.model[raters == 2].all()
    assert near.person[raters == 2].all()
    shifted = nearness(items, raters, labels + 1e6, np.full(40, 0.3 + 1e6), scoring=RMSE)
    assert (near.model == shifted.model).all()


def test_a_model_like_the_best_of_them_passes_and_one_that_guesses_does_not():
    assert alternative(*world(size=300, right=0.6, model=0.95)).may_replace
    guessing = alternative(*world(size=300, right=0.9, model=0.0))
    assert guessing.winning_rate == 0
    assert not guessing.may_replace


def test_a_model_that_is_one_of_them_word_for_word():
    """Where two always agree and nobody errs, ties are all there is: the model is always as near."""
    items, raters = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    found = alternative(items, raters, np.ones(120, int), np.ones(40, int))
    assert found.rate_words == "1.00, 3 of 3"
    assert found.advantage.value == 1
    assert found.advantage.no_interval == "every item contributes equally"
    assert {rival.p for rival in found.rivals} == {0.0}


def test_too_few_people_are_said():
    found = alternative(*world(people=2, each=2))
    assert found.undefined == "2 annotators share items with others and the model; the test needs 3"
    assert found.winning_rate is None
    assert not found.may_replace
    assert found.rate_words.startswith("undefined: ")
    assert found.advantage.value is not None, "ρ is there for who has enough items"


def test_too_few_items_are_said():
    found = alternative(*world(size=25, people=4, each=4))
    assert found.undefined == (
        "none of 4 annotators shares 30 items with others and the model; the test needs 3 (largest number of items: 24)"
    )
    assert found.advantage.undefined == found.undefined
    assert found.left_out == 4


def test_nobody_at_all_is_said():
    nothing = np.zeros(0, dtype=np.int64)
    assert alternative(nothing, nothing, nothing, np.zeros(4, int)).undefined.startswith("no annotator shares")
    items, raters, labels, said = world()
    assert alternative(items, raters, labels, np.full_like(said, MISSING)).undefined


def test_one_person_with_few_items_is_left_out_and_counted():
    items, raters, labels, said = world(people=5)
    few = (raters != 4) | (items < 20)
    found = alternative(items[few], raters[few], labels[few], said)
    assert len(found.rivals) == 4
    assert found.left_out == 1
    assert not found.undefined


def test_items_that_hang_together_are_one_test_of_fewer():
    """Each item four times over is no more than once."""
    items, raters, labels, said = world(size=60, people=4, each=4)
    once = alternative(items, raters, labels, said)
    copies = np.concatenate([items + 60 * copy for copy in range(4)])
    four = (copies, np.tile(raters, 4), np.tile(labels, 4), np.tile(said, 4))
    clusters = np.tile(np.arange(60), 4)
    sure, honest = alternative(*four), alternative(*four, sample=Sample(clusters=clusters))
    for alone, one, other in zip(once.rivals, honest.rivals, sure.rivals, strict=True):
        assert one.p == pytest.approx(alone.p, abs=1e-12)
        assert one.p > other.p or one.p == 0
        assert one.test == "t, groups together"
    assert honest.advantage.low == pytest.approx(once.advantage.low)


@pytest.mark.slow
@hypothesis_settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_order_and_names_of_people_and_items_do_not_matter(seed):
    items, raters, labels, said = world(size=60, people=5, seed=seed)
    rng = np.random.default_rng(seed)
    order, moved, named = rng.permutation(len(items)), rng.permutation(60), rng.permutation(5)
    first = alternative(items, raters, labels, said)
    other = np.empty_like(said)
    other[moved] = said
    second = alternative(moved[items[order]], named[raters[order]], labels[order], other)
    assert first.beaten == second.beaten
    assert first.advantage.value == pytest.approx(second.advantage.value)
    assert first.advantage.low == pytest.approx(second.advantage.low)
    assert sorted(one.p for one in first.rivals) == pytest.approx(sorted(one.p for one in second.rivals))


def test_names_of_labels_do_not_matter_to_accuracy():
    items, raters, labels, said = world()
    renamed = np.array([3, 0, 2, 1])
    other = np.where(said == MISSING, MISSING, renamed[said])
    assert alternative(items, raters, labels, said).rivals == alternative(items, raters, renamed[labels], other).rivals


@pytest.mark.slow
def test_a_model_as_good_as_people_seldom_wins_without_a_cost_and_rho_is_covered():
    """The false discovery rate at ε = 0 where none is beaten, and the share of intervals that hold ρ's mean."""
    rates, values, held = [], [], []
    for seed in range(300):
        found = alternative(*world(size=100, people=5, each=5, seed=seed), cost=0.0)
        rates.append(found.beaten > 0)
        values.append(found.advantage)
    mean = np.mean([one.value for one in values])
    held = [one.low <= mean <= one.high for one in values]
    assert np.mean(rates) <= 0.07
    assert 0.91 <= np.mean(held) <= 0.99


def test_a_real_crowds_best_person_as_the_model():
    """One of twelve, set beside the others as if a model: the best one wins more than the worst."""
    crowd = made(size=300)
    rates = []
    for person in (0, 11):
        said = np.full(300, MISSING)
        own = crowd.raters == person
        said[crowd.items[own]] = crowd.labels[own]
        rest = ~own
        found = alternative(crowd.items[rest], crowd.raters[rest], crowd.labels[rest], said)
        rates.append(found.advantage.value)
    assert rates[1] > rates[0] + 0.2
