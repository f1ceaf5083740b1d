"""The checks of Results › Models: a line each on its page, and a page of their own in the rail."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.access.sharing import make_share
from comparison.figures import registry
from comparison.page.checks import ABOUT
from tests.comparison.page.visiting import address, page, words


def checks(response):
    return {check.key: check for check in response.context["page"].models.checks}


@pytest.mark.slow
def test_each_says_its_answer_and_how_it_stands_in_a_line(logged_in, asked_study):
    response = page(logged_in, asked_study, "models")
    found = checks(response)
    assert found["between-runs"].says.startswith("0 of 3 pairs of runs differ (McNemar, Holm).")
    assert found["between-runs"].state.word == "Not shown"
    assert found["alternative"].says.startswith("Undefined; none of 3 annotators shares 30 items")
    assert found["alternative"].brief.startswith("None of 3 annotators shares 30 items")
    assert found["classes"].says.startswith("Accuracy: 5 classes .")
    assert "Same answer in every option order" in found["asked"].says
    html = response.content.decode()
    assert all(f'href="{address(asked_study, key)}"' in html for key in found)


@pytest.mark.slow
def test_the_rail_names_those_with_something_to_show_while_one_is_in_models(logged_in, study):
    listed = set(checks(page(logged_in, study, "models")))
    assert "asked" not in listed and "biases" in listed
    for part in ("models", "biases"):
        rail = page(logged_in, study, part).content.decode().partition('<nav class="rail"')[2].partition("</nav>")[0]
        assert all(f'href="{address(study, key)}"' in rail for key in listed)
    assert address(study, "biases") not in page(logged_in, study, "people").content.decode()


@pytest.mark.slow
def test_the_rail_computes_no_check(logged_in, study, monkeypatch):
    """It asks what the study has: on a cold cache one check's page took as long as all of them."""

    def refuse(*given, **named):
        raise AssertionError("computed for the rail")

    for name in ("between_runs.between_runs", "alternative.replacing", "ratings.with_ratings_of"):
        monkeypatch.setattr(f"comparison.figures.models.{name}", refuse)
    html = page(logged_in, study, "biases").content.decode()
    assert all(address(study, key) in html for key in ("between-runs", "alternative", "classes"))
    with pytest.raises(AssertionError, match="for the rail"):
        page(logged_in, study, "between-runs")


def test_every_check_says_what_it_needs():
    assert set(ABOUT) == {figure.key for figure in registry.checks()}


@pytest.mark.slow
def test_one_page_is_of_one_check(logged_in, study):
    response = page(logged_in, study, "classes")
    html = response.content.decode()
    assert "<h1>Fewer classes</h1>" in html
    assert html.count("<h1") == 1
    assert 'aria-current="page">Fewer classes</a>' in " ".join(html.split())


@pytest.mark.slow
def test_without_runs_it_is_of_people(logged_in, study):
    study.runs.all().delete()
    found = page(logged_in, study, "classes").context["page"].check
    assert found.says.startswith("Accuracy of people alone: 5 classes .")


@pytest.mark.slow
def test_what_has_nothing_to_show_says_so(logged_in, bare_study):
    assert "No results for these items. It needs a run." in words(page(logged_in, bare_study, "biases"))
    assert "No model has answered yet." in words(page(logged_in, bare_study, "models"))


@pytest.mark.slow
def test_an_address_from_before_leads_to_the_check(logged_in, study, researcher):
    answer = page(logged_in, study, "models", open="biases", against="reference")
    assert answer.status_code == 302
    assert answer["Location"] == f"{address(study, 'biases')}?against=reference"
    assert page(logged_in, study, "models", open="all").status_code == 200
    _, token = make_share(study, name="readers", gives_files=False, by=researcher)
    link = reverse("shared_part", args=[token, "models"])
    assert Client().get(link, {"open": "biases"})["Location"] == reverse("shared_part", args=[token, "biases"])


def test_a_page_that_is_none_is_not_there(logged_in, study):
    assert page(logged_in, study, "confusion").status_code == 404
