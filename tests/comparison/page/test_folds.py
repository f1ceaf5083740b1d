"""The sections of the Models part: folded, with one line that answers, and opened by the address."""

import re

import pytest

from tests.comparison.page.visiting import page, words


def opened(response):
    return re.findall(r'<details class="fold" id="([\w-]+)" open>', response.content.decode())


def folds(response):
    return {fold.key: fold.answer for fold in response.context["folds"]}


@pytest.mark.slow
def test_each_says_its_answer_in_a_line(logged_in, asked_study):
    found = folds(page(logged_in, asked_study, "models"))
    assert found["between-runs"].startswith("McNemar with Holm: 0 of 3 pairs differ; beside one person")
    assert found["alternative"].startswith("cannot be said: none of 3 annotators has 30 items")
    assert re.fullmatch(r"\S+ · \w+: \d of 4 right; most often “.+” for “.+”, \d", found["confusion"])
    assert re.fullmatch(r"5 classes \.\d+ to \.\d+; .*3 classes \.\d+ to \.\d+", found["classes"])
    assert "the same answer in every order of the options" in found["asked"]


def test_without_runs_the_line_is_of_people(logged_in, study):
    """Of runs there is nothing to say, and of people there is."""
    study.runs.all().delete()
    shown = page(logged_in, study, "models").context["page"]
    assert not any(line.family for line in shown.figures["classes"].lines)
    answer = folds(page(logged_in, study, "models"))["classes"]
    assert answer.startswith("people alone: 5 classes .")
    assert "undefined" not in answer


@pytest.mark.slow
def test_nothing_is_unfolded_until_it_is_asked_for(logged_in, study):
    assert opened(page(logged_in, study, "models")) == []


@pytest.mark.slow
def test_the_address_names_what_is_unfolded(logged_in, study):
    assert opened(page(logged_in, study, "models", open="confusion")) == ["confusion"]
    assert opened(page(logged_in, study, "models", open=["confusion", "strength"])) == ["strength", "confusion"]
    everything = page(logged_in, study, "models", open="all")
    assert opened(everything) == list(folds(everything))


@pytest.mark.slow
def test_what_is_unfolded_stays_so_when_a_filter_is_applied(logged_in, study):
    html = page(logged_in, study, "models", open="confusion").content.decode()
    assert '<input type="hidden" name="open" value="confusion">' in html


@pytest.mark.slow
def test_the_contents_lead_to_every_section_of_the_page(logged_in, study):
    response = page(logged_in, study, "models", agreement="unanimous")
    html = response.content.decode()
    for key in folds(response):
        assert f"?agreement=unanimous&amp;open={key}#{key}" in html


def test_without_runs_there_are_no_contents(logged_in, bare_study):
    response = page(logged_in, bare_study, "models")
    assert "Sections of Models" not in response.content.decode()
    assert "Start a run." in words(response)


@pytest.mark.slow
def test_a_word_in_the_address_that_is_no_section_unfolds_nothing(logged_in, study):
    response = page(logged_in, study, "models", open="<u>")
    assert (response.status_code, opened(response)) == (200, [])
    assert "<u>" not in response.content.decode()
