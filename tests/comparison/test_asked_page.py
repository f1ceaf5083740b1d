"""A run that was asked in words, on the comparison page and in the report: its bias, and the runs beside it."""

import csv
import io

import pytest
from django.urls import reverse

from annotation.tasktypes.asking import answered
from annotation.tasktypes.contract import PromptNumbers
from scoring.models import Score
from tests.comparison.cast import give_run

ITEMS = [f"target-{number}" for number in range(1, 7)]


@pytest.fixture
def asked_study(study):
    """Six items; the first five degrees are answered one item each, always with half a place's lead for the first."""
    scale = study.task.scale
    run = give_run(
        study, [(name, None, None, "") for name in ITEMS], key="instruct", metric="prompted", family="causal"
    )
    for place, score in enumerate(Score.objects.filter(run=run).order_by("item__position")):
        shown = [-0.5 if degree == place % 5 else -3.0 - degree / 10 for degree in range(5)]
        turned = [-2.0, *shown[::-1][1:]]
        numbers = PromptNumbers((scale.values, scale.values[::-1]), (tuple(shown), tuple(turned)))
        readout = answered(scale, [(label.value, label.text) for label in scale.labels], numbers)
        Score.objects.filter(pk=score.pk).update(
            decision=readout.decision, strength=readout.strength, detail=readout.detail
        )
    return study


def test_the_page_shows_the_bias_and_the_runs_beside_it(logged_in, asked_study):
    response = logged_in.get(reverse("comparison", args=[asked_study.slug]))
    assert response.status_code == 200
    [run] = response.context["page"].asking
    assert run.name == "instruct · prompted"
    assert len(run.bias.places) == 5
    assert run.bias.lead.n == 6
    assert {other.name.split(" ·")[0] for other in run.beside} == {"majority", "parrot", "smol"}
    text = response.content.decode()
    assert "Asking and measuring" in text
    assert "First place less last place" in text
    assert "Mean probability of place 5" in text


def test_filters_act_on_it(logged_in, asked_study):
    response = logged_in.get(reverse("comparison", args=[asked_study.slug]), {"attribute": "class", "value": "odd"})
    [run] = response.context["page"].asking
    assert run.bias.lead.n == 3


def test_a_study_without_such_a_run_has_no_such_section(logged_in, study):
    response = logged_in.get(reverse("comparison", args=[study.slug]))
    assert response.context["page"].asking == ()
    assert "Asking and measuring" not in response.content.decode()


def test_the_report_has_every_figure(logged_in, asked_study):
    response = logged_in.get(reverse("export", args=[asked_study.slug, "report"]))
    rows = list(csv.DictReader(io.StringIO(b"".join(response).decode())))
    bias = {row["statistic"]: row for row in rows if row["section"] == "position bias" and row["classes"] == "5"}
    assert set(bias) == {*(f"place_{n}" for n in range(1, 6)), "first_less_last", "same_in_every_order", "on_letters"}
    assert bias["first_less_last"]["n"] == "6"
    beside = [row for row in rows if row["section"] == "asking and measuring" and row["classes"] == "5"]
    assert len(beside) == 3 * 3
    alike = next(row for row in beside if row["against"].startswith("parrot") and row["statistic"] == "decide_alike")
    assert alike["n"] == "6"


def test_the_item_page_shows_each_options_probability(logged_in, asked_study):
    response = logged_in.get(reverse("comparison_item", args=[asked_study.slug, ITEMS[0]]))
    assert response.status_code == 200
    assert "instruct · prompted" in response.content.decode()
