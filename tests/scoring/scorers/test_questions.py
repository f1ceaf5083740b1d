"""How an item is put in words: orders, letters, message. No model is needed (docs/metrics.md, `prompted`)."""

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.tasktypes import TASK_TYPES, task_type
from annotation.tasktypes.asking import question_of
from annotation.tasktypes.contract import Prompted, PromptNumbers
from annotation.tasktypes.readouts import answered
from scoring.scorers.questions import labels, message, orders, texts


def options(count):
    return tuple((f"v{number}", f"word {number}") for number in range(count))


@pytest.mark.parametrize("count", range(2, 10))
def test_q3_every_option_stands_in_every_place_once(count):
    found = orders(options(count), ordered=False)
    assert len(found) == count
    for place in range(count):
        assert {order[place] for order in found} == set(options(count))


@pytest.mark.parametrize("count", [2, 4, 6, 8])
def test_q3_an_even_number_of_options_follow_one_another_once_each(count):
    pairs = Counter(pair for order in orders(options(count), ordered=False) for pair in pairwise(order))
    assert set(pairs.values()) == {1}
    assert len(pairs) == count * (count - 1)


def test_q3_a_scale_is_shown_as_it_is_and_turned_round():
    five = options(5)
    assert orders(five, ordered=True) == [five, five[::-1]]


def test_q2_the_message_is_what_the_page_shows_and_how_to_answer():
    task = task_type("forced_choice").configured({"question": "Which word fits best?", "options": ["more", "less"]})
    content = {"context": "It was June.", "sentence": "It was ____ cold.", "options": {"more": "very", "less": "not"}}
    request = question_of(task, content)
    assert message(request, request.options[::-1]) == (
        "It was June.\n\nIt was ____ cold.\n\nWhich word fits best?\nA. not\nB. very\n\nAnswer with one letter: A or B."
    )


@pytest.mark.parametrize("key", TASK_TYPES)
def test_q2_every_task_type_says_what_its_page_says(key):
    kind = task_type(key)
    task = kind.configured(kind.example_settings)
    [request] = task.requests(kind.example, "prompt")
    assert isinstance(request, Prompted)
    assert [value for value, _ in request.options] == list(task.scale.values)
    said = message(request, request.options)
    shown = task.page_context(kind.example, {"order": list(task.scale.values)})
    for words in [task.question, *(option.text for option in shown["options"])]:
        assert words in said
    for name in ("context", "original", "sentence", "first", "second", "passage", "asked"):
        assert shown.get(name, "") in said
    assert all(text in said for text in texts(request))


def test_labels_are_letters():
    assert labels(3) == ["A", "B", "C"]


def scale_of(key, **changes):
    kind = task_type(key)
    return kind.configured(kind.example_settings | changes).scale


BOTH = (("yes", "no"), ("no", "yes"))
WORDS = (("yes", "Yes"), ("no", "No"))


def test_q5_the_decision_is_the_option_that_every_order_prefers():
    numbers = PromptNumbers(BOTH, ((-0.1, -3.0), (-1.0, -0.1)))
    readout = answered(scale_of("yes_no"), WORDS, numbers)
    share = (1 / (1 + math.exp(-2.9)) + 1 / (1 + math.exp(-0.9))) / 2
    assert readout.decision == "yes"
    assert readout.detail["probabilities"]["yes"] == pytest.approx(share)
    assert readout.strength == pytest.approx(math.log(share / (1 - share)))
    assert readout.detail["orders"][1] == {"order": ["no", "yes"], "logprobs": [-1.0, -0.1]}


def test_q5_what_orders_disagree_on_has_a_strength_and_no_decision():
    """The first place is always preferred; what is left over is what the model says of the options."""
    readout = answered(scale_of("yes_no"), WORDS, PromptNumbers(BOTH, ((-0.1, -3.0), (-0.1, -1.0))))
    assert readout.decision is None
    assert (readout.strength or 0) > 0
    assert readout.detail["no_decision"] == "the answer changes with the order of the options: yes, then no"


@pytest.mark.parametrize("off", [0, 1e-5, -1e-5, 0.3])
def test_q5_a_model_that_sees_places_and_next_to_nothing_else_decides_nothing(off):
    readout = answered(scale_of("yes_no"), WORDS, PromptNumbers(BOTH, ((-0.1, -3.0), (-0.1, -3.0 + off))))
    assert readout.decision is None
    assert "changes with the order" in readout.detail["no_decision"]


@pytest.mark.parametrize("off", [0, 1e-5, -1e-5])
def test_q5_options_that_differ_by_what_floats_round_away_are_equally_probable(off):
    readout = answered(scale_of("yes_no"), WORDS, PromptNumbers(BOTH, ((-1.0, -1.0 + off), (-1.0 + off, -1.0))))
    assert readout.decision is None
    assert readout.detail["no_decision"] == "yes and no are equally probable"


def test_q5_on_a_scale_a_preferred_place_decides_nothing():
    scale = scale_of("rating", points=5)
    numbers = PromptNumbers((scale.values, scale.values[::-1]), ((-0.1, -3.0, -3.0, -3.0, -3.0),) * 2)
    readout = answered(scale, tuple((value, value) for value in scale.values), numbers)
    assert readout.decision is None
    assert readout.strength == pytest.approx(3)


def test_q5_on_a_scale_the_strength_is_the_expected_degree():
    scale = scale_of("rating", points=3)
    numbers = PromptNumbers((("1", "2", "3"), ("3", "2", "1")), (tuple(map(math.log, (0.2, 0.2, 0.4))),) * 2)
    readout = answered(scale, tuple((value, value) for value in scale.values), numbers)
    # .25, .25, .5 as shown; turned round .5, .25, .25.
    assert readout.strength == pytest.approx(2.0)
    assert readout.detail["probabilities"]["2"] == pytest.approx(0.25)


@pytest.mark.slow
@given(st.lists(st.floats(-800, 0), min_size=4, max_size=4))
def test_q5_probabilities_add_up_however_small(logprobs):
    numbers = PromptNumbers((("a", "b"), ("b", "a")), (tuple(logprobs[:2]), tuple(logprobs[2:])))
    assert sum(map(math.exp, numbers.of_options().values())) == pytest.approx(1)
    assert all(map(math.isfinite, numbers.of_options().values()))
