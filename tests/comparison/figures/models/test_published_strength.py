"""Published ratings in the item file: stored, kept apart from labels, and held against every run's strength."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.itemfile import ItemRow
from annotation.loading import load_study
from annotation.models import Item
from comparison.exports.items_lines import item_rows
from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.frame.status import read_standing
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import everything
from tests.studies import open_small_study, plausibility_row, write_study

pytestmark = pytest.mark.django_db
TASK = {"type": "rating", "question": "How plausible is it?", "points": 7, "low": "Not at all", "high": "Completely"}
MEANS = (1.5, 3.25, 2.0, 6.75, 5.0)


def rows(means=MEANS, **more):
    return [ItemRow(f"s{n}", {"sentence": f"The chef tasted soup {n}."}, strength=mean) for n, mean in enumerate(means)]


@pytest.fixture
def study(tmp_path):
    study = open_small_study(tmp_path, rows(), task=TASK)
    # The order of the means but for the last two.
    give_run(
        study,
        [(f"s{n}", None, strength, "") for n, strength in enumerate((-30.0, -20.0, -25.0, -11.0, -10.0))],
        key="m",
    )
    return study


def test_the_number_is_stored_and_loading_again_changes_nothing(tmp_path):
    folder = write_study(tmp_path, rows(), task=TASK)
    load_study(folder)
    assert list(Item.objects.values_list("reference_strength", flat=True)) == list(MEANS)
    assert load_study(folder).unchanged == 5


def test_another_number_makes_another_item_and_none_leaves_the_hash_as_it_was():
    bare, given = plausibility_row(1), plausibility_row(1, strength=2.0)
    assert len({bare.content_hash, given.content_hash, plausibility_row(1, strength=2.5).content_hash}) == 3
    assert "strength" not in json.loads(bare.as_json())
    # As it was before there were published numbers: sha256 of kind, content and reference.
    assert bare.content_hash == "668046ec3fead0044191259c23054e915d91c474054b0caac945778e51f64417"


@pytest.mark.parametrize("value", ["5", True, None, [1], 10**400])
def test_what_is_not_a_number_is_refused_by_line(tmp_path, value):
    folder = write_study(tmp_path, rows(), task=TASK)
    items = folder / "items.jsonl"
    lines = items.read_text().splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | {"strength": value})
    items.write_text("\n".join(lines) + "\n")
    with pytest.raises(CommandError, match=r"line 3, field “strength”: .* is not a finite number"):
        call_command("load_study", str(folder))
    assert not Item.objects.exists()


@pytest.mark.slow
def test_the_page_leads_with_the_correlation_where_there_is_nothing_else(logged_in, study):
    response = logged_in.get(reverse("results", args=[study.slug]))
    found = response.context["page"].verdict.runs.placed[0].value
    # Spearman: 1 - 6 * (1 + 1) / (5 * 24).
    assert found.value == pytest.approx(0.9)
    assert found.n == 5
    html = response.content.decode()
    assert "are not shown to rise with the published ratings" in html, "five items tell nothing"
    assert "Labels are still coming in" not in html, "published ratings wait for none"
    models = logged_in.get(reverse("results", args=[study.slug, "strength"])).content.decode()
    assert "ρ with the published ratings" in models
    items = logged_in.get(reverse("results", args=[study.slug, "items"])).content.decode()
    assert "Published rating: 3.25" in items
    item = logged_in.get(reverse("comparison_item", args=[study.slug, "s1"])).content.decode()
    assert "Published rating</dt><dd>3.25" in item


@pytest.mark.slow
def test_labels_come_first_where_there_are_any(logged_in, study):
    give_labels(study, [(f"s{n}", "p", str(7 - n)) for n in range(5)])
    page = logged_in.get(reverse("results", args=[study.slug])).context["page"]
    assert page.chosen.strength_target == "majority"
    [run] = page.findings.runs
    assert run.strength_people.n == run.strength_published.n == 5
    assert run.strength_people.value == page.verdict.runs.placed[0].value.value == pytest.approx(-0.9)
    assert run.strength_published.value == pytest.approx(0.9)


def test_the_study_list_names_what_the_nearest_model_is_held_against(study):
    standing = read_standing(select(study, Selection()))
    assert standing.verdict.runs.placed[0].value.value == pytest.approx(0.9)
    assert standing.instead == "published ratings"


@pytest.mark.slow
def test_exports_carry_it(study):
    header, *lines = item_rows(study, Selection())
    assert [line[header.index("published_strength")] for line in lines] == list(MEANS)
    names, *figures = export("report")(study, Selection())
    (figure,) = [one for one in figures if one[names.index("against")] == "published strength"]
    assert figure[names.index("value")] == pytest.approx(0.9)


@pytest.mark.slow
def test_studies_without_it_show_nothing_of_it(logged_in, tmp_path):
    study = open_small_study(tmp_path, [plausibility_row(n) for n in range(1, 6)])
    give_run(study, [(f"target-{n}", None, float(n), "") for n in range(1, 6)], key="m")
    assert "published" not in everything(logged_in, study)
    assert "published_strength" not in next(iter(export("items")(study, Selection())))
