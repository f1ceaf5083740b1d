"""Item files and study files: what is read back, and every fault named by line and field."""

import json
from dataclasses import replace

import pytest

from annotation.itemfile import ItemFileError, ItemRow, item_faults, items_of, read_items, write_items
from annotation.studyfile import StudyFileError, read_study
from annotation.tasktypes import TASK_TYPES, task_type
from tests.studies import plausibility_row, plausibility_rows, write_study

GOOD = plausibility_row(1)


@pytest.fixture
def task():
    return task_type("plausibility").configured({})


def faults_of(path, task) -> list[str]:
    with pytest.raises(ItemFileError) as caught:
        read_items(path, task)
    return [f"{fault.field}: {fault.message}" for fault in caught.value.faults]


def write_lines(path, *lines: str):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def line(**changes) -> str:
    row = json.loads(GOOD.as_json()) | changes
    return json.dumps({name: value for name, value in row.items() if value is not ...})


def test_rows_survive_writing_and_reading(tmp_path, task):
    full = plausibility_row(9, attributes={"class": "plain"}, group="g", revise="odd")
    rows = [*plausibility_rows(3, gold=1, attention=1), full]
    write_items(tmp_path / "items.jsonl", rows)
    assert read_items(tmp_path / "items.jsonl", task) == rows


def test_the_flag_is_no_part_of_what_labels_and_scores_depend_on():
    assert replace(GOOD, revise="odd").content_hash == GOOD.content_hash


def test_the_same_rows_give_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write_items(tmp_path / name, plausibility_rows(5, gold=2))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    ("bad", "expected"),
    [
        ('{"id": "a", "content"', "line 2: is not JSON"),
        ("[1, 2]", "line 2: must be a JSON object, not list"),
        (line(id=""), "line 2.id: must be non-empty text"),
        (line(id="a/b"), "line 2.id: must not contain a slash"),
        (line(id=".."), "line 2.id: must not contain a slash"),
        (line(id="a\nb"), "line 2.id: must not contain a slash or line break"),
        (line(id="half", group="\ud800"), "line 2: contains half of a character (\\ud800)"),
        (line(id="x" * 401), "line 2.id: is longer than 400"),
        (line(id=...), "line 2.id: is missing"),
        (line(kind="goal"), "line 2.kind: 'goal' is not one of target, gold, attention, practice"),
        (line(kind="gold"), "line 2.reference: is missing"),
        (line(reference="likely"), "line 2.reference: 'likely' is not one of impossible"),
        (line(content="text"), "line 2.content: must be an object"),
        (line(content={"original": "A."}), "line 2.content.modified: is missing"),
        (line(content=GOOD.content | {"modifier": "shiny"}), "line 2.content.modifier: 'shiny' does not occur"),
        (line(content=GOOD.content | {"original": 3}), "line 2.content.original: must be text, not int"),
        (line(content=GOOD.content | {"verb": "x"}), "line 2.content.verb: is not recognized"),
        (line(attributes={"a": 1}), "line 2.attributes: must be an object whose values are text"),
        (line(group=4), "line 2.group: must be text"),
        (line(revise=True), "line 2.revise: must be text"),
        (line(labels=[]), "line 2.labels: is not recognized"),
        (line(id=GOOD.id), "line 2.id: “target-1” was already used on line 1"),
        ('{"id": "a", "id": "b", "content": {}}', "line 2: is not readable JSON: id is given twice"),
        (line(id="nul", group="a\0b"), "line 2: contains the character NUL"),
        ('{"id": NaN}', "line 2: is not readable JSON: NaN"),
    ],
)
def test_a_fault_is_named_by_line_and_field(tmp_path, task, bad, expected):
    found = faults_of(write_lines(tmp_path / "items.jsonl", GOOD.as_json(), bad), task)
    assert any(fault.startswith(expected) for fault in found), found


def test_every_fault_is_named_not_only_the_first(tmp_path, task):
    path = write_lines(tmp_path / "items.jsonl", line(kind="x"), line(reference="y"), "{")
    assert [fault.split(":")[0] for fault in faults_of(path, task)] == ["line 1.kind", "line 2.reference", "line 3"]


