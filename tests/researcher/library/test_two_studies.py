"""Two studies side by side: the models that ran in both, people's agreement, and which measure is taken."""

import numpy as np
import pytest
from django.urls import reverse

from annotation.models import Study
from comparison.frame import selected
from comparison.statistics.accuracy.hits import share
from comparison.statistics.estimate import Estimate, difference, p_of
from comparison.statistics.verdict.measure import DISTANCE
from researcher.library.two_studies import DifferenceLine, TwoStudies
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import words
from tests.researcher.conftest import labeled_rows, people_label
from tests.researcher.library.passages import open_rated
from tests.studies import declare, open_small_study


def visit(client, **query):
    return client.get(reverse("two_studies"), query)


@pytest.fixture
def second(db, study, tmp_path):
    """Labeled by the same people; the run of the first study is wrong on every item here, and another one is alone."""
    made = open_small_study(tmp_path / "second", labeled_rows(), slug="second")
    people_label(made)
    give_run(made, [(row.id, "impossible", None, "") for row in labeled_rows()], key="parrot", family="classifier")
    give_run(made, [(row.id, row.reference, None, "") for row in labeled_rows()], key="owl", family="classifier")
    return made


def show(client, **query):
    return visit(client, a="small", b="second", **query)


@pytest.mark.slow
def test_only_models_of_both_are_compared(client, second):
    found = show(client).context["found"]
    [line] = found.models
    assert line.name == "parrot · pll"
    assert (str(line.one), str(line.other)) == ("1.00 [.51, 1.00], n = 4", ".00 [.00, .49], n = 4")
    assert line.difference.short == "1.0 [.3, 1.0]"
    assert found.own


def line(name: str, one: int | None, other: int, *, is_baseline: bool = False) -> DifferenceLine:
    first, second = (
        Estimate.none("no labels") if right is None else share(right, 100, reason="") for right in (one, other)
    )
    return DifferenceLine(name, first, second, short=name, is_baseline=is_baseline)


def test_a_model_does_better_only_where_the_difference_is_shown():
    lines = [
        line("far", 90, 50),
        line("back", 40, 80),
        # Alone it would be below .05; among four it is not.
        line("near", 64, 50),
        line("same", 70, 70),
        line("random", 90, 10, is_baseline=True),
        line("none", None, 70),
    ]
    found = TwoStudies((None, None), (), tuple(lines), own=True)  # type: ignore[arg-type]
    assert found.better == (("far",), ("back",))
    alone = p_of(lines[2].difference)
    assert alone is not None and alone < 0.05


def test_fewer_steps_are_better():
    near = DifferenceLine("near", Estimate(0.5, 0.4, 0.6, n=90), Estimate(1.5, 1.4, 1.6, n=90), short="near")
    found = TwoStudies((None, None), (), (near,), own=True, measure=DISTANCE)  # type: ignore[arg-type]
    assert found.better == (("near",), ())


def test_of_models_that_do_as_well_few_are_said_to_do_better():
    rng = np.random.default_rng(1)
    drawn = rng.binomial(80, 0.7, (1_000, 2))
    found = [difference(share(int(a), 80, reason=""), share(int(b), 80, reason="")) for a, b in drawn]
    assert np.mean([(p_of(one) or 0.0) < 0.05 for one in found]) < 0.065


@pytest.mark.slow
def test_agreement_of_both_and_their_difference(client, second):
    found = show(client).context["found"]
    assert [line.name for line in found.people] == ["Krippendorff’s α", "Percent agreement", "Gwet’s AC1"]
    assert all(line.difference.value == 0 for line in found.people)
    assert found.people[0].one == client.get(reverse("results", args=["small"])).context["page"].verdict.people.alpha


@pytest.mark.slow
def test_where_measures_differ_accuracy_is_taken_and_said(client, study, second):
    second.measure = "distance"
    second.save()
    response = show(client)
    assert not response.context["found"].own
    assert response.context["found"].models[0].other.value == 0
    assert "Accuracy, as the studies differ" in words(response)


@pytest.mark.slow
def test_a_shared_measure_is_taken(client, study, second):
    for one in (study, second):
        one.measure = "distance"
        one.save()
    [line] = show(client).context["found"].models
    assert line.one.value == 0
    assert line.other.value > 0.5


