"""Guessing columns: by name, and by what stands in them."""

import pytest

from annotation.tasktypes import task_type
from corpus.formats.contract import Record
from stimuli.datasets.table.guessing import (
    attributes_left,
    choices_of,
    guess,
    guess_labels,
    guess_slot,
    values_of,
    why_no_id,
)
from stimuli.datasets.table.guessing_task import guess_task
from stimuli.datasets.table.rows import Table

PAIRS = [
    ("A key opens doors.", "A false key opens doors.", "false", "key"),
    ("A dog barks.", "A dead dog barks.", "dead", "dog"),
    ("A car drives on the road.", "A red car drives on the road.", "red", "car"),
]


def table(rows, *, named=True):
    columns = tuple(rows[0]) if named else ()
    return Table(columns, [Record(f"line {line}", row) for line, row in enumerate(rows, start=2)], ())


def guessed(rows, task):
    return guess(table(rows), task_type(task))


def test_by_name():
    rows = [{"sentence1": a, "sentence2": b, "adjective": c, "noun": d, "label": "impossible"} for a, b, c, d in PAIRS]
    assert guessed(rows, "plausibility") == {
        "original": "sentence1",
        "modified": "sentence2",
        "modifier": "adjective",
        "noun": "noun",
        "reference": "label",
    }


def test_german_heads_of_pairs_and_a_mean_of_ratings():
    rows = [{"Guter Satz": "Sie kommt heute.", "Schlechter Satz": "Sie kommen heute."}] * 2
    assert guessed(rows, "forced_choice") == {"options.gut": "Guter Satz", "options.schlecht": "Schlechter Satz"}
    rows = [{"sentence": "A dog barks.", "mean_rating": "4,75", "sd": "0.5"}] * 2
    assert guessed(rows, "rating") == {"sentence": "sentence", "strength": "mean_rating"}
    # With its scale, a word for any mean is that of ratings; what is of no scale stays what it is.
    for head in ("Mittelwert (1–7)", "Moyenne [1 à 7]", "平均（1～7）", "Mean rating (1 to 7)"):
        rows = [{"Satz": "Der Hund bellt laut.", head: "4,75", "n (2024)": "12"}] * 2
        assert guessed(rows, "rating")["strength"] == head
    assert "strength" not in guessed([{"Satz": "Der Hund bellt laut.", "Mittelwert": "4,75"}] * 2, "rating")


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_by_content_whatever_the_names_and_the_order(order):
    names = ("q", "r", "s", "t")
    rows = [{names[place]: pair[place] for place in order} for pair in PAIRS]
    found = guessed(rows, "plausibility")
    assert found == {"original": "q", "modified": "r", "modifier": "s", "noun": "t"}


def test_a_question_is_not_its_passage():
    rows = [
        {"a": "The lighthouse was built in 1871 and guides ships into the bay.", "b": "Is it old?", "c": "true"},
        {"a": "Bees make honey out of the nectar that they find in flowers.", "b": "Do bees make wax?", "c": "false"},
    ]
    assert guessed(rows, "yes_no") == {"question": "b", "passage": "a", "reference": "c"}


@pytest.mark.parametrize(
    ("question", "answers", "task"),
    [
        ("is it old", ("yes", "no"), "yes_no"),
        ("is it old", ("True", "False"), "yes_no"),
        ("is it old", ("1949", "Paris"), "rating"),
        ("is it old?", ("", ""), "yes_no"),
    ],
)
def test_questions_are_asked_yes_or_no(question, answers, task):
    passage = "The lighthouse was built in 1871 and guides ships into the bay."
    rows = [{"passage": passage, "question": question, "answer": answer} for answer in answers] + [
        {"passage": passage, "question": f"so, {question}", "answer": ""}
    ]
    assert guess_task(table(rows)) == task


def test_pairs_of_published_names():
    rows = [{"sentence_good": "The dogs bark.", "sentence_bad": "The dogs barks.", "UID": "1x"}]
    found = guessed(rows, "forced_choice")
    assert found["options.good"] == "sentence_good"
    assert found["options.bad"] == "sentence_bad"