def test_wrong_encoding_names_the_line(tmp_path, task):
    path = tmp_path / "items.jsonl"
    path.write_bytes(GOOD.as_json().encode() + b"\n" + "caf\xe9".encode("latin-1"))
    assert faults_of(path, task) == ["line 2: is not UTF-8 text (byte 0xe9); save the file as UTF-8"]


def test_a_file_without_targets_is_refused(tmp_path, task):
    path = tmp_path / "items.jsonl"
    write_items(path, plausibility_rows(0, gold=1))
    assert faults_of(path, task) == ["file: has no target items"]


def test_a_missing_file_is_named(tmp_path, task):
    assert faults_of(tmp_path / "none.jsonl", task) == ["file: does not exist"]


def test_a_folder_in_the_files_place_is_named(tmp_path, task):
    (tmp_path / "items.jsonl").mkdir()
    assert faults_of(tmp_path / "items.jsonl", task) == ["file: cannot be read: Is a directory"]


def test_items_that_were_made_have_the_faults_of_their_file(tmp_path, task):
    rows = [GOOD, ItemRow("a/b", {}), GOOD, ItemRow("nul", GOOD.content, group="a\0b")]
    write_items(tmp_path / "items.jsonl", rows)
    found = [f"{fault.field}: {fault.message}" for fault in item_faults(rows, task)]
    assert found == faults_of(tmp_path / "items.jsonl", task)
    assert len({fault.split(".")[0] for fault in found}) == 3


def test_line_separators_inside_a_text_do_not_break_a_line(tmp_path, task):
    row = ItemRow("a", GOOD.content | {"original": "One\u2028two."})
    write_items(tmp_path / "items.jsonl", [row])
    assert read_items(tmp_path / "items.jsonl", task) == [row]


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        ({"collection": {"labels_per_item": 0}}, "collection.labels_per_item: must be a whole number from 1"),
        ({"collection": {"labels_per_item": True}}, "collection.labels_per_item: must be a whole number"),
        ({"collection": {"gold_per_sitting": 2}}, "collection.gold_per_sitting: requires 2, but items.jsonl has 0"),
        ({"collection": {"color": "red"}}, "collection.color: is not recognized"),
        ({"return": {"completed": "javascript:alert(1)"}}, "return.completed: must be an https"),
        ({"return": {"home": "https://{id}.example/"}}, "return.home: must be an https"),
        ({"return": {"completed": "https://a.example/?cc={token}"}}, "return.completed: must be an https"),
        ({"return": {"address": "https://a.example/done"}}, "return.address: needs {code} or {outcome}"),
        ({"return": {"redirect": True}}, "return.redirect: needs a return URL"),
        ({"codes": {"completed": "C 1"}}, "codes.completed: must be at most 40 letters"),
        ({"codes": {"paid": "C1"}}, "codes.paid: is not recognized"),
        (
            {"collection": {"platform": "nowhere"}},
            "collection.platform: must be one of prolific, panel, ",
        ),
        ({"collection": {"id_pattern": "[a-"}}, "collection.id_pattern: must be a regular expression"),
        ({"collection": {"id_required": "yes"}}, "collection.id_required: must be true or false"),
        (
            {"collection": {"recovery": ["fingerprint"]}},
            "collection.recovery: must be a list of session, ",
        ),
        ({"collection": {"session_parameter": "annotator"}}, "collection.id_parameter: must differ"),
        ({"collection": {"id_parameter": "synthetic"}}, "collection.id_parameter: must be the name of a query"),
        ({"quality": {"gold_tolerance": 1.5}}, "quality.gold_tolerance: must be a share from 0 to 1"),
        ({"quality": {"gold_distance": 5}}, "quality.gold_distance: answers of this task are at most 4 apart"),
        ({"task": {"type": "rating_of_doom"}}, "task.type: There is no task type 'rating_of_doom'. Available: "),
        (
            {"task": {"type": "forced_choice", "question": "?"}},
            "task.options: is missing; it must be a list of two to nine different role names",
        ),
        ({"slug": "Not A Slug"}, "slug: must be lower-case letters"),
    ],
)
def test_a_fault_in_study_toml_is_named_by_field(tmp_path, tables, expected):
    with pytest.raises(StudyFileError) as caught:
        read_study(write_study(tmp_path / "study", [GOOD], **tables))
    assert expected in str(caught.value)


