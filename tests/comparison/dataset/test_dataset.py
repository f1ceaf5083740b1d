"""A study as a data set: what is in the files, that no group is in two parts, and that it becomes the same study."""

import json
import shlex
from collections import Counter

import pyarrow.parquet as pq
import pytest
import yaml
from django.core.management import CommandError, call_command

from annotation.elsewhere.label_import import import_labels
from annotation.models import Annotator, Study
from comparison.dataset.card import creators
from tests.comparison.cast import give_labels
from tests.comparison.dataset.labeled import DEGREES, labeled_study
from tests.studies import open_small_study, plausibility_rows, write_study

pytestmark = pytest.mark.django_db

PARTS = ("train", "validation", "test")


@pytest.fixture
def study(tmp_path) -> Study:
    return labeled_study(tmp_path)


@pytest.fixture
def folder(study, tmp_path):
    call_command("export_dataset", study.slug, tmp_path / "data")
    return tmp_path / "data"


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows(folder, configuration="items", part=None):
    return [
        row
        for one in ([part] if part else PARTS)
        for row in pq.read_table(folder / configuration / f"{one}.parquet").to_pylist()
    ]


@pytest.mark.slow
def test_a_row_is_an_item_with_its_texts_labels_reference_and_attributes(study, folder):
    found = {row["id"]: row for row in rows(folder)}
    assert len(found) == 60
    for item in study.items.filter(kind="target"):
        row = found[item.external_id]
        assert (row["sentence1"], row["sentence2"]) == (item.content["original"], item.content["modified"])
        assert (row["modifier"], row["noun"]) == ("broken", "lamp")
        assert (row["label"], row["reference"], row["group"]) == (item.majority, item.reference, item.group)
        assert {value: row[f"labels_{value}"] for value in DEGREES if row[f"labels_{value}"]} == item.tally
        assert row["labels"] == sum(item.tally.values())
        assert row["attribute_class"] == item.attributes["class"]
        assert row["attribute_region"] == item.attributes.get("region")


@pytest.mark.slow
def test_items_with_one_label_or_a_tie_have_no_label(folder):
    found = rows(folder)
    assert {row["label"] for row in found if row["labels"] == 1} == {None}
    assert sum(row["label"] is None for row in found) == 4 + 4
    assert sum(row["labels"] == 1 for row in found) == 4


@pytest.mark.slow
def test_json_lines_say_the_same(folder):
    for path in folder.rglob("*.parquet"):
        lines = path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line) for line in lines] == pq.read_table(path).to_pylist()


@pytest.mark.slow
def test_no_group_is_in_two_parts_and_labels_go_with_their_items(folder):
    groups = [{row["group"] for row in rows(folder, part=part)} for part in PARTS]
    assert sum(map(len, groups)) == len(set().union(*groups)) == 30
    assert [len(rows(folder, part=part)) for part in PARTS] == [48, 6, 6]
    for part in PARTS:
        assert {row["item"] for row in rows(folder, "labels", part)} == {row["id"] for row in rows(folder, part=part)}


@pytest.mark.slow
def test_labels_have_annotators_as_numbers_and_nothing_that_identifies(study, folder):
    found = rows(folder, "labels")
    assert len(found) == sum(study.items.values_list("counted", flat=True))
    assert {row["annotator"] for row in found} == {1, 2, 3}
    assert found[0].keys() == {"item", "annotator", "label", "population"}
    every_byte = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    for annotator in Annotator.objects.all():
        for secret in filter(None, (annotator.external_id, "worker-")):
            assert secret.encode() not in every_byte
    counts = Counter((row["item"], row["label"]) for row in found)
    for row in rows(folder):
        assert all(counts[row["id"], value] == row[f"labels_{value}"] for value in DEGREES)


