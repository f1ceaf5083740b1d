"""Tables in JSON, in whatever shape and under whatever name; and what is no table."""

import pytest

from corpus.errors import Fault
from corpus.tables.cells import cells_of
from corpus.tables.opening import Unreadable
from corpus.tables.registry import opened


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "1", "a": {"b": "x"}}]',
        '{"id": "1", "a": {"b": "x"}}\n{"id": "2", "a": {"b": "y"}}\n',
        '{"data": [{"id": "1", "a": {"b": "x"}}]}',
    ],
)
def test_json_is_read_as_records(text):
    table = opened(text.encode(), "a.json")
    first = next(cells_of(table, {"id": "id", "text": "a.b"}))
    assert first == (1, {"id": "1", "text": "x"})


@pytest.mark.parametrize(
    "text",
    [
        '{"s1": {"sentence": "A.", "cond": "a"}, "s2": {"sentence": "B.", "cond": "b"}}',
        '{"id": {"0": "s1", "1": "s2"}, "sentence": {"0": "A.", "1": "B."}, "cond": {"0": "a", "1": "b"}}',
        '{"7": {"id": "s1", "sentence": "A.", "cond": "a"}, "8": {"id": "s2", "sentence": "B.", "cond": "b"}}',
        '{"sentence": {"s1": "A.", "s2": "B."}, "id": {"s1": "s1", "s2": "s2"}, "cond": {"s1": "a", "s2": "b"}}',
        '{"id": ["s1", "s2"], "sentence": ["A.", "B."], "cond": ["a", "b"]}',
        '[["id", "sentence", "cond"], ["s1", "A.", "a"], ["s2", "B.", "b"]]',
        '{"columns": ["id", "sentence", "cond"], "index": [0, 1], "data": [["s1", "A.", "a"], ["s2", "B.", "b"]]}',
    ],
)
def test_objects_in_an_object_are_records_by_their_ids_or_columns(text):
    table = opened(text.encode(), "a.json")
    columns = {"id": "id", "s": "sentence", "c": "cond"}
    assert [found for _, found in cells_of(table, columns)] == [
        {"id": "s1", "s": "A.", "c": "a"},
        {"id": "s2", "s": "B.", "c": "b"},
    ]


def test_of_lists_the_first_is_the_header_where_it_has_a_known_name_and_that_is_told():
    assert "is read as the header" in str(opened(b'[["id", "x"], ["1", "a"]]', "a.json").remarks[0])
    table = opened(b'[["Er kam", "ja"], ["Sie ging", "nein"]]', "a.json")
    assert all(isinstance(row, Fault) for _, row in table.lines()) and len([*table.lines()]) == 2


def test_json_is_read_whatever_its_name_says_and_names_of_all_records_count():
    for name in ("a.csv", "a.txt", "a.jsonl", "a.json"):
        table = opened(b'[{"id": 1, "n": NaN}, {"id": 2, "m": 3}]', name)
        assert table.names == ["id", "n", "m"]
        assert [found for _, found in cells_of(table, {"n": "n"})] == [{"n": ""}, {"n": ""}]
    assert [found for _, found in opened(b'{"id": 1, "n": NaN}\n', "a.jsonl").lines()] == [{"id": 1, "n": None}]


def test_names_of_records_are_as_many_as_a_table_may_have():
    text = "".join(f'{{"c{number}": 1}}\n' for number in range(1_100))
    assert len(opened(text.encode(), "a.jsonl").names) == 1_000


def test_objects_in_an_object_that_show_no_rows_are_refused():
    with pytest.raises(Unreadable, match="without a list of rows"):
        opened(b'{"a": {"x": "1", "y": "2"}, "b": {"x": "3", "y": "4"}}', "a.json")


@pytest.mark.parametrize("first", ["PAR1", "ARROW1", "$FL", "<html-tag> is a word"])
def test_a_table_that_begins_as_another_file_does_is_a_table(first):
    table = opened(f"{first},item\na,b\n".encode(), "a.csv")
    assert table.columns == (first, "item")


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"PAR1\x15\x04PAR1", "is a Parquet file, and its name must end in .parquet"),
        (b"$FL2@(#) IBM SPSS", "is an SPSS file"),
        (b"<table>\n", "is a web page"),
        (b"\n<HTML><body>", "is a web page"),
        (b"<?xml version='1.0'?>", "is an XML file"),
        (b'[{"id": 1, "id": 2}]', "id is given twice"),
        (b'{"items": [{"id": 1}], "people": [{"id": 2}]}', "several lists of records .items, people.; keep one"),
    ],
)
def test_what_is_no_table_is_told_by_what_it_is(data, wrong):
    with pytest.raises(Unreadable, match=wrong):
        opened(data, "a.csv")
