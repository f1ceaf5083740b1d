"""A run that was asked in words, on the comparison page and in the report: its bias, and the runs beside it."""

import json
import re
from dataclasses import replace

import pytest
from django.urls import reverse

from comparison.statistics.estimate import Estimate
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import file_rows

# Whole pages and files of a study with many runs.
pytestmark = pytest.mark.slow

ITEMS = [f"target-{number}" for number in range(1, 7)]


def test_the_page_shows_the_bias_and_the_runs_beside_it(logged_in, asked_study):
    response = logged_in.get(reverse("results", args=[asked_study.slug, "asked"]))
    assert response.status_code == 200
    [run] = response.context["page"].figures["asked"]
    assert run.name == "instruct · prompted"
    assert len(run.bias.places) == 5
    assert run.bias.lead.n == 6
    assert {other.name.split(" ·")[0] for other in run.beside} == {"majority", "parrot", "smol"}
    text = response.content.decode()
    assert "Prompted vs. scored" in text
    assert "First minus last position" in text
    # Each of the five degrees has its mean, the middle one no mirror image to be held against.
    assert [(number, mean.n, above.undefined) for number, mean, above in run.bias.rows] == [
        (number, 6, "no other position has the same options" if number == 3 else "") for number in range(1, 6)
    ]


def test_both_are_drawn_and_said_in_words(logged_in, asked_study):
    names = [(name, "equally_likely", float(place), "") for place, name in enumerate(ITEMS)]
    give_run(asked_study, names, key="instruct", metric="causal", family="causal")
    response = logged_in.get(reverse("results", args=[asked_study.slug, "asked"]))
    [run] = response.context["page"].figures["asked"]
    assert [other.name for other in run.measured] == ["instruct · causal"]
    text = " ".join(re.sub(r"<[^>]+>", "", response.content.decode()).split())
    same = run.measured[0].same
    assert f"instruc causal: {same.accuracy} items ({same.correct} of 6; κ = " in text
    assert f"First minus last position: {run.bias.lead} items" in text
    charts = response.context["page"].charts
    drawn = [row["row"] for row in rows_of(charts[run.places_chart].spec)]
    assert drawn == ["Position 1", "Position 2", "Position 4", "Position 5"]
    beside = {row["row"]: row["text"] for row in rows_of(charts[run.comparison_chart].spec)}
    assert beside["instruct · causal"] == str(same.accuracy)
    assert all(", n = 6" in words for words in beside.values())
    for chart in (run.places_chart, run.comparison_chart):
        assert f'id="{chart}-chart"' in response.content.decode()
    assert f"<title>instruc causal: {same.accuracy}</title>" in response.content.decode()


def rows_of(spec):
    """The dots of a dot plot, wherever their data stand."""
    found = []

    def keep(one):
        if {"row", "value", "text"} <= one.keys() and one not in found:
            found.append(one)
        return one

    json.loads(json.dumps(spec), object_hook=keep)
    return found


def test_a_run_that_scored_nothing_is_said_to_be_so(logged_in, asked_study):
    give_run(asked_study, [], key="broken", metric="cloze")
    [run] = logged_in.get(reverse("results", args=[asked_study.slug, "asked"])).context["page"].figures["asked"]
    broken = next(other for other in run.beside if other.name.startswith("broken"))
    reasons = {broken.same.accuracy.undefined, broken.kappa.undefined, broken.strength.undefined}
    assert reasons == {"the other run has no scores yet"}
    strengths = next(other for other in run.beside if other.name.startswith("smol"))
    assert strengths.same.accuracy.undefined == "no item has answers from both runs"


def test_a_lead_is_put_in_words_only_where_the_interval_says_so(logged_in, asked_study):
    [run] = logged_in.get(reverse("results", args=[asked_study.slug, "asked"])).context["page"].figures["asked"]
    for low, high, words in (
        (0.1, 0.3, "favors the first option"),
        (-0.3, -0.1, "favors the last option"),
        (-0.1, 0.1, "no effect is shown"),
    ):
        lead = Estimate((low + high) / 2, low, high, n=6)
        said = replace(run, bias=replace(run.bias, lead=lead)).verdict
        assert words in said
    lead = Estimate(0.2, n=1, no_interval="there is only one item")
    assert replace(run, bias=replace(run.bias, lead=lead)).verdict == ""


def test_filters_act_on_it(logged_in, asked_study):
    response = logged_in.get(
        reverse("results", args=[asked_study.slug, "asked"]), {"attribute": "class", "value": "odd"}
    )
    [run] = response.context["page"].figures["asked"]
    assert run.bias.lead.n == 3


def test_a_study_without_such_a_run_has_no_such_section(logged_in, study):
    response = logged_in.get(reverse("results", args=[study.slug, "asked"]))
    assert response.context["page"].figures["asked"] == ()
    assert "No results for these items" in response.content.decode()


def test_the_report_has_every_figure(logged_in, asked_study):
    rows = file_rows(logged_in, asked_study.slug, "report")
    bias = {row["statistic"]: row for row in rows if row["section"] == "position bias" and row["classes"] == "5"}
    places = {f"place_{n}{above}" for n in range(1, 6) for above in ("", "_above")}
    assert set(bias) == {*places, "first_less_last", "same_in_every_order", "on_letters"}
    assert bias["place_3_above"]["undefined"] == "no other position has the same options"
    assert bias["first_less_last"]["n"] == "6"
    beside = [row for row in rows if row["section"] == "asking and measuring" and row["classes"] == "5"]
    assert len(beside) == 3 * 3
    alike = next(row for row in beside if row["against"].startswith("parrot") and row["statistic"] == "decide_alike")
    assert alike["n"] == "6"


def test_the_item_page_shows_each_options_probability(logged_in, asked_study):
    response = logged_in.get(reverse("comparison_item", args=[asked_study.slug, ITEMS[0]]))
    assert response.status_code == 200
    html = response.content.decode()
    assert "instruct · prompted" in html
    assert "Probability of each option" in html
    [answers] = [one for one in response.context["detail"].answers if one.run.metric == "prompted"]
    # As the scale is, and turned round; the raw log-probability of every letter.
    assert [[name for name, _ in order] for order in answers.orders] == [
        [label.text for label in asked_study.task.scale.labels],
        [label.text for label in asked_study.task.scale.labels][::-1],
    ]
    assert answers.orders[0][0][1] == "−0.500"
    assert "Prompted in 2 orders" in html
