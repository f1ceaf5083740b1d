"""What is not in the figures stands beside them: items without a label to compare, and runs without an end."""

import re

import pytest
from django.urls import reverse

from comparison.statistics.verdict import taking_part
from scoring.models import Run
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import page, words

LABELED = ["target-1", "target-2", "target-3"]


@pytest.mark.slow
@pytest.mark.parametrize("part", ["overview", "models"])
def test_n_that_is_smaller_than_the_study_says_why(monkeypatch, logged_in, study, part):
    """Six items, of which four have a majority label; a run that labeled three of those makes it three."""
    # Three of four are too few to be compared, where it is not so few items.
    monkeypatch.setattr(taking_part, "AS_WIDE", 0.5)
    fewer = "2 have no majority label"
    assert re.search(rf"of 6 items:? {fewer}", words(page(logged_in, study, part)))
    give_run(
        study, [(name, "impossible", None, "") for name in LABELED], key="short", metric="label", family="classifier"
    )
    said = page(logged_in, study, part).context["page"].why_fewer
    assert said == f"{fewer}, 1 lacks an answer of a compared run (short 1)"
    assert said in words(page(logged_in, study, part))


@pytest.mark.slow
def test_where_runs_are_compared_on_all_items_nothing_is_said(logged_in, study):
    found = page(logged_in, study, against="reference").context["page"]
    assert found.verdict.runs.items == found.items
    assert found.why_fewer == ""


@pytest.mark.slow
@pytest.mark.parametrize("part", ["overview", "models", "breakdown", "export"])
def test_runs_without_an_end_are_named_and_linked_to(logged_in, study, part):
    assert "still scoring" not in words(page(logged_in, study, part))
    made = [give_run(study, [], key=f"late-{number}", family="causal") for number in range(5)]
    Run.objects.filter(pk__in=[run.pk for run in made[:4]]).update(state=Run.State.RUNNING)
    Run.objects.filter(pk=made[4].pk).update(state=Run.State.FAILED)
    response = page(logged_in, study, part)
    text, html = words(response), response.content.decode()
    assert "4 runs are still scoring late-0 · pll (0 of 0 items)" in text
    assert "and 1 more" in text
    assert "1 run failed before finishing late-4 · pll" in text
    for run in (made[0], made[4]):
        assert reverse("run", args=[study.slug, run.pk]) in html
    assert f'href="{reverse("runs", args=[study.slug])}"' in html


@pytest.mark.slow
@pytest.mark.parametrize("part", ["overview", "models", "breakdown"])
def test_models_of_another_language_are_named_beside_their_figures(logged_in, study, part):
    give_run(study, [(name, "impossible", None, "") for name in LABELED], key="splade-tiny", family="masked")
    assert "so their scores may say little" not in words(page(logged_in, study, part))
    study.stimulus_language = "de"
    study.save()
    assert "The items are in German. splade-tiny was trained on English" in words(page(logged_in, study, part))
