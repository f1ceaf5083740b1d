"""The page of all models: what each is, its runs, and one leaderboard over studies."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.itemfile import ItemRow
from annotation.models import Study
from comparison import tasks
from comparison.frame import selected
from researcher.studies import list as lines
from scoring.models import Run
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import words
from tests.researcher.conftest import labeled_rows, people_label
from tests.studies import open_small_study

pytestmark = pytest.mark.slow

REALLY = "intensifier"


@pytest.fixture
def second(db, study, tmp_path):
    """Another study, in which another model answers."""
    made = open_small_study(tmp_path / "second", labeled_rows(), slug="second")
    people_label(made)
    give_run(made, [(row.id, row.reference, None, "") for row in labeled_rows()], key="owl", family="classifier")
    give_run(made, [(row.id, None, None, "too long") for row in labeled_rows()], key="parrot", family="classifier")
    return made


def visit(client):
    return client.get(reverse("models"))


def cells(response):
    """By model and study; also of rows that are hidden."""
    board = response.context["page"].board
    titles = [column.study.slug for column in board.columns]
    return {(row.name, slug): cell for row in board.rows for slug, cell in zip(titles, row.cells, strict=True)}


def test_it_is_in_the_main_navigation(client, study):
    html = client.get(reverse("studies")).content.decode()
    assert f'<a href="{reverse("models")}">Models</a>' in html
    assert 'aria-current="page">Models</a>' in visit(client).content.decode()


def test_figures_are_those_of_the_list_of_studies(client, study, second):
    found = cells(visit(client))
    verdict = client.get(reverse("studies")).context["lines"]
    placed = {line.study.slug: line.standing.verdict.runs.placed for line in verdict}
    assert found["parrot · pll", "small"].placed == placed["small"][0]
    assert str(placed["small"][0].value) == "1.00 [.51, 1.00], n = 4"
    assert found["owl · pll", "second"].placed == placed["second"][0]


def test_empty_cells_say_why(client, study, second):
    found = cells(visit(client))
    assert found["owl · pll", "small"].why == "not run"
    assert found["parrot · pll", "second"].why == "no labels"
    assert "not run" in words(visit(client))


def test_what_is_compared_nowhere_is_behind_one_link(client, study):
    give_run(study, [(row.id, None, None, "too long") for row in labeled_rows()], key="owl", family="classifier")
    assert ("owl · pll", "small") not in cells(visit(client))
    assert "Show 1 more not compared in any study" in words(visit(client))
    whole = client.get(reverse("models"), {"all": "1"})
    assert ("owl · pll", "small") in cells(whole)
    assert "Show 1 more" not in words(whole)


def test_without_two_studies_in_common_there_is_no_mean_rank(client, study, second):
    assert "No two models were compared in the same two studies, so there is no mean rank." in words(visit(client))
    [row, *_] = visit(client).context["page"].board.rows
    assert (row.ranked, row.why_not) == (None, "no two studies in common")


def test_rows_go_by_mean_rank_or_by_a_study(client, study, second):
    """The parrot is right in the first study, where the owl is wrong; in the second they are alike."""
    rows = labeled_rows()
    wrong = {row.reference for row in rows}
    give_run(study, [(row.id, min(wrong - {row.reference}), None, "") for row in rows], key="owl", family="classifier")
    Run.objects.filter(study=second, model__key="parrot").delete()
    give_run(second, [(row.id, row.reference, None, "") for row in rows], key="parrot", family="classifier")
    found = visit(client).context["page"].board
    assert [(row.name, row.ranked.mean.value) for row in found.rows] == [("parrot · pll", 1.25), ("owl · pll", 1.75)]
    assert [cell.rank_words for cell in found.rows[0].cells] == ["1.5", "1"]
    assert found.sentence == "No model is shown to rank before another; with 2 models that takes at least 6 studies."
    assert "1.3" in words(visit(client)) and "rank 1.5" in words(visit(client))
    by_study = client.get(reverse("models"), {"sort": "second"}).context["page"].board
    assert (by_study.sort, [row.name for row in by_study.rows]) == ("second", ["owl · pll", "parrot · pll"])


def test_ranks_beside_synthetic_annotators_do_not_count(client, study, second):
    give_run(study, [(row.id, row.reference, None, "") for row in labeled_rows()], key="owl", family="classifier")
    Run.objects.filter(study=second, model__key="parrot").delete()
    give_run(second, [(row.id, row.reference, None, "") for row in labeled_rows()], key="parrot", family="classifier")
    assert visit(client).context["page"].board.ranks is not None
    second.population = "synthetic"
    second.save(update_fields=["population"])
    assert visit(client).context["page"].board.ranks is None


def test_chance_and_one_person_stand_below(client, study):
    response = visit(client)
    [column] = response.context["page"].board.columns
    assert f"Chance .2 One annotator {column.person.number} {column.person.interval}" in words(response)
    assert column.person.value is not None


def test_nothing_of_synthetic_annotators_is_said_to_be_of_people(client, study):
    study.population = "synthetic"
    study.save(update_fields=["population"])
    response = visit(client)
    [column] = response.context["page"].board.columns
    assert "accuracy against the synthetic labels" in words(response)
    assert f"One annotator {column.person.number} {column.person.interval} synthetic" in words(response)
    assert "person" not in words(response)


def test_large_studies_are_not_computed_for_it(client, study, monkeypatch, queue):
    monkeypatch.setattr(selected, "QUICK", 0)
    assert cells(visit(client))["parrot · pll", "small"].why == "computing…"


@pytest.fixture
def degrees(db, tmp_path):
    """A study with an order among its labels, by accuracy; one run is right on every item."""
    made = open_small_study(tmp_path / "degrees", labeled_rows(), slug="degrees")
    people_label(made)
    give_run(made, [(row.id, row.reference, None, "") for row in labeled_rows()], key="owl", family="classifier")
    return made


@pytest.fixture
def no_order(db, tmp_path):
    """A study whose labels have no order."""
    content = {"sentence": "The bus is ____ late.", "options": {REALLY: "really", "negation": "not"}}
    rows = [ItemRow(f"target-{n}", content, reference=REALLY) for n in range(1, 5)]
    task = {"type": "forced_choice", "question": "Which word fits better?", "options": [REALLY, "negation"]}
    made = open_small_study(tmp_path / "pairs", rows, slug="pairs", task=task, quality={"gold_distance": 1})
    give_run(made, [(row.id, REALLY, None, "") for row in rows], key="owl", family="classifier")
    return made


def test_a_reader_chooses_the_measure_and_the_default_is_each_studys_own(client, degrees):
    own = cells(visit(client))["owl · pll", "degrees"].placed
    other = client.get(reverse("models"), {"measure": "distance"})
    found = cells(other)["owl · pll", "degrees"].placed
    assert (own.value.value, found.value.value) == (1.0, 0.0), "right on every item, so no degree apart"
    assert "mean distance in steps against" in words(other)
    assert re.search(r'measure=distance#leaderboard"\s+aria-current="true"', other.content.decode())
    assert cells(visit(client))["owl · pll", "degrees"].placed == own, "nothing of it is remembered as the study's own"
    degrees.measure = "distance"
    degrees.save()
    assert cells(visit(client))["owl · pll", "degrees"].placed.value.value == 0.0
    assert cells(client.get(reverse("models"), {"measure": "accuracy"}))["owl · pll", "degrees"].placed == own


def test_where_labels_have_no_order_there_is_nothing_to_choose(client, no_order):
    assert 'aria-label="Measure"' not in visit(client).content.decode()


def test_a_study_without_an_order_has_no_figure_in_degrees(client, degrees, no_order):
    response = client.get(reverse("models"), {"measure": "quadratic_kappa"})
    assert cells(response)["owl · pll", "pairs"].why == "its labels have no order"
    assert cells(response)["owl · pll", "degrees"].placed is not None
    assert cells(client.get(reverse("models"), {"measure": "accuracy"}))["owl · pll", "pairs"].placed is not None


def test_a_large_study_is_shown_by_its_own_measure_only(client, degrees, monkeypatch, queue):
    monkeypatch.setattr(selected, "QUICK", 0)
    tasks.compute(degrees.pk, "overview", "")
    assert cells(visit(client))["owl · pll", "degrees"].placed is not None
    by_distance = {"measure": "distance"}
    monkeypatch.setattr(lines, "BY_ANOTHER", 0)
    response = client.get(reverse("models"), by_distance)
    assert cells(response)["owl · pll", "degrees"].why == "large study: only its own measure"
    monkeypatch.setattr(lines, "BY_ANOTHER", 50_000)
    assert cells(client.get(reverse("models"), by_distance))["owl · pll", "degrees"].placed is not None


def test_archived_studies_are_left_out_until_they_are_asked_for(client, study, second):
    def columns(**asked):
        board = client.get(reverse("models"), asked).context["page"].board
        return {column.study.slug for column in board.columns}

    assert columns() == {"small", "second"}
    second.state, second.archived_at = Study.State.CLOSED, timezone.now()
    second.save()
    assert columns() == {"small"}
    html = " ".join(visit(client).content.decode().split())
    assert '<a href="?archived=1#leaderboard">Show 1 archived study</a>' in html
    assert columns(archived="1") == {"small", "second"}
    # Its runs are still those of its models.
    (owl,) = (line for line in visit(client).context["page"].lines if line.model.key == "owl")
    assert len(owl.runs) == 1
