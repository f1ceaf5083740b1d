"""Files of other tools sent to the pages: the same formats as by command, read in a process of their own."""

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Study
from corpus.errors import SourceError
from corpus.formats import apart
from corpus.formats.apart import records_apart
from corpus.formats.contract import Use
from corpus.formats.reading import read_format
from corpus.formats.registry import FORMATS, formats_for
from corpus.formats.source import of_bytes
from researcher.models import Job
from scoring.models import Run
from tests.corpus.formats.writing import WRITTEN
from tests.researcher.jobs.sources import done, of_scores
from tests.scoring.imported.foreign_studies import CHOICE, PAIRS, QUALITY, YES_NO
from tests.studies import open_small_study, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("queue", "place")]


@pytest.fixture
def study(researcher, tmp_path):
    return open_small_study(tmp_path / "yes", YES_NO, slug="yes", task={"type": "yes_no"}, quality=QUALITY)


def sent(client, study, name, **changes):
    """The answer of the pages; what they take in is imported."""
    path = WRITTEN / name
    file = changes.pop("file", None) or SimpleUploadedFile(path.name, path.read_bytes())
    data = {"name": "SmolLM2", "metric": "asked", "family": "causal", "source": "a test"}
    answer = of_scores(client, study, file, **data | changes)
    if answer.status_code == 302:
        done(Job.objects.latest("pk"))
    return answer


def test_a_log_that_is_sent_is_seen_and_becomes_a_run(client, study):
    answer = sent(client, study, "lm_eval/samples_parallax_yes_no.jsonl")
    assert answer.headers["Location"] == reverse("job", args=[Job.objects.get().pk])
    run = Run.objects.get()
    assert (run.scored, run.source.name, run.source.reading["format"]) == (
        3,
        "samples_parallax_yes_no.jsonl",
        "lm-eval",
    )


def test_a_packed_log_and_one_that_is_named(client, study):
    assert sent(client, study, "inspect/chosen.eval").status_code == 302
    assert sent(client, study, "inspect/said.json", format="inspect", metric="said").status_code == 302
    assert [run.scored for run in Run.objects.order_by("pk")] == [2, 2]


def test_records_and_words_are_chosen_on_the_page_as_well(client, study):
    answers = "lm_eval/samples_parallax_answers.jsonl"
    sent(client, study, answers)
    assert any("is also on line 1 with different values" in why for _, _, why in Job.objects.get().faults)
    assert not Run.objects.exists()
    assert sent(client, study, answers, only="filter=word", labels="[invalid]=no").status_code == 302
    assert {score.decision for score in Run.objects.get().scores.all()} == {"no"}


def test_what_is_wrong_stands_beside_the_file_and_nothing_is_kept(client, study):
    cut = SimpleUploadedFile("log.eval", (WRITTEN / "inspect/chosen.eval").read_bytes()[:500])
    answer = sent(client, study, "inspect/chosen.eval", file=cut)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "is a zip file that is cut off or damaged" in page
    assert "nothing was imported" in page
    assert not Run.objects.exists()


def test_a_table_that_is_said_to_be_one_is_one(client, researcher, tmp_path):
    study = open_small_study(tmp_path / "pairs", PAIRS, slug="pairs", task=CHOICE, quality=QUALITY)
    sent(client, study, "lm_eval/samples_parallax_pairs.jsonl", format="table")
    first = Job.objects.get().faults[0]
    assert first[1] == "line 1, field “score”" and first[2].startswith("is missing")


def test_records_are_chosen_in_files_of_other_tools_only(client, study):
    table = SimpleUploadedFile("a.csv", b"item,label\nboat,yes\n")
    sent(client, study, "inspect/chosen.eval", file=table, only="a=b")
    assert "choose the tool that wrote it" in Job.objects.get().error


