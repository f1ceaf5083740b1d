"""Runs: starting, stopping, watching."""

import re

import pytest
from django.urls import reverse

from researcher.studies.list import read_lines
from scoring.models import Chunk, LanguageModel, Run
from scoring.runs.working import CHUNKS
from tests.comparison.cast import give_run


def start(client, study, choice="random label"):
    return client.post(reverse("run_start", args=[study.slug]), {"choice": choice}, follow=True)


def run_of(study, key="random"):
    return Run.objects.get(study=study, model__key=key)


def finish(study):
    """What the worker does."""
    for chunk in Chunk.objects.filter(run__study=study):
        CHUNKS.work(chunk.pk, worker="test")


def test_only_what_fits_is_offered(client, draft, baselines):
    page = client.get(reverse("runs_new", args=[draft.slug])).content.decode()
    assert 'value="random label"' in page
    assert 'value="normative label"' not in page
    assert "<code>causal</code>" not in page


@pytest.mark.slow
def test_a_run_is_queued(client, study, baselines, queue):
    answer = start(client, study)
    assert "You can close this page." in answer.content.decode()
    assert run_of(study).state == "queued"


@pytest.mark.slow
def test_a_run_is_stored_when_the_queue_is_silent(client, study, baselines):
    answer = start(client, study)
    assert "The task queue cannot be reached" in answer.content.decode()
    assert run_of(study).state == "queued"


def test_a_metric_the_model_does_not_have_is_refused_with_what_it_has(client, study, baselines):
    answer = start(client, study, "random cloze")
    assert "has no metric cloze. Its metrics: label." in answer.content.decode()
    assert not Run.objects.filter(study=study, model__key="random").exists()


def test_an_unknown_model_is_refused_with_those_there_are(client, study, baselines):
    assert "There is no model" in start(client, study, "gpt label").content.decode()


def test_choosing_nothing_is_said(client, study):
    assert "Nothing started. Choose a model and a metric." in start(client, study, "").content.decode()


@pytest.mark.slow
def test_a_finished_run_has_nothing_left(client, study, baselines, queue):
    start(client, study)
    finish(study)
    assert "has nothing left to score" in start(client, study).content.decode()


@pytest.mark.slow
def test_a_run_is_stopped(client, study, baselines, queue):
    start(client, study)
    run = run_of(study)
    answer = client.post(reverse("run_stop", args=[study.slug, run.pk]), follow=True)
    run.refresh_from_db()
    assert run.state == "stopped"
    assert "Resume" in answer.content.decode()


def test_stopping_a_finished_run_is_harmless(client, study):
    run = study.runs.get()
    answer = client.post(reverse("run_stop", args=[study.slug, run.pk]), follow=True)
    run.refresh_from_db()
    assert run.state == "finished"
    assert "was not running" in answer.content.decode()


def test_a_run_of_another_study_is_not_found(client, study, draft):
    assert client.post(reverse("run_stop", args=[draft.slug, study.runs.get().pk])).status_code == 404


@pytest.mark.slow
def test_the_table_asks_again_while_a_run_is_live(client, study, baselines, queue):
    start(client, study)
    part = client.get(reverse("runs", args=[study.slug])).content.decode()
    assert 'hx-trigger="every 2s"' in part
    assert 'id="tiles"' not in part


@pytest.mark.slow
def test_the_last_update_asks_no_more(client, study, baselines, queue):
    start(client, study)
    finish(study)
    part = client.get(reverse("runs", args=[study.slug]), headers={"HX-Request": "true"}).content.decode()
    assert 'id="runs-table"' in part
    assert "<html" not in part
    assert "hx-trigger" not in part


