"""Two runs side by side: figures and their difference, who is right where, items, and how they were made."""

import pytest
from django.urls import reverse

from comparison.frame import selected
from scoring.models import LanguageModel, Run, Score
from tests.comparison.cast import Scored, give_run
from tests.comparison.page.visiting import words
from tests.researcher.conftest import EQUAL, labeled_rows
from tests.researcher.library.passages import open_rated

pytestmark = pytest.mark.slow


def visit(client, study, **query):
    return client.get(reverse("two_runs", args=[study.slug]), query)


@pytest.fixture
def pair(study):
    """`parrot` is always right; `owl` on one of four items, with one unscored."""
    rows = labeled_rows()
    said: list[Scored] = [(rows[0].id, rows[0].reference, 1.0, ""), (rows[1].id, "impossible", -2.0, "")]
    said += [(rows[2].id, EQUAL, 3.0, ""), (rows[3].id, None, None, "too <long>")]
    owl = give_run(study, said, key="owl", family="classifier")
    owl.provenance = {"torch": "2.13.0", "device": "cpu", "weights": "ab" * 32}
    owl.settings = {"note": "<seed>"}
    owl.save()
    return Run.objects.get(model__key="parrot"), owl


def show(client, pair, **query):
    one, other = pair
    return visit(client, one.study, run=one.pk, beside=other.pk, **query)


def test_figures_of_both_and_the_difference(client, pair):
    response = show(client, pair)
    found = response.context["page"].figures["two-runs"]
    assert [side.name for side in found.sides] == ["parrot · pll", "owl · pll"]
    assert str(found.reached.one) == "1.0 [.4, 1.0], n = 3"
    assert found.reached.other.value == pytest.approx(1 / 3)
    assert found.reached.difference.value == pytest.approx(2 / 3)
    assert found.reached.left_out == 1
    assert "Of 4 items that have the majority label, both label 3; 1 is left out." in words(response)


def test_nobody_wins_where_chance_explains_it(client, pair):
    response = show(client, pair)
    assert response.context["page"].figures["two-runs"].better is None
    assert "No difference between parrot pll and owl pll is shown." in words(response)
    assert "McNemar’s exact test: p = .500" in words(response)


def test_counts_open_their_items(client, pair):
    one, other = pair
    test = show(client, pair).context["page"].figures["two-runs"].paired
    assert (test.both, test.only_one, test.only_other, test.neither) == (1, 2, 0, 0)
    items = reverse("results", args=[one.study.slug, "items"])
    query = {"run": one.pk, "beside": other.pk, "against": "majority"}
    for right, beside, count in (("right", "right", 1), ("right", "wrong", 2), ("wrong", "right", 0)):
        page = client.get(items, query | {"right": right, "beside_right": beside}).context["page"]
        assert page.items == count, (right, beside)
    html = show(client, pair).content.decode()
    address = f"run={one.pk}&amp;beside={other.pk}&amp;against=majority&amp;right=right&amp;beside_right=wrong"
    assert f'href="{items}?{address}">2</a>' in html


def test_the_filter_of_the_second_run_stays_in_the_bar(client, pair):
    one, other = pair
    items = reverse("results", args=[one.study.slug, "items"])
    response = client.get(items, {"run": one.pk, "beside": other.pk, "beside_right": "wrong"})
    assert "owl pll is wrong" in words(response)
    assert "2 of 4 items" in words(response)
    assert f'<input type="hidden" name="beside" value="{other.pk}">' in response.content.decode()


def test_items_that_differ_come_by_their_distance(client, pair):
    found = show(client, pair).context["page"].figures["two-runs"]
    assert [row.item for row in found.apart] == ["target-2", "target-3"]
    assert [[side.said for side in row.sides] for row in found.apart] == [
        ["Equally likely", "Impossible"],
        ["Less likely", "Equally likely"],
    ]
    assert [side.is_right for side in found.apart[0].sides] == [True, False]
    assert reverse("comparison_item", args=["small", "target-2"]) in show(client, pair).content.decode()


def test_how_they_were_made_is_set_apart(client, pair):
    response = show(client, pair)
    made = response.context["made"]
    different = {line.name: (line.one, line.other) for line in made.different}
    assert set(different) >= {"model", "torch", "settings: note", "weights"}
    assert "metric" in {line.name for line in made.same}
    assert "device" in {line.name for line in made.same}
    html = response.content.decode()
    assert "&lt;seed&gt;" in html
    assert f'<code title="{"ab" * 32}">{"ab" * 6}…</code>' in html


def test_a_run_of_strengths_alone_is_told_apart_by_ranks(client, study):
    rows = labeled_rows()
    for key, strengths in (("up", (1.0, 2.0, 3.0, 4.0)), ("down", (4.0, 3.0, 2.0, 1.0))):
        give_run(study, [(row.id, None, strength, "") for row, strength in zip(rows, strengths, strict=True)], key=key)
    up, down = (Run.objects.get(model__key=key) for key in ("up", "down"))
    found = show(client, (up, down)).context["page"].figures["two-runs"]
    assert found.by == "strengths"
    assert found.strengths.value == -1
    assert {row.item for row in found.apart[:2]} == {"target-1", "target-4"}
    assert "The difference is undefined" in words(show(client, (up, down)))


