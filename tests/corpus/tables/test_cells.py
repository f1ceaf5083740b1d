"""How columns are named, and what is read of them."""

import pytest

from corpus.errors import Fault
from corpus.tables.cells import cells_of
from corpus.tables.columns import MapError, mapped, text_of
from corpus.tables.registry import opened

RECORD = {"id": 3.0, "answer": {"text": " yes ", "choices": ["a", 0.5]}, "a.b": None, "right": True}


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("id", "3"),
        ("answer.text", "yes"),
        ("answer.choices.0", "a"),
        ("answer.choices.1", "0.5"),
        ("a.b", ""),
        ("right", "true"),
        ("{id}-{answer.text}", "3-yes"),
    ],
)
def test_a_record_is_asked_by_name_by_part_or_by_several(column, text):
    assert text_of(RECORD, column) == text


@pytest.mark.parametrize(
    ("column", "wrong"),
    [
        ("answer", "contains a dict, which is not text; use a part of it, such as answer.text"),
        ("answer.choices.2", "is missing"),
        ("1", "is missing"),
        ("{id}-{no}", "is missing"),
    ],
)
def test_what_is_not_there_is_said(column, wrong):
    with pytest.raises(MapError, match=wrong):
        text_of(RECORD, column)


def test_numbers_count_in_a_table():
    assert text_of(RECORD, "{1}/{4}", list(RECORD)) == "3/true"


def test_line_breaks_are_one_character_and_errors_are_known_in_other_languages():
    assert text_of({"a": "A: Hi.\r\nB: Yo.\rA: No."}, "a") == "A: Hi.\nB: Yo.\nA: No."
    for error in ("#REF!", "#WERT!", "#¿NOMBRE?", "#VALEUR!"):
        with pytest.raises(MapError, match="contains the error"):
            text_of({"a": error}, "a")


def test_records_are_read_as_what_was_asked_for():
    table = opened(b'{"q": {"id": 7}, "s": 1}\n\n{"q": {}, "s": 2}\nno\n', "a.jsonl")
    found = list(cells_of(table, {"item": "q.id", "score": "s"}))
    assert found[0] == (1, {"item": "7", "score": "1"})
    assert found[1] == (3, {"item": "", "score": "2"}), "some programs leave missing values out"
    [(_, wrong), *_] = cells_of(table, {"item": "q.no"})
    assert wrong == Fault("q.no", "is missing (requested as item); the columns are q, s")
    assert [line for line, _ in found] == [1, 3, 4]
    assert isinstance(found[2][1], Fault)
    assert table.names == ["q", "s"]


def test_a_map_says_each_thing_once():
    assert mapped(["a=b", "c={d}={e}"]) == {"a": "b", "c": "{d}={e}"}
    with pytest.raises(MapError, match="a is mapped twice"):
        mapped(["a=b", "a=c"])
    with pytest.raises(MapError, match="'a' is not WHAT=COLUMN"):
        mapped(["a"])
