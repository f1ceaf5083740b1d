"""What Potato, Prodigy, doccano and Argilla wrote, as records of labels and of items."""

import io
import json
import zipfile

import pyarrow
import pyarrow.parquet
import pytest

from corpus.formats.reading import read_format
from corpus.formats.registry import recognize
from corpus.formats.source import FormatFault, of_bytes, of_path
from tests.corpus.formats.writing import WRITTEN, records, said

POTATO = ("annotation_output", "annotations.jsonl", "annotations.csv")
DOCCANO = ("members.jsonl.zip", "members.csv.zip", "members.json.zip")
FILES = {
    "potato": tuple(f"potato/{name}" for name in POTATO),
    "prodigy": ("prodigy/choices.jsonl", "prodigy/binary.jsonl"),
    "doccano": (*(f"doccano/{name}" for name in DOCCANO), "doccano/together.jsonl.zip"),
    "argilla": ("argilla/records.json",),
}
ACCOUNTS = [f"00000000-0000-0000-0000-00000000000{end}" for end in "ab"]


@pytest.mark.parametrize(("tool", "name"), [(tool, name) for tool, names in FILES.items() for name in names])
def test_a_file_is_seen_to_be_its_tool_s(tool, name):
    assert recognize(of_path(WRITTEN / name), "labels") == tool


@pytest.mark.parametrize("name", POTATO)
def test_potato_keeps_a_label_by_scheme_and_person(name):
    found = records("potato", "labels", f"potato/{name}")
    assert sorted(said(found, "item", "annotator", "label")) == [
        ("boat", "ann", "no it is not"),
        ("boat", "bob@example.org", "yes it is"),
        ("key", "ann", "yes it is"),
        ("key", "bob@example.org", "yes it is"),
        ("twin", "ann", "yes it is"),
    ]
    assert found.rows[0].values["result"] == {"grammatical": found.rows[0].values["label"]}


def test_of_several_schemes_none_is_the_label_and_a_point_or_text_is_what_stands_beside_its_name():
    line = {
        "instance_id": "a",
        "user_id": "u",
        "labels": {"sure": {"scale": "4"}, "ok": {"yes": "true"}, "w": {"x": "1", "y": "1"}},
    }
    (row,) = read_format("potato", "labels", of_bytes("a.jsonl", json.dumps(line).encode())).rows
    assert row.values["result"] == {"sure": "4", "ok": "yes", "w": {"x": "1", "y": "1"}}
    assert "label" not in row.values


POTATO_1 = {
    "ann": [
        ("key", {"ok": {"yes it is": "ok:::yes it is"}, "sure": {"scale_10": "0"}}),
        ("consent.html", {"agree": {"Yes": "agree:::Yes"}}),
        ("boat", {"ok": {"no": "2"}, "why": {"text_box": "5"}}),
    ],
    "bob@example.org": [("key", {"ok": {"no": "no"}, "which": {"a": "true", "b": "true"}})],
}
SAID_1 = [
    ("key", "ann", {"ok": "yes it is", "sure": "10"}),
    ("boat", "ann", {"ok": "no", "why": "5"}),
    ("key", "bob@example.org", {"ok": "no", "which": {"a": "true", "b": "true"}}),
]


def lines_of_potato_1(who):
    return "".join(
        json.dumps({"id": item, "displayed_text": "A", "label_annotations": labels, "span_annotations": []}) + "\n"
        for item, labels in POTATO_1[who]
    )


def test_potato_1_keeps_a_file_for_each_annotator(tmp_path):
    """The folder of its server; of what all gave together, nobody is named."""
    for who in POTATO_1:
        (tmp_path / who).mkdir()
        (tmp_path / who / "annotated_instances.jsonl").write_text(lines_of_potato_1(who))
        (tmp_path / who / "annotation_order.txt").write_text("key\n")
    together = tmp_path / "annotated_instances.jsonl"
    together.write_text("".join(map(lines_of_potato_1, POTATO_1)))
    source = of_path(tmp_path)
    assert recognize(source, "labels") == "potato"
    found = read_format("potato", "labels", source)
    assert said(found, "item", "annotator", "result") == SAID_1
    assert recognize(of_path(together), "labels") == "potato"
    with pytest.raises(FormatFault, match="does not say who gave each label; annotation_output has"):
        read_format("potato", "labels", of_path(together))


