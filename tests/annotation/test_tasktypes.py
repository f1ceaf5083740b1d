"""The contract every task type keeps, tested over the registry; a new one is tested on arrival."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import get_template

from annotation.tasktypes import TASK_TYPES, task_type
from annotation.tasktypes.contract import (
    AnswerError,
    Cloze,
    ClozeNumbers,
    Labeled,
    LabelNumbers,
    Sentence,
    SentenceNumbers,
    Unscorable,
)


@pytest.fixture(params=TASK_TYPES)
def task(request):
    found = task_type(request.param)
    return found.configured(found.example_settings)


@pytest.fixture
def presentation(task):
    return task.present(task.example, random.Random(1))


def answers(requests):
    """Made-up numbers of the right kind for each request, all different."""
    for place, request in enumerate(requests):
        match request:
            case Cloze(candidates=candidates):
                count = len(candidates)
                yield ClozeNumbers(tuple(-1.0 - n for n in range(count)), tuple(range(1, count + 1)), (("a", -0.5),))
            case Sentence():
                yield SentenceNumbers(-10.0 - place, (("a", -10.0 - place),))
            case Labeled(labels=labels):
                yield LabelNumbers(labels[-1])


def test_its_example_is_valid(task):
    assert task.faults_in_settings(task.example_settings) == []
    assert task.validate(task.example) == []


def test_empty_content_is_not_valid(task):
    assert task.validate({}) != []


def test_unknown_content_is_named(task):
    assert "surprise" in [fault.field for fault in task.validate(task.example | {"surprise": "x"})]


def test_unknown_settings_are_named(task):
    assert "surprise" in [fault.field for fault in task.faults_in_settings(task.example_settings | {"surprise": 1})]


def test_presentation_is_json_and_repeats_from_a_seed(task, presentation):
    assert json.loads(json.dumps(presentation)) == presentation
    assert task.present(task.example, random.Random(1)) == presentation


def test_every_value_is_shown_once_with_its_own_key(task, presentation):
    options = task.page_context(task.example, presentation)["options"]
    assert sorted(task.parse(option.value, presentation) for option in options) == sorted(task.scale.values)
    assert len({option.key for option in options}) == len(options)


def test_what_is_shown_can_be_answered_and_nothing_else(task, presentation):
    for value in task.scale.values:
        assert task.parse(task.posted(value, presentation), presentation) == value
    for wrong in ("", "0", "banana", task.scale.values[0] + "X"):
        with pytest.raises(AnswerError):
            task.parse(wrong, presentation)


def test_its_template_exists_in_its_folder(task):
    template: Any = get_template(task.template)
    assert Path(template.origin.name) == settings.BASE_DIR / "annotation" / "tasktypes" / f"{task.key}.html"


@pytest.mark.parametrize("shape", ["cloze", "sentence", "label"])
def test_numbers_are_read_as_a_decision_on_the_scale(task, shape):
    requests = task.requests(task.example, shape)
    readout = task.readout(task.example, shape, list(answers(requests)))
    assert readout.decision is None or readout.decision in task.scale.values
    assert readout.decision is not None or readout.strength is not None
    json.dumps(readout.detail)


def test_distance_is_symmetric_and_zero_only_for_the_same(task):
    for one in task.scale.values:
        for other in task.scale.values:
            assert task.scale.distance(one, other) == task.scale.distance(other, one)
            assert (task.scale.distance(one, other) == 0) == (one == other)


def test_unknown_task_type_lists_those_there_are():
    with pytest.raises(LookupError, match="forced_choice, plausibility, rating, yes_no"):
        task_type("triangle")


# --- Readings that belong to one task type ---------------------------------------------------------

PAIR = {"options": {"good": "The farmer near the trees smiles.", "bad": "The farmer near the trees smile."}}


@pytest.fixture
def pairs():
    return task_type("forced_choice").configured({"question": "?", "options": ["good", "bad"]})


def test_whole_sentences_that_differ_in_one_word_become_a_cloze(pairs):
    assert pairs.requests(PAIR, "cloze") == [Cloze("The farmer near the trees ____.", ("smiles", "smile"))]


def test_whole_sentences_that_differ_in_two_words_do_not(pairs):
    content = {"options": {"good": "The farmer smiles now.", "bad": "The farmers smile now."}}
    with pytest.raises(Unscorable, match="differ in 2 words"):
        pairs.requests(content, "cloze")


def test_whole_sentences_keep_their_own_white_space_around_the_slot(pairs):
    """G1: nothing is changed."""
    options = {"good": "The  dog\u00a0 barks\nloudly.", "bad": "The  dog\u00a0 bark\nloudly."}
    assert pairs.requests({"options": options}, "cloze") == [Cloze("The  dog\u00a0 ____\nloudly.", ("barks", "bark"))]
    with pytest.raises(Unscorable, match="differ in white space"):
        pairs.requests({"options": options | {"bad": "The dog\u00a0 bark\nloudly."}}, "cloze")


@pytest.mark.parametrize("name", ["sentence", "neutral"])
@pytest.mark.parametrize("text", ["It is ______ cold.", "It is _____ cold.", "_____", "It is ____", "__ ____ cold."])
def test_a_slot_is_four_underscores_and_no_more(pairs, name, text):
    content = {"sentence": "It is ____.", "options": {"good": "very", "bad": "not"}} | {name: text}
    faults = [(fault.field, fault.message) for fault in pairs.validate(content)]
    too_many = "has an extra underscore next to its slot, which must be exactly ____"
    assert faults == ([(name, too_many)] if "_____" in text else [])


def test_equal_options_leave_no_decision(pairs):
    readout = pairs.readout(PAIR, "sentence", [SentenceNumbers(-5.0, ()), SentenceNumbers(-5.0, ())])
    assert (readout.decision, readout.strength) == (None, 0.0)
    assert "equally probable" in readout.detail["no_decision"]


def test_strength_is_the_lead_of_the_first_role(pairs):
    readout = pairs.readout(PAIR, "sentence", [SentenceNumbers(-5.0, ()), SentenceNumbers(-7.5, ())])
    assert (readout.decision, readout.strength) == ("good", 2.5)


def test_option_order_varies_but_keys_follow_the_place(pairs):
    orders = {tuple(pairs.present(PAIR, random.Random(seed))["order"]) for seed in range(20)}
    assert orders == {("good", "bad"), ("bad", "good")}
    for order in orders:
        assert [option.key for option in pairs.page_context(PAIR, {"order": list(order)})["options"]] == ["F", "J"]


def test_forced_choice_posts_places_and_never_roles(pairs):
    for order in (["good", "bad"], ["bad", "good"]):
        options = pairs.page_context(PAIR, {"order": order})["options"]
        assert [option.value for option in options] == ["1", "2"]
        assert [pairs.parse(option.value, {"order": order}) for option in options] == order
    with pytest.raises(AnswerError):
        pairs.parse("good", {"order": ["good", "bad"]})


def test_forced_choice_neutral_is_a_text_with_one_slot_that_people_never_see(pairs):
    content = {"sentence": "It is ____ cold.", "options": {"good": "very", "bad": "not"}, "neutral": "is ____ odd."}
    assert pairs.validate(content) == []
    assert "odd" not in str(pairs.page_context(content, pairs.present(content, random.Random(1))))
    assert "odd" not in pairs.text(content)
    for wrong, why in (("is odd.", "exactly one slot"), ("____ ____", "exactly one slot"), ("", "must be text")):
        (fault, *_) = pairs.validate(content | {"neutral": wrong})
        assert fault.field == "neutral"
        assert why in fault.message


def test_plausibility_marks_the_modifier_as_a_whole_word():
    task = task_type("plausibility").configured({})
    content = {"original": "A badger digs.", "modified": "A bad badger digs.", "modifier": "bad"}
    shown = task.page_context(content, {"order": list(task.scale.values)})
    assert (shown["before"], shown["modifier"], shown["after"]) == ("A ", "bad", " badger digs.")


def test_plausibility_merges_five_degrees_to_three():
    scale = task_type("plausibility").configured({}).scale
    assert scale.coarse_values == ("less_likely", "equally_likely", "more_likely")


def test_a_label_with_probabilities_has_the_strength_of_an_answer_in_words():
    """Expected degree on an ordered scale: 1·.1 + 2·.2 + 3·.4 + 4·.2 + 5·.1 = 3; otherwise log-odds of the first."""
    plausibility, yes_no = (task_type(key).configured({}) for key in ("plausibility", "yes_no"))
    shares = dict(zip(plausibility.scale.values, (0.1, 0.2, 0.4, 0.2, 0.1), strict=True))
    found = plausibility.readout(plausibility.example, "label", [LabelNumbers("equally_likely", shares, "cut")])
    assert (found.decision, found.detail) == ("equally_likely", {"probabilities": shares, "note": "cut"})
    assert found.strength == pytest.approx(3.0)
    found = yes_no.readout(yes_no.example, "label", [LabelNumbers("no", {"yes": 0.2, "no": 0.8})])
    assert found.strength == pytest.approx(math.log(0.2 / 0.8))
    assert yes_no.readout(yes_no.example, "label", [LabelNumbers("no")]).strength is None
    sure = yes_no.readout(yes_no.example, "label", [LabelNumbers("no", {"yes": 0.0, "no": 1.0})])
    assert (sure.decision, sure.strength) == ("no", None)


def test_a_plausibility_label_is_asked_with_the_noun_that_the_modifier_belongs_to():
    task = task_type("plausibility").configured({})
    (request,) = task.requests(task.example, "label")
    assert isinstance(request, Labeled)
    assert (request.focus, request.head) == ("false", "key")