@pytest.mark.slow
def test_many_runs_have_pages(client, study, monkeypatch):
    monkeypatch.setattr("researcher.studies.runs.PER_PAGE", 2)
    for name in ("ant", "bee", "cat"):
        LanguageModel.objects.create(
            key=name, name=name, family="masked", method="masked", location="path", source="nowhere"
        )
        give_run(study, [], key=name, metric="cloze")
    first, second = (
        client.get(reverse("runs", args=[study.slug]), {"page": page, "show": "models"}).content.decode()
        for page in "12"
    )
    assert (">ant</a>" in first, ">cat</a>" in first, "1–2 of 4" in first) == (True, False, True)
    assert (">ant</a>" in second, ">cat</a>" in second, "3–4 of 4" in second) == (False, True, True)
    assert 'rel="next" href="?page=2&amp;show=models"' in first


@pytest.mark.slow
def test_an_error_is_shown(client, study):
    LanguageModel.objects.create(
        key="broken", name="Broken", family="masked", method="masked", location="path", source="nowhere"
    )
    run = give_run(study, [], key="broken", metric="cloze")
    Run.objects.filter(pk=run.pk).update(state="failed", error="The weights are not there.")
    assert "The weights are not there." in client.get(reverse("runs", args=[study.slug])).content.decode()


@pytest.mark.slow
def test_all_that_failed_is_resumed_by_one_button(client, study, baselines, queue):
    start(client, study)
    run_of(study).chunks.all().delete()
    Run.objects.filter(model__key="random").update(state="failed", error="Out of memory")
    page = client.get(reverse("runs", args=[study.slug]), {"show": "failed"})
    assert [line.run.model.key for line, _, _ in page.context["page"].lines] == ["random"]
    assert "Resume 1 failed" in page.content.decode()
    start(client, study, [line.choice for line in page.context["page"].failed])
    assert run_of(study).state == "queued"


@pytest.mark.slow
def test_a_result_is_that_of_the_verdict_by_the_study_s_measure(client, study):
    own = study.runs.get()
    scores = give_run(study, [(f"target-{place}", None, float(place), "") for place in range(1, 5)], key="smol")
    page = client.get(reverse("runs", args=[study.slug])).context["page"]
    found = {line.run.pk: result for line, _, result in page.lines}
    [line] = read_lines([study])
    assert line.standing is not None
    placed = {one.run: one for one in line.standing.verdict.runs.placed}
    assert found[own.pk].words == placed[own.pk].value.short
    assert found[scores.pk].what == "ρ of scores"


@pytest.mark.slow
def test_runs_are_counted_by_what_they_are(client, study, baselines, queue):
    start(client, study)
    chips = client.get(reverse("runs", args=[study.slug])).context["page"].chips
    assert {chip.value: chip.count for chip in chips} == {"": 2, "models": 1, "baselines": 1, "running": 1}


@pytest.mark.slow
def test_results_come_as_soon_as_one_more_run_has_ended(client, study, baselines, queue):
    start(client, study)
    page, asked = reverse("runs", args=[study.slug]), {"HX-Request": "true"}
    first = client.get(page)
    assert f'hx-get="{page}?ended=1"' in first.content.decode()
    assert client.get(page, {"ended": 1}, headers=asked).context["page"].results is None, "nothing has changed"
    assert client.get(page, {"ended": 0}, headers=asked).context["page"].results is not None


@pytest.mark.slow
def test_the_page_says_on_how_many_items_its_figures_rest_and_why_a_run_has_none(client, study):
    give_run(study, [("target-1", "impossible", None, "")], key="narrow")
    scores = give_run(study, [(f"target-{place}", None, float(place), "") for place in range(1, 5)], key="smol")
    page = client.get(reverse("runs", args=[study.slug]))
    [line] = read_lines([study])
    assert line.standing is not None
    items = line.standing.verdict.runs.items
    text = " ".join(page.content.decode().split())
    assert f"Runs are compared on the {items} items that all of them answered." in text
    assert f"answered 1 of {items} items" in text
    assert page.context["page"].results.by_run[scores.pk].by_rho
    assert "Result vs. people" in text and "each on its own items." in text
    for line in re.findall(r'<span id="result-.*?</span>', text):
        is_number, what = "[" in line, re.search(r"<small>(accuracy|ρ of scores)</small>", line)
        assert is_number == bool(what), line