@pytest.mark.parametrize(("suffix", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_potato_1_as_a_table_names_the_annotators(suffix, delimiter):
    columns = dict.fromkeys(
        f"{scheme}:::{label}"
        for given in POTATO_1.values()
        for _, labels in given
        for scheme, names in labels.items()
        for label in names
    )
    rows = [["user", "instance_id", "displayed_text", *columns, "span_annotation:::verb"]]
    for who, given in POTATO_1.items():
        for item, labels in given:
            cells = {f"{scheme}:::{label}": value for scheme, names in labels.items() for label, value in names.items()}
            rows.append([who, item, "A", *(cells.get(column, "") for column in columns), "[]"])
    data = "".join(delimiter.join(row) + "\n" for row in rows).encode()
    source = of_bytes(f"annotated_instances.{suffix}", data)
    assert recognize(source, "labels") == "potato"
    assert said(read_format("potato", "labels", source), "item", "annotator", "result") == SAID_1


def test_prodigy_s_choice_is_the_option_taken_and_what_was_ignored_is_no_label():
    found = records("prodigy", "labels", "prodigy/choices.jsonl")
    assert said(found, "item", "annotator", "label") == [
        ("key", "sentences-ann", "yes"),
        ("boat", "sentences-ann", "no"),
        ("key", "sentences-bob", "yes"),
        ("boat", "sentences-bob", None),
    ]
    assert said(records("prodigy", "items", "prodigy/choices.jsonl"), "item", "text") == [
        ("key", "The keys near the door are heavy."),
        ("boat", "The boats behind the island was slow."),
    ]


def test_prodigy_s_binary_answer_is_the_label():
    found = records("prodigy", "labels", "prodigy/binary.jsonl")
    assert said(found, "item", "annotator", "label") == [
        ("key", "sentences-ann", "accept"),
        ("boat", "sentences-ann", "reject"),
    ]


@pytest.mark.parametrize("name", DOCCANO)
def test_doccano_s_file_is_its_annotator_and_an_example_without_label_is_none(name):
    found = records("doccano", "labels", f"doccano/{name}")
    assert sorted(said(found, "item", "annotator", "label")) == [
        ("boat", "ann", "no"),
        ("boat", "bob", "yes"),
        ("key", "ann", "yes"),
        ("key", "bob", "yes"),
        ("twin", "ann", "yes"),
    ]
    items = said(records("doccano", "items", f"doccano/{name}"), "item", "text")
    assert sorted(items)[0] == ("boat", "The boats behind the island was slow.")
    assert len(items) == 3


def test_doccano_s_shared_labels_are_all_s():
    assert {who for (who,) in said(records("doccano", "labels", "doccano/together.jsonl.zip"), "annotator")} == {"all"}


def test_argilla_s_responses_are_by_account():
    found = records("argilla", "labels", "argilla/records.json")
    ann, bob = ACCOUNTS
    assert said(found, "item", "annotator", "label") == [
        ("key", ann, "yes"),
        ("key", bob, "yes"),
        ("boat", ann, "no"),
        ("boat", bob, "yes"),
        ("twin", ann, "yes"),
        ("twin", bob, "no"),
    ]
    items = said(records("argilla", "items", "argilla/records.json"), "item", "question")
    assert items[3] == ("mill", "Is this sentence well formed? The mill grind corn.")


def test_argilla_s_folder_is_read_as_its_records_and_drafts_are_no_labels():
    told = json.loads((WRITTEN / "argilla/records.json").read_text())
    told[0]["responses"]["grammatical"][0]["status"] = "draft"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("records.json", json.dumps(told))
        made.writestr(".argilla/settings.json", "{}")
    source = of_bytes("set.zip", packed.getvalue())
    assert recognize(source, "labels") == "argilla"
    assert len(read_format("argilla", "labels", source).rows) == 5


@pytest.mark.parametrize(
    ("tool", "name", "data", "fault"),
    [
        ("potato", "a.jsonl", b'{"labels": {}}', "line 1: has no instance_id, user_id"),
        ("potato", "a.json", b"[]", "file: has no instance_id_to_label_to_value"),
        ("potato", "a.csv", b"a,b\n1,2\n", "line 1: has no instance_id, user_id"),
        (
            "prodigy",
            "a.jsonl",
            b'{"answer": "maybe"}',
            "line 1, column “answer”: must be one of accept, reject, ignore",
        ),
        ("doccano", "a.jsonl", b'{"text": "x"}', "line 1: has no id, label"),
        ("doccano", "a.json", b"{}", "file: must be a JSON list of examples"),
        ("doccano", "a.txt", b"x", "file: contains no .jsonl, .json, .csv"),
        ("argilla", "a.json", b'[{"id": 1}]', "record 1: has no fields"),
        ("argilla", "a.json", b'[{"id": 1}, 2]', "record 2: must be a JSON object"),
    ],
)
def test_what_is_wrong_is_told_by_place_and_field(tool, name, data, fault):
    with pytest.raises(FormatFault) as refused:
        read_format(tool, "labels", of_bytes(name, data))
    assert fault in str(refused.value)


def given(tool, name, data):
    found = read_format(tool, "labels", of_bytes(name, data))
    return [tuple(row.values.get(field) for field in ("item", "annotator", "label")) for row in found.rows]


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("potato", "instance_id,user_id,q.3,q.4\nGröße,Zoë,3,\n"),
        ("doccano", "id,text,label,Comments,item\n1,Zoë schläft.,3,,Größe\n"),
    ],
)
@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_tool_s_table_saved_again_in_another_encoding_is_the_tool_s(tool, text, encoding):
    source = of_bytes("a.csv", text.encode(encoding))
    assert recognize(source, "labels") == tool
    [row] = read_format(tool, "labels", source).rows
    assert (row.values["item"], row.values["label"]) == ("Größe", "3")