def test_a_missing_required_value_is_named(tmp_path):
    folder = write_study(tmp_path, [GOOD])
    kept = [line for line in (folder / "study.toml").read_text().splitlines() if "labels_per_item" not in line]
    (folder / "study.toml").write_text("\n".join(kept))
    with pytest.raises(StudyFileError, match="collection.labels_per_item: is missing; it must be a whole number"):
        read_study(folder)


def without_gold_settings(folder, rows):
    write_study(folder, rows)
    lines = (folder / "study.toml").read_text().splitlines()
    (folder / "study.toml").write_text("\n".join(line for line in lines if not line.startswith("gold_")))
    return folder


def test_a_study_without_gold_need_not_say_what_gold_is_held_against(tmp_path):
    found = read_study(without_gold_settings(tmp_path, [GOOD]))
    assert found.quality["gold_distance"] == 1


def test_a_study_with_gold_must_say_it(tmp_path):
    gold = replace(GOOD, id="gold-1", kind="gold", reference="less_likely")
    with pytest.raises(StudyFileError, match=r"quality\.gold_distance: is missing; it must be a whole number of deg"):
        read_study(without_gold_settings(tmp_path, [GOOD, gold]))


def test_toml_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "study.toml").write_text('slug = "a\n')
    with pytest.raises(StudyFileError, match="is not TOML"):
        read_study(tmp_path)


@pytest.mark.parametrize("key", TASK_TYPES)
def test_every_task_type_has_a_loadable_example(tmp_path, key):
    found = task_type(key)
    rows = [ItemRow("one", found.example)]
    folder = write_study(tmp_path, rows, task={"type": key, **found.example_settings}, quality={"gold_distance": 1})
    assert read_study(folder).items == rows


def long_item(**fields):
    return {"id": "1", "content": {"passage": "It rains.", "question": "Does it?"}} | fields


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (
            {"content": {"question": "?" * 50_001}},
            "line 1, field “content.question”: has 50,001 characters; the limit is 50,000",
        ),
        ({"content": {"question": "Q?", "passage": "p" * 2_000_000}}, "line 1, field “content.passage”: has 2,000,000"),
        (
            {"attributes": {"note": "n" * 5_001}},
            "line 1, field “attributes.note”: has 5,001 characters; the limit is 5,000",
        ),
        ({"attributes": {"n" * 401: "x"}}, "has more than 400 characters"),
        ({"attributes": {f"n{number}": "x" for number in range(201)}}, "line 1, field “attributes”: has 201 names"),
        ({"revise": "r" * 5_001}, "line 1, field “revise”: has 5,001 characters"),
        ({"kind": "k" * 1_000_000}, "line 1, field “kind”: "),
        ({"reference": "r" * 1_000_000}, "line 1, field “reference”: "),
    ],
)
def test_every_text_has_a_longest_length(given, fault):
    with pytest.raises(ItemFileError) as refused:
        items_of([long_item(**given)], task_type("yes_no").configured({}))
    assert fault in str(refused.value)
    assert len(str(refused.value)) < 10_000


def test_so_have_all_texts_of_an_item_together():
    roles = list("abcdefghi")
    task = task_type("forced_choice").configured({"question": "Which?", "options": roles})
    options = {role: role + "x" * 30_000 for role in roles}
    with pytest.raises(ItemFileError, match=r"line 1, field “content”: has 270,009 characters in all its texts"):
        items_of([{"id": "1", "content": {"options": options}}], task)


def test_a_long_passage_is_no_fault():
    content = {"passage": "It rains. " * 2_000, "question": "Does it?"}
    assert items_of([long_item(content=content)], task_type("yes_no").configured({}))


@pytest.mark.parametrize("text", ["Read both sentences.", "The small study"])
def test_a_text_of_the_settings_has_a_longest_length(tmp_path, text):
    folder = write_study(tmp_path / "long", plausibility_rows(4))
    (folder / "study.toml").write_text((folder / "study.toml").read_text().replace(text, "x" * 60_000))
    with pytest.raises(StudyFileError) as refused:
        read_study(folder)
    assert len(refused.value.faults) == 1
    assert len(str(refused.value)) < 1_000