@pytest.mark.slow
def test_the_card_has_parts_shares_agreement_and_policy_with_n_and_intervals(study, folder):
    text = (folder / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(text.split("---")[1])
    assert front["license"] == "unknown"
    assert front["annotations_creators"] == ["found"]
    assert [one["config_name"] for one in front["configs"]] == ["items", "labels"]
    features = {one["name"]: one["dtype"] for one in front["dataset_info"][0]["features"]}
    assert list(features) == list(rows(folder)[0])
    assert list(features["label"]["class_label"]["names"].values()) == list(DEGREES)
    assert "80 % train, 10 % validation, 10 % test" in text
    assert "8 of 60 items have no majority" in text
    assert "Krippendorff’s α, ordinal | ." in text
    assert "n = 56" in text
    assert "Labels of excluded annotators do not count." in text
    assert "The annotators are people; none is synthetic." in text


@pytest.mark.slow
def test_the_card_says_who_gave_the_labels_as_far_as_it_is_known(tmp_path):
    study = open_small_study(tmp_path / "small", plausibility_rows(2), slug="small")
    give_labels(study, [("target-1", name, DEGREES[0]) for name in ("p0", "p1")])
    call_command("export_dataset", study.slug, tmp_path / "data")
    front = (tmp_path / "data" / "README.md").read_text(encoding="utf-8").split("---")[1]
    assert "annotations_creators" not in front, "who came by a link of no platform is not known"
    for platform, known in (("volunteers", []), ("prolific", ["crowdsourced"])):
        study.platform = platform
        assert creators(study, has_references=True) == known
    (tmp_path / "labels.csv").write_text(f"item,annotator,label\ntarget-2,somebody-else,{DEGREES[0]}\n")
    import_labels(study, tmp_path / "labels.csv")
    study.platform = "prolific"
    assert creators(study, has_references=True) == ["crowdsourced", "found"]
    study.platform = ""
    assert creators(study, has_references=True) == ["found"]
    study.population = "nobody"
    assert creators(study, has_references=True) == []
    assert creators(study, has_references=False) == ["no-annotation"]


def test_items_without_a_label_are_counted_over_all_parts_on_a_line_of_their_own(study, tmp_path, capsys):
    call_command("export_dataset", study.slug, tmp_path / "data")
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said] == ["train", "validation", "test", "in all parts"]
    assert said[-1] == "in all parts: 8 of 60 items have no majority and so no label"


@pytest.mark.slow
def test_synthetic_labels_are_marked_in_card_and_rows(study, tmp_path):
    Study.objects.update(population="synthetic")
    call_command("export_dataset", study.slug, tmp_path / "data", license="cc-by-4.0")
    text = (tmp_path / "data" / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(text.split("---")[1])
    assert front["annotations_creators"] == ["machine-generated"]
    assert front["license"] == "cc-by-4.0"
    assert "Labels are synthetic: a program made them" in text
    assert {row["population"] for row in rows(tmp_path / "data", "labels")} == {"synthetic"}


@pytest.mark.slow
def test_the_same_again_is_the_same_to_the_byte_and_another_seed_is_not(study, folder, tmp_path):
    call_command("export_dataset", study.slug, tmp_path / "again")
    call_command("export_dataset", study.slug, tmp_path / "other", seed=2)
    assert contents(tmp_path / "again") == contents(folder)
    assert rows(tmp_path / "other", part="test") != rows(folder, part="test")


@pytest.mark.slow
def test_the_command_on_the_card_makes_the_same_study_again(study, folder, settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    text = (folder / "README.md").read_text(encoding="utf-8")
    words = shlex.split(text.split("```sh\n")[1].split("\n```")[0].replace("FOLDER", str(folder)))
    words[words.index("--slug") + 1] = "again"
    call_command(*words[1:])
    made = Study.objects.get(slug="again")
    assert (made.title, made.task_type) == (study.title, study.task_type)
    columns = ("content", "reference", "attributes", "group", "kind", "content_hash")

    def items(of):
        return {item.external_id: tuple(getattr(item, name) for name in columns) for item in of}

    assert items(made.items.all()) == items(study.items.filter(kind="target"))


def test_a_study_of_references_alone_has_items_and_no_labels(tmp_path):
    from annotation.loading import load_study

    path = write_study(tmp_path / "bare", plausibility_rows(8), slug="bare")
    study = load_study(path).study
    study.items.update(reference="less_likely")
    call_command("export_dataset", "bare", tmp_path / "data")
    assert {row["label"] for row in rows(tmp_path / "data", part="train")} == {None}
    assert not list((tmp_path / "data" / "labels").iterdir())
    text = (tmp_path / "data" / "README.md").read_text(encoding="utf-8")
    assert [one["config_name"] for one in yaml.safe_load(text.split("---")[1])["configs"]] == ["items"]
    assert "No one has labeled these items." in text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"parts": [80, 10, 5]}, "three percentages that add up to 100"),
        ({"parts": [0, 50, 50]}, "the first above 0"),
    ],
)
def test_parts_that_are_none_are_refused(study, tmp_path, options, sentence):
    with pytest.raises(CommandError, match=sentence) as refused:
        call_command("export_dataset", study.slug, tmp_path / "data", **options)
    assert refused.value.returncode == 2
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_the_data_set_of_another_study_is_left_alone(study, folder, tmp_path):
    before = contents(folder)
    other = labeled_study(tmp_path, items=20, slug="pilot-2")
    with pytest.raises(CommandError, match="holds the data set of the study 'pilot', not of 'pilot-2'") as refused:
        call_command("export_dataset", other.slug, folder)
    assert refused.value.returncode == 2
    assert contents(folder) == before
    call_command("export_dataset", study.slug, folder)
    assert contents(folder) == before


@pytest.mark.slow
def test_a_folder_of_somebody_elses_is_left_alone(study, folder, tmp_path):
    call_command("export_dataset", study.slug, folder)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(CommandError, match="was not written by this command"):
        call_command("export_dataset", study.slug, tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").exists()
