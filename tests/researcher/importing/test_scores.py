"""Score files brought on the study page: stored with their source, refused with the reason, removed again."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from comparison.frame.judging import panel_verdict
from comparison.frame.reading import read_panel
from researcher import score_form as scoreform
from researcher.studies.list import read_lines
from scoring.models import LanguageModel, Run, Score
from tests.comparison.cast import give_run

FILE = "item,label,score\ntarget-1,less_likely,1\ntarget-2,equally_likely,2\ntarget-3,,3\n"


def sent(client, study, text=FILE, **changes):
    data = {
        "file": SimpleUploadedFile("<b>scores</b>.csv", text.encode()),
        "name": "Huge",
        "metric": "per word",
        "family": "causal",
        "source": "a <paper>",
        "by": "id",
        "columns": "label=label, score=score",
        "delimiter": "comma",
        "ranks_from": "1",
        "header": "on",
    } | changes
    return client.post(reverse("scores_import", args=[study.slug]), data)


@pytest.mark.slow
def test_a_file_becomes_a_run_that_says_where_it_is_from(client, study):
    answer = sent(client, study)
    assert answer.headers["Location"] == reverse("runs", args=[study.slug])
    run = Run.objects.get(model__name="Huge")
    assert (run.total, run.scored, run.unscored) == (4, 3, 1)
    assert run.source.imported_by == "rosa"
    page = client.get(reverse("runs", args=[study.slug])).content.decode()
    assert "imported: a &lt;paper&gt;" in page
    assert "b&gt;.csv" in page
    assert "3 of 4 items scored, 1 unscored" in page
    comparison = client.get(reverse("results", args=[study.slug, "models"])).content.decode()
    assert "Huge · per word (imported)" in comparison
    item = client.get(reverse("comparison_item", args=[study.slug, "target-1"])).content.decode()
    assert "Huge · per word (imported)" in item


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"text": FILE.replace("3\n", "x\n")}, "line 4.score: &#x27;x&#x27; is not a number"),
        ({"columns": "score"}, "is not WHAT=COLUMN"),
        ({"columns": "score.odd=score, score.even=label"}, "line 2.score.even (column label)"),
        ({"family": "made up"}, "Select a valid choice"),
        ({"source": ""}, "This field is required"),
        ({"source": "two\nlines"}, "The source must be text on one line"),
        ({"text": ""}, "The submitted file is empty"),
    ],
)
def test_what_is_refused_says_why_and_leaves_nothing(client, study, changes, message):
    answer = sent(client, study, **changes)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Run.objects.filter(model__name="Huge").exists()
    assert not LanguageModel.objects.filter(is_imported=True).exists()


def test_a_refusal_is_told_where_the_page_opens(client, study):
    page = client.get(reverse("runs", args=[study.slug])).content.decode()
    assert f'action="{reverse("scores_import", args=[study.slug])}#import"' in page
    assert "Nothing was imported" not in page
    refused = sent(client, study, FILE.replace("3\n", "x\n")).content.decode()
    form = refused[refused.index('id="import"') :]
    assert form.index('Nothing was imported. See <a href="#scores-file">Score file</a>.') < form.index("<label")


def test_a_file_may_not_be_too_large(client, study, monkeypatch):
    monkeypatch.setattr(scoreform, "MOST_BYTES", 10)
    answer = sent(client, study)
    assert answer.status_code == 422
    assert "larger than 20 MB" in answer.content.decode()


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
        assert "known here by imported scores only" in started.content.decode()
    client.post(reverse("run_stop", args=[study.slug, run.pk]))
    run.refresh_from_db()
    assert (run.state, run.scores.count()) == ("finished", 4)


def test_a_baseline_of_others_is_not_taken_for_one_of_ours(client, study):
    sent(client, study, family="baseline")
    panel = read_panel(study, coarse=False)
    assert [run.is_baseline for run in panel.runs] == [False, False]
    reached = panel_verdict(panel, against="reference", measure="accuracy", people=study.people)
    assert len(reached.runs.models) == len(reached.runs.placed) > 0
    assert 'under">baseline' not in client.get(reverse("study", args=[study.slug])).content.decode()
    Run.objects.exclude(model__name="Huge").delete()
    [line] = read_lines([study])
    assert line.standing is not None
    [placed] = line.standing.verdict.runs.placed
    assert (placed.name, placed.is_baseline) == ("Huge · per word (imported)", False)


def test_the_file_of_scores_marks_what_is_imported(client, study):
    sent(client, study)
    answer = client.get(reverse("export", args=[study.slug, "scores"]))
    rows = csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode()))
    assert {row["model"]: row["metric"] for row in rows} == {"parrot": "pll", "Huge": "per word (imported)"}


def test_a_visitor_cannot(visitor, study):
    assert "/login/" in sent(visitor, study).headers["Location"]
    assert not Run.objects.filter(model__name="Huge").exists()
