"""Further figures of runs and of runs beside one another: from a panel, on the page, and in the files."""

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest
from django.core.cache import cache
from django.urls import reverse
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

from comparison.exports.registry import export
from comparison.figures.models import run_figures as module
from comparison.figures.models.between_runs import BetweenRuns, between_runs
from comparison.figures.models.calibration import calibration_curve
from comparison.figures.models.run_figures import NO_PROBABILITIES, ONE_LABEL, run_figures
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel, Probabilities, RunColumn
from tests.comparison.page.visiting import page, words
from tests.comparison.statistics.agreement.made import ends

VALUES = ("low", "middle", "high")


@pytest.fixture(autouse=True)
def forgotten() -> None:
    cache.clear()


def column(key, decided, *, is_baseline=False):
    size = len(decided)
    return RunColumn(
        key=key,
        short=key,
        model=f"model{key}",
        metric="label",
        family="baseline" if is_baseline else "classifier",
        is_baseline=is_baseline,
        state="finished",
        decided=decided,
        strengths=np.full(size, np.nan),
        unscored=np.full(size, "", dtype=object),
        scored=np.ones(size, dtype=bool),
    )


def made(*, items=300, people=5, ordered=True, labeled=True):
    """People, a run that is one more of them, one that is better, and one that always says the same."""
    rng = np.random.default_rng(5)
    true = rng.dirichlet(np.ones(3) / 2, size=items)
    labels = np.array([rng.choice(3, size=people + 1, p=row) for row in true])
    counts = np.array([np.bincount(row[:people], minlength=3) for row in labels])
    runs = (
        column("1", labels[:, people]),
        column("2", true.argmax(axis=1)),
        column("3", np.zeros(items, dtype=int), is_baseline=True),
    )
    names = np.array([f"i{number}" for number in range(items)], dtype=object)
    empty = np.full(items, "", dtype=object)
    panel = Panel(
        items=names,
        texts=names,
        lengths=np.ones(items),
        groups=empty,
        attributes={},
        values=VALUES,
        words={value: value.title() for value in VALUES},
        ordered=ordered,
        people=pd.DataFrame(columns=["item", "rater", "rater_kind", "label"]),
        counts=counts if labeled else np.zeros_like(counts),
        truth=true.argmax(axis=1),
        published=np.full(items, np.nan),
        runs=runs,
    )
    return panel, {"2": Probabilities(true, "its own probabilities")}


def beside_one_another(panel: Panel, *, target: str) -> BetweenRuns:
    found = between_runs(panel, target=target)
    assert found is not None
    return found


def by_column(table, name):
    line = next(line for line, _ in table.named if line.name.startswith(name))
    return {column.term: found for column, found in dict(table.named)[line]}


@pytest.mark.slow
def test_measures_are_those_of_the_runs_decisions_with_one_person_on_top():
    panel, given = made()
    found = run_figures(panel, given, target="majority").measures
    assert found is not None
    assert [line.name for line in found.lines] == ["one person", "model1 · label", "model2 · label", "model3 · label"]
    known = panel.majority >= 0
    two = by_column(found, "model2")
    truth, decided = panel.majority[known], panel.runs[1].decided[known]
    assert two["balanced_accuracy"].value == pytest.approx(balanced_accuracy_score(truth, decided))
    assert two["kappa_quadratic"].value == pytest.approx(cohen_kappa_score(truth, decided, weights="quadratic"))
    assert two["mean_distance"].value == pytest.approx(np.abs(truth - decided).mean())
    constant = by_column(found, "model3")
    assert constant["balanced_accuracy"].value == pytest.approx(1 / 3)
    assert constant["matthews"].undefined.startswith("the run gives the same label")
    assert by_column(found, "one person")["balanced_accuracy"].unit == "labels"


def test_distances_in_degrees_need_degrees():
    found = run_figures(*made(ordered=False), target="reference").measures
    assert found is not None
    assert [one.term for one in found.statistics] == ["balanced_accuracy", "macro_f1", "matthews"]


