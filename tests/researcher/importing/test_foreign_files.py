"""From another tool's files to a study with its items and the labels that people gave there."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Judgment, Sitting, Study
from tests.corpus.formats.writing import WRITTEN

pytestmark = pytest.mark.django_db
LABEL_STUDIO = WRITTEN / "label_studio"
MAP = ["original=original", "modified=modified", "modifier=modifier", "noun=noun"]


@pytest.fixture
def study(tmp_path):
    task = ["--task", "plausibility", "--slug", "adjectives", "--out", str(tmp_path / "made")]
    source = str(LABEL_STUDIO / "plausibility.json")
    call_command("import_study", "label-studio", source, *task, "--map", "id=item", *MAP, verbosity=0)
    return Study.objects.get(slug="adjectives")


def labels():
    read = Judgment.objects.values_list("assignment__item__external_id", "assignment__annotator__external_id", "answer")
    return sorted((item, who.partition("/")[2], answer) for item, who, answer in read)


GIVEN = [
    ("bridge", "1", "equally_likely"),
    ("bridge", "2", "more_likely"),
    ("key", "1", "less_likely"),
    ("key", "2", "impossible"),
    ("rain", "1", "equally_likely"),
    ("rain", "2", "equally_likely"),
]


@pytest.mark.slow
def test_tasks_become_items_and_their_annotations_labels(study, capsys):
    assert study.items.count() == 4
    assert study.items.get(external_id="key").content["modified"] == "A false key opens doors."
    source = str(LABEL_STUDIO / "plausibility.json")
    with pytest.raises(CommandError, match=r"task 4, annotation 1, field “label”: is empty"):
        call_command("import_labels", study.slug, source)
    assert not Judgment.objects.exists()
    call_command("import_labels", study.slug, source, "--skip-incomplete", "--as-imported")
    said = capsys.readouterr().out
    assert "plausibility.json: read as Label Studio’s" in said
    assert "6 labels of 2 annotators imported" in said
    assert "1 incomplete line left out: task 4, annotation 1" in said
    assert labels() == GIVEN
    assert Sitting.objects.filter(source__name="plausibility.json").count() == 2
    # The other exports of the same project say the same.
    for name in ("plausibility.min.json", "plausibility.csv"):
        mapped = ["--format", "label-studio", "--map", "label=plausibility"]
        call_command("import_labels", study.slug, str(LABEL_STUDIO / name), *mapped)
        assert "0 labels of 0 annotators imported, 6 unchanged" in capsys.readouterr().out
    assert labels() == GIVEN


def test_a_control_that_is_not_named_is_asked_for(study):
    with pytest.raises(
        CommandError, match="field “label”: is missing .requested as label.; the columns are item, original"
    ):
        call_command("import_labels", study.slug, str(LABEL_STUDIO / "plausibility.min.json"))


def test_words_that_mean_nothing_here_are_faults_by_task(study, tmp_path):
    path = tmp_path / "other.json"
    path.write_text((LABEL_STUDIO / "plausibility.json").read_text().replace("Less likely", "Hardly"))
    with pytest.raises(CommandError, match=r"task 1, annotation 1, field “label”: 'Hardly' is not one of"):
        call_command("import_labels", study.slug, str(path), "--skip-incomplete")
    said = ["--labels", "Hardly=less_likely", "--skip-incomplete", "--as-imported"]
    call_command("import_labels", study.slug, str(path), *said)
    assert labels() == GIVEN


def test_only_some_records_are_read_where_that_is_asked(study):
    path = str(LABEL_STUDIO / "plausibility.json")
    call_command("import_labels", study.slug, path, "--only", "annotator=2", "--as-imported")
    assert [who for _, who, _ in labels()] == ["2", "2", "2"]
    with pytest.raises(CommandError, match="--only: no record has annotator=9"):
        call_command("import_labels", study.slug, path, "--only", "annotator=9")


def test_a_file_of_another_tool_is_refused_by_name(study):
    scores = str(WRITTEN / "lm_eval/samples_parallax_yes_no.jsonl")
    with pytest.raises(CommandError, match="must be a JSON list of tasks|is not JSON"):
        call_command("import_labels", study.slug, scores, "--format", "label-studio")


WORDS = ["--labels", "yes it is=yes", "no it is not=no"]


@pytest.mark.parametrize(
    ("tool", "name", "fields", "more", "labels_of"),
    [
        ("doccano", "doccano/members.jsonl.zip", ["question=text"], [], {"ann": 3, "bob": 2}),
        ("argilla", "argilla/records.json", ["question=question"], [], {"0a": 3, "0b": 3}),
        ("prodigy", "prodigy/choices.jsonl", ["question=text"], ["--skip-incomplete"], {"ann": 2, "bob": 1}),
        ("hf-dataset", "hf_dataset/saved", ["question=question"], [], {"ann": 2, "bob": 2}),
        ("potato", "potato/annotation_output", [], WORDS, {"ann": 3, "": 2}),
    ],
)  # fmt: skip
def test_every_annotation_tool_s_file_becomes_a_study_with_its_labels(tmp_path, tool, name, fields, more, labels_of):
    """Potato's own items are the file that it was given, so that they come from a table."""
    source = WRITTEN / name
    items = source
    if not fields:
        items, fields = tmp_path / "items.csv", ["question=text"]
        items.write_text("item,text\nkey,The keys.\nboat,The boat.\ntwin,The twins.\n")
    if tool == "hf-dataset":
        # A row is a label there, so that an item would come twice: the items are a table of their own.
        items = tmp_path / "items.csv"
        items.write_text("item,question\nkey,The keys.\nboat,The boat.\n")
    importer = "table" if items != source else tool
    task = ["--task", "yes_no", "--slug", "sentences", "--out", str(tmp_path / "made")]
    call_command("import_study", importer, str(items), *task, "--map", "id=item", *fields, verbosity=0)
    call_command("import_labels", "sentences", str(source), "--as-imported", *more)
    given = labels()
    assert ("key", "yes") in {(item, answer) for item, _, answer in given}
    assert ("boat", "no") in {(item, answer) for item, _, answer in given}
    for end, count in labels_of.items():
        # Potato's second annotator was called by an e-mail address, which is a number now.
        assert sum(who.endswith(end) if end else who.isdecimal() for _, who, _ in given) == count
    assert len(given) == sum(labels_of.values())