def test_pairs_without_names_are_the_two_most_alike():
    rows = [
        {"phenomenon": "agreement", "x": "The author laughs.", "y": "The author laugh."},
        {"phenomenon": "anaphora", "x": "Many girls insulted themselves.", "y": "Many girls insulted herself."},
    ]
    found = guessed(rows, "forced_choice")
    assert {field: column for field, column in found.items() if field.startswith("options.")} == {
        "options.x": "x",
        "options.y": "y",
    }


def test_an_id_must_differ_in_every_row():
    rows = [{"id": "1", "question": "Is it?"}, {"id": "1", "question": "Was it?"}]
    assert "id" not in guessed(rows, "yes_no")
    assert why_no_id(table(rows), {}) == "“id” cannot be the ID: 2 rows say “1”."
    assert why_no_id(table(rows), {"id": "other"}) == ""


def test_a_column_that_is_mostly_labels_is_the_right_answer():
    """What it says besides is shown, for the researcher to say what it means."""
    said = ("yes", "no", "yes", "perhaps")
    rows = [{"q": f"Is it {word}?", "verdict": verdict} for word, verdict in zip("abcd", said, strict=True)]
    assert guessed(rows, "yes_no")["reference"] == "verdict"
    assert "reference" not in guessed([{**row, "verdict": "perhaps"} for row in rows], "yes_no")


def test_a_column_called_answer_with_long_texts_is_no_reference():
    rows = [{"question": "Is it?", "answer": "word " * 30}]
    assert "reference" not in guessed(rows, "yes_no")


def test_degrees_by_words_numbers_and_as_they_are():
    scale = task_type("plausibility").configured({}).scale
    assert guess_labels(["Less likely", "impossible"], scale) == {
        "Less likely": "less_likely",
        "impossible": "impossible",
    }
    assert guess_labels(["0", "4"], scale) == {"0": "impossible", "4": "necessarily_true"}
    assert guess_labels(["1", "5"], scale) == {"1": "impossible", "5": "necessarily_true"}
    assert guess_labels(["1", "7"], scale) == {"1": "", "7": ""}
    answers = task_type("yes_no").configured({}).scale
    assert guess_labels(["true", "false", "perhaps"], answers) == {"true": "yes", "false": "no", "perhaps": ""}


def test_what_marks_the_slot():
    assert guess_slot(table([{"s": "It was {} cold."}, {"s": "A {} dog."}]), "s") == "{}"
    assert guess_slot(table([{"s": "It was [MASK] cold."}, {"s": "A ___ dog."}]), "s") == "", "a blank however written"
    assert guess_slot(table([{"s": "It was ____ cold."}]), "s") == ""
    assert guess_slot(table([{"s": "It was [MASK] cold."}, {"s": "no mark"}]), "s") == ""


def test_parts_of_json_records_are_columns_to_choose():
    found = table([{"text": "a", "answer": {"text": "b", "start": 3}}, {"more": ["x", "y"]}], named=False)
    assert choices_of(found) == ["text", "answer.text", "answer.start", "more.0", "more.1"]
    assert values_of(found, "answer.text") == ["b"]


def test_empty_columns_are_no_attributes():
    found = table([{"a": "1", "b": "", "c": "x"}])
    assert attributes_left(found, {"id": "a"}) == ["c"]


@pytest.mark.parametrize(("lists", "source"), [("group", "item"), ("group", "lexset"), ("List", "Nr")])
def test_in_files_for_pcibex_the_source_is_what_all_lists_share_and_the_task_is_rating(lists, source):
    conditions = {"A": "long", "B": "short"}
    rows = [
        {lists: one, source: str(item), "cond": cond, "sentence": f"Sentence {item} is {cond}."}
        for item in (1, 2, 3, 4, 5)
        for one, cond in conditions.items()
    ]
    found = guessed(rows, "rating")
    assert found.get("group", source) == source
    assert lists in attributes_left(table(rows), found)
    assert guess_task(table(rows)) == "rating"


@pytest.mark.parametrize(("other", "values"), [("position", 6), ("condition", 8), ("tense", 3)])
def test_what_is_crossed_with_groups_is_no_source(other, values):
    places = [(one, value) for one in (1, 2) for value in range(1, values + 1)]
    rows = [{"group": str(one), other: str(value), "sentence": f"Sentence {one} in {value}."} for one, value in places]
    assert guessed(rows, "rating")["group"] == "group"