@pytest.mark.slow
def test_references_stand_in_where_one_has_no_labels(client, study, tmp_path):
    bare = open_small_study(tmp_path / "bare", labeled_rows(), slug="bare")
    give_run(bare, [(row.id, row.reference, None, "") for row in labeled_rows()], key="parrot", family="classifier")
    response = visit(client, a="small", b="bare")
    found = response.context["found"]
    assert [side.against for side in found.sides] == ["reference", "reference"]
    assert "against the reference" in words(response)
    assert found.people[0].difference.undefined == "one of the two is undefined"


@pytest.mark.slow
def test_without_two_studies_there_is_the_form(client, study, second):
    for query in ({}, {"a": "small"}, {"a": "small", "b": "small"}):
        assert "Choose two different studies" in words(visit(client, **query))


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["nowhere", "<b>", "\0", "small/../second", "9" * 5000])
def test_a_study_that_is_not_there_is_not_found(client, study, slug):
    assert visit(client, a="small", b=slug).status_code == 404


@pytest.mark.slow
def test_large_studies_are_not_computed_for_it(client, second, monkeypatch, queue):
    monkeypatch.setattr(selected, "QUICK", 0)
    assert "Computing… this page updates itself." in words(show(client))


@pytest.mark.slow
def test_labels_of_a_program_are_marked(client, study, second):
    second.population = "synthetic"
    second.save(update_fields=["population"])
    assert "synthetic labels" in words(show(client))


@pytest.mark.slow
def test_it_is_linked_from_the_page_of_all_models(client, second):
    assert f'action="{reverse("two_studies")}"' in client.get(reverse("models")).content.decode()


@pytest.mark.slow
def test_studies_of_one_title_are_told_apart_by_their_slugs(client, study, second):
    second.title = study.title
    second.save(update_fields=["title"])
    said = words(show(client))
    for name in (f"{study.title} (small)", f"{study.title} (second)"):
        # In either picker, and over the columns.
        assert said.count(name) >= 4
    board = words(client.get(reverse("models")))
    assert f"{study.title} (small) " in board
    assert f"{study.title} (second) " in board
    assert f"{study.title} (second) · " in board
    second.title = "Another"
    second.save(update_fields=["title"])
    assert "(second)" not in words(show(client))
    assert "(second)" not in words(client.get(reverse("models")))


@pytest.mark.slow
def test_studies_of_ratings_are_compared_by_rho(client, study, tmp_path):
    for slug, seed in (("first", 1), ("other", 2)):
        open_rated(tmp_path, slug, seed=seed)
    response = visit(client, a="first", b="other")
    found = response.context["found"]
    assert found.by_rho
    boards = [
        client.get(reverse("results", args=[slug])).context["page"].verdict.runs.placed for slug in ("first", "other")
    ]
    # A verdict calls runs by their short names: "far pll" for "far · pll".
    by_verdict = [{one.name.replace(" ", " · "): one.value for one in placed} for placed in boards]
    assert [(line.one, line.other) for line in found.models] == [
        (by_verdict[0][line.name], by_verdict[1][line.name]) for line in found.models
    ]
    text = words(response)
    assert "Spearman’s ρ, with people’s mean ratings" in text
    assert "Accuracy is exact agreement with one label; the measure of both studies is ρ; see above." in text
    people, *runs = response.context["shared"].figures.ranked
    assert people.between.n == 40
    assert {one.name: one.reached.one.value for one in runs} == {
        name: value.value for name, value in by_verdict[0].items()
    }
    near = next(one for one in runs if one.name == "near · pll")
    assert near.reached.difference.n == 40
    assert near.reached.difference.value == pytest.approx(near.reached.one.value - near.reached.other.value)


@pytest.mark.slow
def test_beside_a_study_by_another_measure_accuracy_of_ratings_is_called_exact(client, study, tmp_path):
    for slug in ("first", "other"):
        open_rated(tmp_path, slug, seed=1)
    declare(Study.objects.get(slug="other"), measure="distance")
    response = visit(client, a="first", b="other")
    assert "Accuracy, as the studies differ" in words(response)
    assert "For ratings, accuracy is exact agreement with one label." in words(response)
    assert not response.context["shared"].figures.ranked
