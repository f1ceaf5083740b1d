"""A setting is declared once: its default is one of its values, and no column of the study repeats it without need."""

from inspect import get_annotations

import pytest

from annotation.models import Study
from annotation.quality.policy import Policy
from annotation.setting import Choice, Number, Several, Text, Texts, Tick, Whole, object_schema
from annotation.studyfile import READ_BY_TABLE, SETTINGS, TOP
from annotation.studyfile.collection import Collection
from annotation.studyfile.tables import Page, Results, Scoring, Top

# Of JSON, of TOML, and what is no value of most.
ANY = ["", "a", "b", 0, 1, 2, 3, 0.5, True, None, float("nan"), [], ["a"], ["a", "a"], [["a"]], {}]


TABLES = (Top, Collection, Scoring, Results, Page)
# Those whose settings a study has by name; the others are stored whole, each in a column of its own.
IN_DECLARED = ("collection", "quality", "scoring", "results", "page")
DECLARED = TOP | {name: one for table in IN_DECLARED for name, one in READ_BY_TABLE[table].items()}
# What queries ask for, and so a column has.
QUERIED = {
    "slug": "a study is found by it in every address",
    "title": "studies are listed in its order",
    "as_imported": "the dashboard counts what is still wanted",
    "platform": "what is owed is of studies that pay",
    "pay": "what is owed is of studies that pay",
    "forget_after_days": "the sweep finds the studies whose ids are due",
}


def test_a_default_is_a_value_that_the_file_could_say():
    assert [path for path, one in SETTINGS.items() if one.default is not None and not one.holds(one.default)] == []


def test_no_column_repeats_a_setting_but_for_queries():
    """All others stand in `declared`: a new setting needs no column and no migration."""
    columns = {column.name: column for column in Study._meta.concrete_fields}
    assert columns.keys() & DECLARED.keys() == QUERIED.keys()
    assert {name for table in TABLES for name in get_annotations(table)} == QUERIED.keys()
    for name in QUERIED.keys() - {"slug", "title"}:
        assert columns[name].get_default() == DECLARED[name].default, name


def test_no_two_settings_share_a_name():
    assert len(DECLARED) == sum(len(READ_BY_TABLE[table]) for table in IN_DECLARED) + len(TOP)


def test_a_list_that_is_read_is_not_the_one_stored():
    study = Study(declared={"metrics": ["pll"]})
    study.metrics.append("causal")
    assert study.declared == {"metrics": ["pll"]}


@pytest.mark.parametrize(("task_type", "measure"), [("rating", "Spearman’s ρ"), ("forced_choice", "accuracy")])
def test_without_a_measure_a_study_has_that_of_its_task(task_type, measure):
    for declared in ({}, {"measure": ""}):
        assert Study(task_type=task_type, declared=declared).measured_by == measure
    assert Study(task_type=task_type, declared={"measure": "distance"}).measure == "distance"


def test_what_a_study_does_not_say_is_as_declared():
    study = Study(declared={"metrics": ["pll"]})
    assert (study.metrics, study.lease_minutes, study.recovery) == (["pll"], 60, ["personal_link"])
    study.recovery.append("session")
    study.lease_minutes = 5
    assert (study.recovery, study.declared) == (["personal_link"], {"metrics": ["pll"], "lease_minutes": 5})
    assert (study.policy, Study(declared={"gold_tolerance": 0}).policy.digest) == (
        Policy(),
        Policy(gold_tolerance=0.0).digest,
    )
    with pytest.raises(KeyError, match="labels_per_item"):
        _ = study.labels_per_item


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
