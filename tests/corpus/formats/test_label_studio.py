"""Exports of a Label Studio server, as records."""

import json

import pytest

from corpus.formats.reading import read_format
from corpus.formats.registry import recognize
from corpus.formats.source import FormatFault, of_bytes, of_path
from tests.corpus.formats.writing import WRITTEN, records, said

GIVEN = [
    ("bridge", "1", "Equally likely"),
    ("bridge", "2", "More likely"),
    ("key", "1", "Less likely"),
    ("key", "2", "Impossible"),
    ("rain", "1", "Equally likely"),
    ("rain", "2", "Equally likely"),
]
FILES = ("plausibility.json", "plausibility.min.json", "plausibility.csv")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("use", ["labels", "items"])
def test_exports_are_seen_to_be_label_studio_s(name, use):
    assert recognize(of_path(WRITTEN / "label_studio" / name), use) == "label-studio"


def test_an_annotation_is_a_label_and_a_skipped_one_is_none():
    found = records("label-studio", "labels", "label_studio/plausibility.json")
    assert sorted(said(found, "item", "annotator", "label"), key=str) == sorted([*GIVEN, ("lamp", "1", None)], key=str)
    first = found.rows[0]
    assert first.where == "task 1, annotation 1"
    assert first.values["result"] == {"plausibility": "Less likely"}
    assert first.values["seconds"] == 5.25


@pytest.mark.parametrize("name", FILES[1:])
def test_rows_have_the_control_under_its_own_name(name):
    found = records("label-studio", "labels", f"label_studio/{name}")
    assert sorted(said(found, "item", "annotator", "plausibility")) == GIVEN


@pytest.mark.parametrize("name", FILES)
def test_tasks_are_items_once(name):
    found = records("label-studio", "items", f"label_studio/{name}")
    items = said(found, "item", "modified", "modifier")
    assert ("key", "A false key opens doors.", "false") in items
    assert len(items) == (4 if name.endswith("plausibility.json") else 3)


def exported(**annotation):
    one = {"id": 1, "completed_by": {"id": 7, "email": "x@example.org"}, "result": []} | annotation
    return json.dumps([{"id": 12, "data": {"text": "One."}, "annotations": [one]}]).encode()


def choice(name, *values):
    return {"from_name": name, "to_name": "t", "type": "choices", "value": {"choices": list(values)}}


def read(data):
    return read_format("label-studio", "labels", of_bytes("export.json", data)).rows[0].values


def test_an_account_is_its_number_and_never_its_address():
    values = read(exported(result=[choice("good", "yes")]))
    assert (values["annotator"], values["item"], values["label"]) == ("7", 12, "yes")
    assert "example.org" not in json.dumps(values)


def test_of_several_controls_none_is_the_label_by_itself():
    rating = {"from_name": "sure", "to_name": "t", "type": "rating", "value": {"rating": 4}}
    values = read(exported(result=[choice("good", "yes"), rating, choice("why", "a", "b")]))
    assert values["result"] == {"good": "yes", "sure": 4, "why": ["a", "b"]}
    assert "label" not in values


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b'{"a": 1}', "file: must be a JSON list of tasks"),
        (b"[3]", "task 1: must be a JSON object"),
        (b'[{"id": 1, "data": {}, "annotations": ["x"]}]', "task 1, annotation 1: must be a JSON object"),
        (b'[{"text": "a"}]', "task 1: has no id, annotator"),
        (b"[{}", "is not JSON"),
    ],
)
def test_what_is_wrong_is_told_by_task(data, fault):
    with pytest.raises(FormatFault) as refused:
        read(data)
    assert fault in str(refused.value)