@pytest.mark.slow
def test_distributions_have_people_first_and_say_what_a_run_gives():
    found = run_figures(*made(), target="majority").distributions
    assert found is not None
    lines = {line.name: line for line in found.lines}
    assert list(lines)[:2] == ["one person", "half of the people"]
    assert lines["one person"].how.startswith("against the others; the entropy of the labels is .")
    assert lines["model1 · label"].how == ONE_LABEL
    assert lines["model2 · label"].how == "its own probabilities"
    one, person, true = (by_column(found, name) for name in ("model1", "one person", "model2"))
    assert one["cross_entropy"].undefined == NO_PROBABILITIES
    # A run that is one more person lies as far off as one person; the true probabilities lie nearest.
    assert one["total_variation"].low < person["total_variation"].value < one["total_variation"].high
    assert true["total_variation"].high < by_column(found, "half")["total_variation"].value
    assert true["cross_entropy"].value < person["cross_entropy"].value


@pytest.mark.slow
def test_without_labels_there_are_no_distributions_and_nobody_to_be_beside():
    panel, given = made(labeled=False)
    found = run_figures(panel, given, target="reference")
    assert found.distributions is None
    assert found.measures is not None
    assert found.measures.lines[0].name == "model1 · label"
    assert run_figures(panel, given, target="majority").measures is None
    assert beside_one_another(panel, target="reference").beside == ()
    alone = dataclasses.replace(panel, runs=panel.runs[:1])
    assert between_runs(alone, target="reference") is None
    assert between_runs(dataclasses.replace(panel, runs=()), target="reference") is None


@pytest.mark.slow
def test_a_run_with_probabilities_is_calibrated_and_drawn():
    (one,) = run_figures(*made(), target="reference").calibrated
    # The reference is its most probable label: it is always right, and less sure than that.
    assert ends(one.found.lead)[2] < 0
    spec = calibration_curve(one, title="labels of synthetic annotators")
    assert spec is not None
    assert spec["title"]["text"] == "model2 · label; labels of synthetic annotators"
    assert sorted(len(values) for values in spec["datasets"].values()) == [2, 10]
    assert calibration_curve(dataclasses.replace(one, found=dataclasses.replace(one.found, bins=()))) is None


def test_runs_beside_one_another():
    panel, _ = made()
    found = beside_one_another(panel, target="majority")
    assert [run.name for run in found.runs] == ["model1 · label", "model2 · label", "model3 · label"]
    assert (found.q.runs, found.q_over) == (2, "models")
    assert {(line.one.key, line.other.key): line.verdict for line in found.pairs} == {
        ("1", "2"): "model2 · label is right more often",
        ("1", "3"): "model1 · label is right more often",
        ("2", "3"): "model2 · label is right more often",
    }
    assert len(found.apart) == 3
    beside = {run.key: one.verdict for run, one in found.beside}
    assert beside == {
        "1": "not shown to differ from one of them",
        "2": "nearer to the others than one of them is",
        "3": "farther from the others than one of them is",
    }


def test_the_matrix_has_percent_on_one_side_and_kappa_on_the_other():
    panel, _ = made()
    matrix = beside_one_another(panel, target="majority").matrix
    one, two = panel.runs[0].decided, panel.runs[1].decided
    assert [number for number, _, _ in matrix] == [1, 2, 3]
    assert matrix[0][2][0].text == ""
    assert matrix[0][2][1].text == f"{round(100 * (one == two).mean())} %"
    assert matrix[1][2][0].text == f"κ .{round(100 * cohen_kappa_score(one, two))}"
    assert matrix[0][2][1].heat == round(10 * (one == two).mean())


def test_with_one_model_q_is_over_all_runs():
    panel, _ = made()
    rest = dataclasses.replace(panel, runs=panel.runs[1:])
    assert beside_one_another(rest, target="majority").q_over == "runs"