def test_words_for_labels_can_be_said_of_a_table(client, study):
    table = SimpleUploadedFile("a.csv", b"item,label\nboat,ja\nbell,nein\n")
    sent(client, study, "inspect/chosen.eval", file=table, labels="ja=yes, nein=no")
    scores = Run.objects.get().scores.select_related("item")
    assert {score.item.external_id: score.decision for score in scores if score.decision} == {
        "boat": "yes",
        "bell": "no",
    }


@pytest.mark.parametrize(
    ("name", "written_by", "expected"),
    [
        ("label_studio/plausibility.json", "", "A false key opens doors."),
        ("doccano/members.jsonl.zip", "", "The keys near the door are heavy."),
        ("label_studio/plausibility.csv", "label-studio", "A false key opens doors."),
    ],
)
def test_items_of_another_tool_lead_on_to_their_columns(client, name, written_by, expected):
    path = WRITTEN / name
    file = SimpleUploadedFile(path.name, path.read_bytes())
    answer = client.post("/new-study/", {"file": file, "format": written_by})
    assert answer.status_code == 302, answer.content.decode()
    page = client.get(answer.headers["Location"]).content.decode()
    assert expected in page
    assert re.search(r'<option value="id" selected', page), "the id of the items is guessed"
    assert not Study.objects.exists()


def test_a_file_that_another_tool_did_not_write_is_refused_on_the_first_page(client, place):
    file = SimpleUploadedFile("items.json", b'{"a": 1}')
    answer = client.post("/new-study/", {"file": file, "format": "label-studio"})
    assert answer.status_code == 422
    assert "must be a JSON list of tasks" in answer.content.decode()
    assert not list((place / "jobs").glob("*"))


def test_a_small_file_that_says_more_than_a_page_takes_in_is_refused(monkeypatch):
    monkeypatch.setattr(apart, "MOST_FOUND", 500)
    data = (WRITTEN / "inspect/chosen.eval").read_bytes()
    with pytest.raises(SourceError, match="MB; use the command"):
        records_apart(data, "chosen.eval", "scores")


def test_records_that_were_read_apart_are_the_same():
    written: list[tuple[str, Use, str]] = [
        ("inspect/chosen.eval", "scores", "inspect"),
        ("doccano/members.csv.zip", "labels", "doccano"),
        ("hf_dataset/hub/data/train-00000-of-00001.parquet", "labels", "hf-dataset"),
    ]
    for name, use, tool in written:
        data, short = (WRITTEN / name).read_bytes(), name.rsplit("/", 1)[-1]
        assert records_apart(data, short, use) == read_format(tool, use, of_bytes(short, data))
    assert records_apart(b"item,score\na,1\n", "a.csv", "scores") is None
    with pytest.raises(SourceError, match="task 1: must be a JSON object"):
        records_apart(b"[1]", "../../a.json", "labels", asked="label-studio")


@pytest.mark.parametrize("use", ["labels", "scores", "items"])
def test_each_page_says_of_each_tool_which_file_is_meant_and_where_it_is_exported(client, tmp_path, use):
    study = open_small_study(tmp_path / "small", plausibility_rows(2))
    pages = {
        "labels": [reverse("label_files", args=[study.slug])],
        "scores": [reverse("score_files", args=[study.slug])],
        "items": [reverse("new_study")],
    }
    for address in pages[use]:
        page = unescape(client.get(address).content.decode())
        cards = re.findall(r'<div class="tool-card"><dt>(.+?)</dt><dd>(.+?)</dd>', page)
        assert dict(cards) == {FORMATS[name].tool: FORMATS[name].exported for name in formats_for(use)}
    assert all(one.exported.endswith(".") and one.exported.count(". ") == 0 for one in FORMATS.values())


def test_the_page_of_a_tools_items_says_so_too(client):
    for name in formats_for("items"):
        page = unescape(client.get(reverse("data_set", args=[name])).content.decode())
        assert FORMATS[name].exported in " ".join(page.split())
