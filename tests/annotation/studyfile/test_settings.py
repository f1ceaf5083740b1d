"""A setting is declared once: its default is one of its values, its columns and choices are the study's."""

from typing import Any

import pytest
from django.db.models import Field

from annotation.models import Study
from annotation.setting import Choice, Number, Several, Text, Texts, Tick, Whole, object_schema
from annotation.studyfile import READ_BY_TABLE, SETTINGS

# Of JSON, of TOML, and what is no value of most.
ANY = ["", "a", "b", 0, 1, 2, 3, 0.5, True, None, float("nan"), [], ["a"], ["a", "a"], [["a"]], {}]


def column_of(name: str) -> "Field[Any, Any]":
    (column,) = [one for one in Study._meta.concrete_fields if one.name == name]
    return column


def test_a_default_is_a_value_that_the_file_could_say():
    assert [path for path, one in SETTINGS.items() if one.default is not None and not one.holds(one.default)] == []


def test_a_column_has_the_default_of_its_setting():
    """Loading says every value, so this is of rows that are made without a file; `recovery` has none there."""
    differing = {
        name
        for table in ("collection", "quality", "page")
        for name, setting in READ_BY_TABLE[table].items()
        if (column := column_of(name)).has_default() and column.get_default() != setting.default
    }
    assert differing == {"recovery"}


def test_what_a_column_may_hold_is_what_its_setting_offers():
    for table in READ_BY_TABLE.values():
        for name, setting in table.items():
            if isinstance(setting, Choice) and (choices := column_of(name).choices):
                offered = {*setting.choices} - ({""} if name == "measure" else set())
                assert {value for value, _ in choices} == offered, name


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        (Whole(label="", least=1, most=2), [1, 2]),
        (Number(label="", most=1), [0, 1, 0.5]),
        (Tick(label=""), [True]),
        (Choice(label="", choices={"a": "", "": ""}), ["", "a"]),
        (Several(label="", choices={"a": ""}), [[], ["a"]]),
        (Text(label="", test=lambda value: value == "a"), ["a"]),
        (Text(label="", default=""), ["", "a", "b"]),
        (Texts(label="", like="letters"), [[], ["a"]]),
        (Texts(label="", like="letters", least=1, repeat=True), [["a"], ["a", "a"]]),
    ],
)
def test_each_kind_holds_its_values_and_refuses_the_others_in_a_sentence(setting, values):
    assert [repr(value) for value in ANY if setting.holds(value)] == [repr(value) for value in values]
    assert setting.must_be


def test_its_schema_has_bounds_and_words():
    lease = object_schema(SETTINGS)["properties"]["collection.lease_minutes"]
    assert (lease["type"], lease["minimum"], lease["maximum"]) == ("integer", 1, 10_080)
    assert "After that, other people can answer them" in lease["description"]