def test_without_a_choice_it_shows_the_nearest_and_another(client, pair):
    chosen = visit(client, pair[0].study).context["page"].selection
    assert (chosen.run, chosen.beside) == (str(pair[0].pk), str(pair[1].pk))


def test_the_same_run_twice_is_no_pair(client, pair):
    one, _ = pair
    assert "Choose two different runs to compare." in words(visit(client, one.study, run=one.pk, beside=one.pk))


def test_with_one_run_it_says_what_to_do(client, study, draft):
    assert "Comparing needs two runs; this study has one." in words(visit(client, study))
    assert visit(client, draft).status_code == 200


@pytest.mark.parametrize("name", ["run", "beside"])
def test_a_run_that_is_not_there_is_not_found(client, pair, name):
    for value in ("0", "-1", "nope", "9" * 30, "1' OR 1", "\0", "²"):
        assert visit(client, pair[0].study, **{name: value}).status_code == 404, value


def test_a_run_of_another_study_is_not_found(client, pair, draft):
    assert visit(client, draft, run=pair[0].pk).status_code == 404
    assert visit(client, draft, beside=pair[0].pk).status_code == 404


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"attribute": "nope"}, "Each attribute needs one value"),
        ({"beside_right": "maybe"}, "beside_right cannot be"),
        ({"page": "x"}, "page must be a number"),
        ({"given": "<em>"}, "given cannot be"),
    ],
)
def test_filters_that_do_not_fit_are_refused_in_words(client, pair, query, said):
    response = show(client, pair, **query)
    assert response.status_code == 400
    assert said in words(response)
    assert "<em>" not in response.content.decode()


def test_a_second_run_is_needed_to_ask_for_it(client, study):
    items = reverse("results", args=[study.slug, "items"])
    response = client.get(items, {"beside_right": "right"})
    assert response.status_code == 400
    assert "no second run to filter by" in words(response)


def test_a_large_study_is_not_computed_for_it(client, pair, monkeypatch, queue):
    monkeypatch.setattr(selected, "QUICK", 0)
    assert "Computing: The comparison of two runs" in words(show(client, pair))


def test_it_is_linked_from_the_leaderboard_and_the_page_of_a_run(client, pair):
    one, _ = pair
    address = reverse("two_runs", args=[one.study.slug])
    for page in (reverse("results", args=[one.study.slug, "models"]), reverse("run", args=[one.study.slug, one.pk])):
        assert address in client.get(page).content.decode(), page


def test_labels_of_a_program_are_marked(client, pair):
    study = pair[0].study
    study.population = "synthetic"
    study.save(update_fields=["population"])
    assert "made by a program" in words(show(client, pair))


def test_of_an_imported_run_no_numbers_are_told(client, pair):
    assert "numbers" in {line.name for line in show(client, pair).context["made"].same}
    LanguageModel.objects.update(is_imported=True, family="classifier", method="", location="none", source="")
    made = show(client, [Run.objects.get(pk=run.pk) for run in pair]).context["made"]
    assert "numbers" not in {line.name for line in (*made.same, *made.different)}


def test_runs_of_ratings_are_compared_by_rho_and_accuracy_stands_beside(client, study, tmp_path):
    rated = open_rated(tmp_path, "rated", seed=1)
    near, far = (Run.objects.get(study=rated, model__key=key) for key in ("near", "far"))
    response = show(client, (near, far))
    found = response.context["page"].figures["two-runs"]
    placed = client.get(reverse("results", args=["rated"])).context["page"].verdict.runs.placed
    assert [found.reached.one, found.reached.other] == [one.value for one in placed]
    assert found.better.name == "near · pll"
    text = words(response)
    assert "near pll’s scores follow people’s mean ratings better." in text
    assert "Spearman’s ρ with people’s mean ratings, on the items that both score" in text
    assert "Accuracy: exact agreement with the most common rating, on the items that both label" in text
    assert "Of 40 items that have people’s mean ratings, both score 40; 0 are left out." in text
    assert "Largest difference in rank first." in text
    # Accuracy's test alone decides nothing here.
    assert show(client, (far, near)).context["page"].figures["two-runs"].better.name == "near · pll"


def test_runs_of_ratings_in_the_same_order_are_not_told_apart(client, study, tmp_path):
    rated = open_rated(tmp_path, "rated", seed=1)
    near, _ = (Run.objects.get(study=rated, model__key=key) for key in ("near", "far"))
    values = Score.objects.filter(run=near).values_list("item__external_id", "strength")
    twin = give_run(rated, [(item, None, 2 * (strength or 0.0), "") for item, strength in values], key="twin")
    response = show(client, (near, twin))
    found = response.context["page"].figures["two-runs"]
    assert found.reached.difference.value == 0
    assert found.better is None
    assert "No difference between near pll and twin pll is shown." in words(response)