@pytest.mark.slow
def test_figures_are_remembered_by_what_they_are_held_against(study, monkeypatch, logged_in):
    asked = []

    def noted(*given, target):
        asked.append(target)
        return run_figures(*given, target=target)

    monkeypatch.setattr(module, "run_figures", noted)
    first = page(logged_in, study, "models").context["page"].figures["run-figures"]
    assert page(logged_in, study, "models").context["page"].figures["run-figures"] == first
    page(logged_in, study, "models", against="reference")
    assert asked == ["majority", "reference"]


@pytest.mark.slow
def test_the_page_shows_them(logged_in, asked_study):
    pages = {key: page(logged_in, asked_study, key) for key in ("run-figures", "between-runs", "calibration")}
    said = {key: words(one) for key, one in pages.items()}
    assert "More metrics" in said["run-figures"]
    assert "Measures robust to skewed labels, against the majority label" in said["run-figures"]
    assert "majority (all probability on one label) (baseline)" in said["run-figures"]
    own = "instruct chat its own probabilities undefined: ten bins need 50 items, and 4 have a probability and a label"
    assert own in said["calibration"]
    assert "0 of 3 pairs of runs differ (McNemar, Holm)." in said["between-runs"]
    assert "All 2 models, 4 items: Cochran’s Q(1)" in said["between-runs"]
    assert "vs. one person" in said["between-runs"]
    for what in ("run-figures", "between-runs"):
        assert reverse("export", args=[asked_study.slug, what]) in pages[what].content.decode()


@pytest.mark.slow
def test_a_curve_stands_in_the_page(logged_in, asked_study, monkeypatch):
    monkeypatch.setattr("comparison.statistics.calibration.FEWEST", 2)
    html = page(logged_in, asked_study, "calibration").content.decode()
    key = asked_study.runs.get(metric="prompted").pk
    curve = re.search(rf'<figure class="chart" id="calibration-{key}-chart".*?</figure>', html, re.DOTALL)
    assert curve is not None
    assert ">instruct chat</text>" in curve[0]
    assert re.search(r"<title>probability \.\d\d to 1?\.\d\d: [^<]+, n = \d+</title>", curve[0])


@pytest.mark.slow
def test_synthetic_labels_are_marked_beside_people_s_lines(logged_in, synthetic_study):
    response = page(logged_in, synthetic_study, "run-figures")
    assert "One synthetic annotator (against the others" in words(response)
    assert "Half of the synthetic annotators" in words(response)
    assert "vs. one synthetic annotator" in words(page(logged_in, synthetic_study, "between-runs"))


def test_without_runs_there_is_no_section(logged_in, bare_study):
    said = words(page(logged_in, bare_study, "models"))
    assert "More metrics" not in said
    assert "Pairwise tests" not in said


def rows_of(study, what):
    header, *rows = export(what)(study, Selection())
    return [dict(zip(header, row, strict=True)) for row in rows]


@pytest.mark.slow
def test_the_files_have_every_figure_and_the_report_has_them_too(asked_study):
    figures, between = rows_of(asked_study, "run-figures"), rows_of(asked_study, "between-runs")
    assert {(row["section"], row["against"]) for row in figures} == {
        ("measures", "majority"),
        ("measures", "reference"),
        ("distributions", "people’s labels"),
        ("calibration", "majority"),
        ("calibration", "reference"),
    }
    statistics = {row["statistic"] for row in between if row["section"] == "between runs"}
    assert {"decide_alike", "cohen_kappa", "cochran_q", "mcnemar_p:majority", "mcnemar_p_holm:reference"} <= statistics
    pair = next(row for row in between if row["statistic"] == "mcnemar_p:reference")
    assert re.fullmatch(r"only the first is right: \d; only the second: \d", pair["note"])
    report = [tuple(row.values()) for row in rows_of(asked_study, "report")]
    for row in [*figures, *between]:
        assert tuple(row.values()) in report


@pytest.mark.slow
def test_with_one_label_an_item_only_the_reference_is_held_against(single_study):
    between = rows_of(single_study, "between-runs")
    assert {row["statistic"].partition(":")[2] for row in between} == {"", "reference"}
    assert {row["against"] for row in rows_of(single_study, "run-figures")} == {"reference", "people’s labels"}