def test_older_forms_of_doccano_are_read():
    one = {"id": 4, "text": "A.", "meta": {"item": "key"}, "annotation_approver": None}
    by_name = json.dumps(one | {"labels": ["yes"]}).encode()
    assert recognize(of_bytes("ann.jsonl", by_name), "labels") == "doccano"
    assert given("doccano", "ann.jsonl", by_name) == [("key", "ann", "yes")]
    each = json.dumps(one | {"annotations": [{"label": 3, "user": 1}, {"label": 5, "user": 2}]}).encode()
    assert given("doccano", "all.jsonl", each) == [("key", 1, 3), ("key", 2, 5)]


def test_argilla_s_records_before_2_and_on_the_hub_are_read_without_drafts():
    answers = [
        {"user_id": who, "status": state, "values": {"natural": {"value": value}}}
        for who, state, value in (("u1", "submitted", "3"), ("u2", "discarded", "4"))
    ]
    old = json.dumps([{"id": "a", "fields": {"text": "A."}, "responses": answers, "suggestions": []}]).encode()
    assert given("argilla", "records.json", old) == [("a", "u1", "3")]
    row = {"id": "a1", "status": "completed", "text": "A.", "item": "1", "natural.responses": ["3", "4"]}
    row |= {"natural.responses.users": ["u1", "u2"], "natural.responses.status": ["submitted", "draft"]}
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row]), file)
    assert given("argilla", "hub.parquet", file.getvalue()) == [("1", "u1", "3")]
