"""The parts of an item's texts that metrics read alone."""

import pytest

from annotation.tasktypes import task_type
from annotation.tasktypes.contract import Cloze, ClozeNumbers, Sentence, SentenceNumbers
from annotation.tasktypes.regions import parting, sentence

CHOICE = task_type("forced_choice").configured({"question": "Which?", "options": ["one", "other"]})
RATING = task_type("rating").configured({"question": "How?", "points": 7, "low": "not", "high": "very"})
YES_NO = task_type("yes_no").configured({})
PAIR = {
    "options": {"one": "The cop caught the thief.", "other": "The thief caught the cop."},
    "verb_at": {"one": 2, "other": 2},
}


def part(request, name):
    assert isinstance(request, Sentence)
    region = request.region(name)
    return request.text[region.start : region.end] if region else None


def parts(task, content, name):
    return [part(request, name) for request in task.requests(content, "sentence")]


def test_the_verb_is_the_word_at_its_place_without_punctuation():
    assert part(sentence("“Run!” she said.", verb_at=0), "verb") == "Run"
    assert part(sentence("He re-reads it.", before="Look.", verb_at=1), "verb") == "re-reads"
    assert part(sentence("It is — he left.", verb_at=2), "verb") == "—"


def test_each_option_has_its_verb():
    assert parts(CHOICE, PAIR, "verb") == ["caught", "caught"]
    assert parts(RATING, {"sentence": "The cop slept.", "verb_at": {"sentence": 2}}, "verb") == ["slept"]
    assert parts(RATING, {"sentence": "The cop slept."}, "verb") == [None]


def test_whole_sentences_go_on_where_they_part():
    assert parts(CHOICE, PAIR, "continuation") == ["cop caught the thief.", "thief caught the cop."]
    assert parting(["She can run.", "She cannot run."]) == len("She ")
    assert parting(["He ate.", "He ate it."]) == len("He ")


@pytest.mark.parametrize("longer", ["He ate it.", "He ate.", "He ate, too."])
def test_l5_nothing_differs_in_an_option_that_is_the_beginning_of_the_other(longer):
    for one, other in (("He ate", longer), (longer, "He ate")):
        found = parts(CHOICE, {"options": {"one": one, "other": other}}, "continuation")
        assert found == [text.removeprefix("He ate") for text in (one, other)]


@pytest.mark.parametrize("longer", ["He ran it.", "He ran2", "He ran\u0303"])
def test_l5_a_word_that_goes_on_is_another_word(longer):
    found = parts(CHOICE, {"options": {"one": "He ra", "other": longer}}, "continuation")
    assert found == ["ra", longer.removeprefix("He ")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We can", "We can't"),
        ("We can", "We can’t"),
        ("We can", "We can't go"),
        ("We re", "We re-read it"),
        ("We naive\u0301", "We naive\u0301-like"),
        ("We mi", "We mi\u200c-x"),
        ("We mi\u200c", "We mi\u200cx"),
    ],
)
def test_l5_hyphens_apostrophes_and_joiners_go_on_with_the_word(one, other):
    found = parts(CHOICE, {"options": {"one": one, "other": other}}, "continuation")
    assert found == [text.removeprefix("We ") for text in (one, other)]


@pytest.mark.parametrize("longer", ["He ate - it.", "He ate' it.", "He ate'", "He ate--it."])
def test_l5_a_hyphen_or_quote_that_no_letter_follows_ends_the_word(longer):
    found = parts(CHOICE, {"options": {"one": "He ate", "other": longer}}, "continuation")
    assert found == ["", longer.removeprefix("He ate")]


@pytest.mark.parametrize("space", ["\t", "\u00a0", "\n", "\u2003"])
def test_l5_words_part_at_any_white_space(space):
    assert parting([f"The{space}dog slept.", f"The{space}door slept."]) == len("The ")


def test_words_for_a_slot_go_on_at_the_slot():
    content = {"context": "It rained.", "sentence": "It was ____ wet.", "options": {"one": "very", "other": "not"}}
    assert parts(CHOICE, content, "continuation") == ["very wet.", "not wet."]


def test_an_answer_goes_on_after_the_question():
    assert parts(YES_NO, {"passage": "Snow fell.", "question": "Did it?"}, "continuation") == ["Yes.", "No."]


@pytest.mark.parametrize(
    "verb_at", [{"one": 2}, {"one": 2, "other": 5}, {"one": 2, "other": -1}, {"one": 2, "other": "2"}, 2]
)
def test_a_place_that_is_none_is_refused(verb_at):
    [fault] = CHOICE.validate(PAIR | {"verb_at": verb_at})
    assert fault.field.startswith("verb_at")


def test_a_verb_in_words_for_a_slot_is_refused():
    content = {"sentence": "It was ____.", "options": {"one": "a", "other": "b"}, "verb_at": {"one": 0, "other": 0}}
    [fault] = CHOICE.validate(content)
    assert "whole sentences" in fault.message


def test_a_neutral_context_is_asked_too_and_its_difference_told():
    content = {"sentence": "It was ____ wet.", "neutral": "is ____ wet.", "options": {"one": "very", "other": "not"}}
    requests = CHOICE.requests(content, "cloze")
    assert requests == [Cloze("It was ____ wet.", ("very", "not")), Cloze("is ____ wet.", ("very", "not"))]
    numbers = [ClozeNumbers((-1.0, -3.0), (1, 9), ()), ClozeNumbers((-2.0, -1.5), (4, 2), ())]
    readout = CHOICE.readout(content, "cloze", numbers)
    assert (readout.decision, readout.strength) == ("one", 2.0)
    assert readout.detail["neutral"] == {
        "options": {"one": {"logprob": -2.0, "rank": 4}, "other": {"logprob": -1.5, "rank": 2}},
        "strength": -0.5,
        "difference": 2.5,
    }


@pytest.mark.parametrize(
    ("sentence", "options", "neutral", "asked"),
    [
        ("____ a wet day.", ("Definitely", "Not"), "is ____ wet.", ("definitely", "not")),
        ("“____ a wet day.”", ("Definitely", "Not"), "is ____ wet.", ("definitely", "not")),
        ("It rained. ____ a wet day.", ("At least", "Not"), "is ____ wet.", ("at least", "not")),
        # Not first in its sentence; first in the neutral context too; capitals that are its own.
        ("We saw ____ there.", ("Anna", "Bert"), "saw ____ there.", ("Anna", "Bert")),
        ("____ a wet day.", ("Definitely", "Not"), "____ wet.", ("Definitely", "Not")),
        ("____ saw it.", ("I", "NASA"), "that ____ saw it.", ("I", "NASA")),
    ],
)
def test_words_that_only_stood_first_have_no_capital_in_the_neutral_context(sentence, options, neutral, asked):
    content = {"sentence": sentence, "neutral": neutral, "options": dict(zip(("one", "other"), options, strict=True))}
    found = CHOICE.requests(content, "cloze")
    assert [one.candidates for one in found if isinstance(one, Cloze)] == [options, asked]


def test_without_a_neutral_context_there_is_none():
    content = {"sentence": "It was ____ wet.", "options": {"one": "very", "other": "not"}}
    assert "neutral" not in CHOICE.readout(content, "cloze", [ClozeNumbers((-1.0, -3.0), (1, 9), ())]).detail
    assert CHOICE.readout(PAIR, "sentence", [SentenceNumbers(-1, ()), SentenceNumbers(-2, ())]).decision == "one"
