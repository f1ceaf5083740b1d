"""The page of one run: metric, settings, versions, times, reasons and actions, of runs and of imported scores."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.imported.importing import Stated, import_scores
from scoring.imported.reading import Reading
from scoring.models import Chunk, Run
from scoring.runs.fitting import find_model
from scoring.runs.starting import start_run
from tests.comparison.cast import Scored, give_run
from tests.comparison.page.visiting import words


def visit(client, run):
    return client.get(reverse("run", args=[run.study.slug, run.pk]))


@pytest.fixture
def half(study):
    """Two of four items are scored; two reasons."""
    rows: list[Scored] = [("target-1", None, 1.0, ""), ("target-2", None, 2.0, "")]
    rows += [("target-3", None, None, "too <long>"), ("target-4", None, None, "no token")]
    run = give_run(study, rows, key="smol", metric="pll")
    began = timezone.now() - timedelta(minutes=2, seconds=5)
    sha = "ab" * 32
    Run.objects.filter(pk=run.pk).update(
        started_at=began,
        finished_at=began + timedelta(seconds=125),
        settings={"seed": 7},
        provenance={"torch": "2.13.0", "files_sha256": {"vocab.txt": sha}, "metric": "pll"},
    )
    run.refresh_from_db()
    return run


@pytest.mark.slow
def test_it_says_what_was_measured_and_what_came_of_it(client, half):
    text = words(visit(client, half))
    assert "smol · pll" in text
    assert "pseudo-log-likelihood of the sentence (Salazar et al. 2020)" in text
    assert "4 of 4 items: 2 scored, 2 unscored" in text
    assert "Duration 2 min 5 s" in text
    assert "2 a minute" in text
    assert "Batches left none" in text
    assert "seed 7" in text
    assert "torch 2.13.0" in text


@pytest.mark.slow
def test_it_says_who_asked_for_it(client, study, half, baselines, queue):
    assert "UTC by the command line" in words(visit(client, half))
    client.post(reverse("run_start", args=[study.slug]), {"choice": "random label"})
    started = Run.objects.get(model__key="random")
    assert started.asked_by == "rosa"
    assert "UTC by rosa" in words(visit(client, started))


@pytest.mark.slow
def test_going_on_with_a_run_leaves_who_asked_for_it(partner, study, baselines, queue):
    start_run(study, find_model("random"), "label", asked_by="rosa")
    partner.post(reverse("run_start", args=[study.slug]), {"choice": "random label"})
    assert Run.objects.get(model__key="random").asked_by == "rosa"


@pytest.mark.slow
def test_a_run_that_waits_says_for_how_many(client, study, half, baselines, queue):
    start_run(study, find_model("random"), "label")
    waiting = start_run(study, find_model("majority"), "label")
    assert "It waits for 1 run ahead of it." in words(visit(client, waiting))
    waiting.chunks.update(state=Chunk.State.CLAIMED)
    assert "ahead of it" not in words(visit(client, waiting))


@pytest.mark.slow
def test_reasons_are_counted_and_escaped(client, half):
    give = Run.objects.get(pk=half.pk)
    give.scores.filter(item__external_id="target-2").update(unscored="no token", strength=None)
    html = visit(client, half).content.decode()
    assert "too &lt;long&gt;" in html
    assert visit(client, half).context["page"].reasons == (("no token", 2), ("too <long>", 1))


@pytest.mark.slow
def test_hashes_are_short_and_whole_where_the_pointer_rests(client, half):
    html = visit(client, half).content.decode()
    assert f'<code title="{"ab" * 32}">{"ab" * 6}…</code>' in html


@pytest.mark.slow
def test_a_live_run_has_its_parts_and_can_be_stopped(client, half):
    Run.objects.filter(pk=half.pk).update(state=Run.State.RUNNING, finished_at=None)
    Chunk.objects.create(run=half, item_ids=[1])
    response = visit(client, half)
    assert "1 waiting, 0 at a worker" in words(response)
    assert reverse("run_stop", args=[half.study.slug, half.pk]) in response.content.decode()


@pytest.mark.slow
def test_a_stopped_run_can_go_on(client, half):
    Run.objects.filter(pk=half.pk).update(state=Run.State.FAILED, error="the <disk> is full")
    html = visit(client, half).content.decode()
    assert '<input type="hidden" name="choice" value="smol pll">' in html
    assert "the &lt;disk&gt; is full" in html


@pytest.mark.slow
def test_an_imported_run_says_where_its_file_is_from(client, study):
    stated = Stated(model="Huge", metric="per word", note="a <paper>", family="causal", imported_by="rosa")
    reading = Reading(columns=(("item", "item"), ("score", "score")))
    run = import_scores(study, b"item,score\ntarget-1,1\n", name="far.csv", stated=stated, reading=reading).run
    response = visit(client, run)
    text = words(response)
    assert "Huge · per word (imported)" in text
    assert "by rosa" in text
    assert "far.csv, sha256" in text
    assert "How the file was read columns item=item, score=score" in text
    assert "lower is better no" in text
    assert "a &lt;paper&gt;" in response.content.decode()
    assert "1 scored, 3 unscored" in text
    assert reverse("run_remove", args=[study.slug, run.pk]) in response.content.decode()


@pytest.mark.slow
def test_it_is_linked_wherever_a_run_is_named(client, half):
    address = reverse("run", args=[half.study.slug, half.pk])
    study = half.study.slug
    for page in (reverse("runs", args=[study]), reverse("results", args=[study, "models"])):
        assert address in client.get(page).content.decode(), page


@pytest.mark.slow
def test_a_run_of_another_study_is_not_found(client, half, draft):
    assert client.get(reverse("run", args=[draft.slug, half.pk])).status_code == 404


@pytest.mark.slow
def test_queries_do_not_grow_with_the_items(client, half, django_assert_max_num_queries):
    with django_assert_max_num_queries(40):
        visit(client, half)
    with django_assert_max_num_queries(24):
        visit(client, half)


def result(client, run):
    return visit(client, run).context["result"]


@pytest.mark.slow
def test_the_result_comes_first_and_provenance_is_folded(client, half):
    html = visit(client, half).content.decode()
    assert html.index('id="result-title"') < html.index('<details class="card fold after" id="provenance">')
    Run.objects.filter(pk=half.pk).update(state=Run.State.RUNNING, finished_at=None)
    assert 'id="provenance" open>' in visit(client, half).content.decode()


@pytest.mark.slow
def test_the_result_is_that_of_the_verdict(client, study):
    found = result(client, study.runs.get())
    [placed] = found.line.standing.verdict.runs.placed
    assert (found.estimate, found.measure) == (placed.value, "accuracy")
    assert found.glance.dots[0].at == "100%"
    assert "chance .20" in found.facts


@pytest.mark.slow
def test_a_run_that_only_rates_shows_rho_and_no_labels(client, study):
    run = give_run(study, [(f"target-{place}", None, float(place % 2), "") for place in range(1, 5)], key="smol")
    found = result(client, run)
    assert (found.measure, found.glance, found.shares, found.wrong) == ("ρ", None, (), ())
    assert found.estimate.value is not None


@pytest.mark.slow
def test_labels_are_counted_beside_those_of_people(client, study):
    found = {share.name: (share.run, share.people) for share in result(client, study.runs.get()).shares}
    assert found["Less likely"] == (50.0, 50.0)
    assert found["Impossible"] == (0.0, 0.0)


@pytest.mark.slow
def test_the_clearest_mistakes_are_where_people_agree_most(client, study):
    rows: list[Scored] = [(f"target-{place}", "impossible", None, "") for place in range(1, 5)]
    found = result(client, give_run(study, rows, key="wrong", family="classifier")).wrong
    assert [(one.name, one.agreed, one.labels) for one in found] == [
        ("target-1", 3, 3),
        ("target-2", 3, 3),
        ("target-3", 2, 3),
        ("target-4", 2, 3),
    ]
    assert {one.said for one in found} == {"Impossible"}
    assert result(client, study.runs.exclude(model__key="wrong").get()).wrong == ()


@pytest.mark.slow
def test_a_short_name_is_made_kept_and_refused_where_another_run_has_it(client, study, half):
    own = study.runs.get(model__key="parrot")
    assert (visit(client, half).context["page"].short_name, visit(client, own).context["page"].short_name) == (
        "smol pll",
        "parrot pll",
    )
    for name, kept in (("Tiny", "Tiny"), ("parrot pll", "Tiny"), ("x" * 15, "Tiny"), ("", "")):
        client.post(reverse("run_name", args=[study.slug, half.pk]), {"name": name})
        half.refresh_from_db()
        assert half.short_name == kept, name
    assert "Tiny" not in visit(client, half).content.decode()
