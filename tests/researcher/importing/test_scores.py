"""Score files brought on the study page: stored with their source, refused with the reason, removed again."""

from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from comparison.frame.judging import panel_verdict
from comparison.frame.reading import read_panel
from researcher.imports import forms
from researcher.imports.scores import ScoreFiles
from researcher.models import Job
from researcher.studies.list import read_lines
from scoring.models import LanguageModel, Run, Score
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import file_rows
from tests.researcher.jobs.sources import done, of_scores
from tests.scoring.imported.score_files import CHOICE, QUALITY, ROWS, SLOTS
from tests.studies import open_small_study

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("queue", "place")]
FILE = "item,label,score\ntarget-1,less_likely,1\ntarget-2,equally_likely,2\ntarget-3,,3\n"


def sent(client, study, text=FILE, **changes):
    """The answer of the pages; what they take in is imported."""
    data = {"name": "Huge", "metric": "per word", "family": "causal", "source": "a <paper>"}
    data |= {"columns": "label=label, score=score"} | changes
    answer = of_scores(client, study, SimpleUploadedFile("<b>scores</b>.csv", text.encode()), **data)
    if answer.status_code == 302:
        done(Job.objects.latest("pk"))
    return answer


def test_a_file_becomes_a_run_that_says_where_it_is_from(client, study):
    answer = sent(client, study)
    job = Job.objects.get()
    assert answer.headers["Location"] == reverse("job", args=[job.pk])
    assert job.summary == ["b_.csv: Huge · per word (imported): 3 of 4 items scored, 1 unscored"]
    run = Run.objects.get(model__name="Huge")
    assert (run.total, run.scored, run.unscored) == (4, 3, 1)
    assert run.source.imported_by == "rosa"
    page = client.get(reverse("run", args=[study.slug, run.pk])).content.decode()
    assert "<dd>a &lt;paper&gt;</dd>" in page
    comparison = client.get(reverse("results", args=[study.slug, "models"])).content.decode()
    assert "Huge · per word (imported)" in comparison
    item = client.get(reverse("comparison_item", args=[study.slug, "target-1"])).content.decode()
    assert "Huge · per word (imported)" in item


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"columns": "score"}, "is not WHAT=COLUMN"),
        ({"family": "made up"}, "Select a valid choice"),
        ({"source": ""}, "This field is required"),
        ({"text": ""}, "The submitted file is empty"),
    ],
)
def test_what_the_pages_refuse_says_why_and_leaves_nothing(client, study, changes, message):
    answer = sent(client, study, **changes)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Run.objects.filter(model__name="Huge").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"text": FILE.replace("3\n", "x\n")}, ("line 4, column “score”", "'x' is not a number")),
        (
            {"columns": "score.odd=score, score.even=label", "score": "", "label": ""},
            ("line 2, column “label”",),
        ),
        ({"source": "two\nlines"}, ("The source must be text on one line",)),
    ],
)
def test_what_the_job_refuses_says_why_and_leaves_nothing(client, study, changes, message):
    sent(client, study, **changes)
    page = unescape(client.get(reverse("job", args=[Job.objects.get().pk])).content.decode())
    assert Job.objects.get().state == "failed" and all(words in page for words in message)
    assert not Run.objects.filter(model__name="Huge").exists()
    assert not LanguageModel.objects.filter(is_imported=True).exists()


def test_files_may_not_be_too_large(client, study, settings):
    settings.UPLOAD_MOST_BYTES = 10
    answer = sent(client, study)
    assert answer.status_code == 422
    assert "larger than 0 MB together" in answer.content.decode()
    assert not Job.objects.exists()


def test_a_large_file_of_another_tool_is_not_looked_at_and_imported(client, study, monkeypatch):
    monkeypatch.setattr(forms, "MOST_BYTES", 10)
    answer = sent(client, study)
    assert answer.status_code == 302
    assert Job.objects.get().state == "finished" and Run.objects.filter(model__name="Huge").exists()


def test_an_imported_run_is_removed_and_no_other(client, study):
    sent(client, study)
    run = Run.objects.get(model__name="Huge")
    page = client.get(reverse("runs", args=[study.slug])).content.decode()
    assert reverse("run_remove", args=[study.slug, run.pk]) in page
    assert client.get(reverse("run_remove", args=[study.slug, run.pk])).status_code == 405
    client.post(reverse("run_remove", args=[study.slug, run.pk]))
    assert not Run.objects.filter(pk=run.pk).exists()
    own = give_run(study, [("target-1", None, 1.0, "")], key="own")
    answer = client.post(reverse("run_remove", args=[study.slug, own.pk]), follow=True)
    assert "only imported runs are deleted" in answer.content.decode()
    assert Score.objects.filter(run=own).exists()


def test_it_can_be_neither_started_nor_stopped(client, study):
    sent(client, study)
    run = Run.objects.get(model__name="Huge")
    page = client.get(reverse("runs", args=[study.slug])).content.decode()
    assert f'value="{run.model.key}' not in page
    for metric in ("per word", "causal"):
        started = client.post(
            reverse("run_start", args=[study.slug]), {"choice": f"{run.model.key} {metric}"}, follow=True
        )
        assert "has only imported scores" in started.content.decode()
    client.post(reverse("run_stop", args=[study.slug, run.pk]))
    run.refresh_from_db()
    assert (run.state, run.scores.count()) == ("finished", 4)


def test_a_baseline_of_others_is_not_taken_for_one_of_ours(client, study):
    sent(client, study, family="baseline")
    panel = read_panel(study, coarse=False)
    assert [run.is_baseline for run in panel.runs] == [False, False]
    reached = panel_verdict(panel, against="reference", measure="accuracy", people=study.people)
    assert len(reached.runs.models) == len(reached.runs.placed) > 0
    shown = client.get(reverse("results", args=[study.slug, "models"])).content.decode()
    assert "Huge" in shown and 'quiet">baseline' not in shown
    Run.objects.exclude(model__name="Huge").delete()
    [line] = read_lines([study])
    assert line.standing is not None
    [placed] = line.standing.verdict.runs.placed
    assert (placed.name, placed.is_baseline) == ("Huge per word", False)


def test_the_file_of_scores_marks_what_is_imported(client, study):
    sent(client, study)
    rows = file_rows(client, study.slug, "scores")
    assert {row["model"]: row["metric"] for row in rows} == {"parrot": "pll", "Huge": "per word (imported)"}


@pytest.mark.django_db
@pytest.mark.parametrize(("items", "neutral"), [(ROWS, False), (SLOTS, True)])
def test_a_neutral_context_is_asked_of_slots_alone(tmp_path, items, neutral):
    study = open_small_study(tmp_path, items, task=CHOICE, quality=QUALITY)
    labels = [one.label for one in ScoreFiles().further_columns(study)]
    assert labels[:2] == ["Score of “plausible”", "Rank of “plausible”"]
    assert ("Rank of “plausible”, neutral context" in labels) == neutral
