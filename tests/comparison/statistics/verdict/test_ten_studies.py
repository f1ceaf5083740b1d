"""Ten made studies: the state of each part, the numbers that it rests on, and whom it names."""

import pytest
from pydantic import TypeAdapter

from comparison.frame.cache.remembered import from_text, to_text
from comparison.statistics.verdict.parts import Verdict
from comparison.statistics.verdict.rule import verdict
from tests.comparison.statistics.verdict.ten import TEN

# Of each study: what a list has room for, the states of its parts in their order, and what else must stand in it.
STATES: dict[str, tuple[str, tuple[str, ...]]] = {
    "chance": ("none shown to beat chance", ("labels Enough", "people In part", "chance Not shown")),
    "tie_of_three": (
        "3 tied: .74 to .75",
        ("labels Enough", "people In part", "chance All 4", "nearest Tie", "person Below"),
    ),
    "one_clear_best": (
        "Ash: .94 [.90, .96]",
        ("labels Enough", "people In part", "chance All 3", "nearest Nearest", "person Above"),
    ),
    "skewed": (
        "none shown to beat chance",
        ("labels Collected", "people Not shown", "chance Not shown", "chance Note"),
    ),
    "people_at_chance": ("none shown to beat chance", ("labels Collected", "people Not shown", "chance Not shown")),
    "one_label_an_item": (
        "Ash: .89 [.82, .94]",
        ("labels Reference", "people Undefined", "chance 1 of 2", "nearest Nearest", "person Above"),
    ),
    "strengths_only": (
        "Ash†: .46 [.39, .53]",
        (
            "labels Enough", "people Weak", "chance Yes", "nearest Only", "person Below", "strengths Yes",
            "left_out Note",
        ),
    ),
    "below_a_constant": (
        "none shown to beat always “b”",
        ("labels Enough", "people Moderate", "chance 2 of 3", "chance Note", "nearest Tie", "person Below"),
    ),
    "twelve_items": (
        "none shown to beat always “a”",
        ("labels Few", "people Weak", "chance 1 of 2", "nearest Not shown", "person Not shown", "settling Open"),
    ),
    "twenty_thousand_items": (
        "Ash and Birch tied: .72",
        ("labels Enough", "people In part", "chance All 4", "nearest Tie", "nearest Caution", "person Below"),
    ),
}  # fmt: skip
# What a part must hold of numbers and names.
HOLDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("chance", "labels", ("200",)),
    ("chance", "people", ("α = .52 [.43, .61], nominal", "76 %")),
    ("chance", "chance", (".48 to .55 against .50",)),
    ("tie_of_three", "labels", ("291 of 300", "9 are split")),
    ("tie_of_three", "nearest", ("Ash, Birch and Cedar", ".75 [.69, .79]", "291 items")),
    ("tie_of_three", "person", (".74 against .82", "300 items", ".08 to .09")),
    ("one_clear_best", "nearest", (".94 [.90, .96] on 285 items", "over 99 of 100")),
    ("one_clear_best", "person", (".14 [.10, .17]", "not the same as being better than people")),
    ("skewed", "people", ("90 %", "intensifier", "AC1 .85 [.77, .91]", "may be noise")),
    ("skewed", "chance", ("always answering “intensifier”", ".96", "Of 4 items that are “negation”")),
    ("people_at_chance", "people", ("−.03 [−.12, .06]", "may be noise")),
    ("one_label_an_item", "labels", ("All 120 items", "one label per item")),
    ("one_label_an_item", "chance", ("Ash", ".50", "not shown for the other one")),
    ("one_label_an_item", "person", ("the reference", ".89 against .72", ".18 [.07, .28]")),
    ("strengths_only", "chance", ("Ash†", ".21", "shuffled")),
    ("strengths_only", "strengths", ("Ash", ".48 [.36, .59]")),
    ("strengths_only", "left_out", ("Birch (scores only)",)),
    ("below_a_constant", "chance", ("Two models", "“b” scores .59, more than both of them", ".36 to .38")),
    ("twelve_items", "labels", ("12 items", "10 right")),
    ("twelve_items", "people", ("at least weakly",)),
    ("twelve_items", "nearest", ("No model is shown to be nearest", "Birch cannot be separated from Ash")),
    ("twelve_items", "settling", ("19 more items", "Ash", "power .80")),
    ("twenty_thousand_items", "nearest", ("Ash and Birch", "Bigrams", ".72 [.71, .72]", "20,000 items")),
)
HEADLINES = {
    "chance": "No model is shown to beat chance.",
    "tie_of_three": "Three models are tied nearest to people. All fall short of a single annotator.",
    "one_clear_best": "Ash is nearest to people.",
    "skewed": "People are not shown to agree beyond chance, so no model can be called near.",
    "people_at_chance": "People are not shown to agree beyond chance, so no model can be called near.",
    "one_label_an_item": "Ash is nearest to the reference.",
    "strengths_only": "Ash† beats chance. It falls short of a single annotator.",
    "below_a_constant": "No model is shown to beat always answering “b”.",
    "twelve_items": "No model is shown to beat always answering “a”.",
    "twenty_thousand_items": "Two models are tied nearest to people. No model is shown to beat the baseline Bigrams.",
}


@pytest.mark.parametrize("name", TEN)
def test_the_verdict_on_ten_studies(name):
    found = verdict(TEN[name]())
    states = tuple(f"{one.part} {one.state.word}" for one in found.findings)
    assert (found.short, states) == STATES[name]
    assert found.headline == HEADLINES[name]


@pytest.mark.parametrize(("name", "part", "words"), HOLDS)
def test_a_part_names_its_numbers(name, part, words):
    text = verdict(TEN[name]()).on(part)
    assert not [one for one in words if one not in text], text


def test_each_of_the_ten_is_held():
    assert set(STATES) == set(TEN) == set(HEADLINES)
    assert len(TEN) == 10


@pytest.mark.slow
@pytest.mark.parametrize("name", TEN)
def test_a_verdict_can_be_remembered(name):
    """As JSON text, every bit of it."""
    found = verdict(TEN[name]())
    shape = TypeAdapter(Verdict)
    assert from_text(shape, to_text(shape, found)) == found
