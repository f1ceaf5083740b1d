"""Degrees by cut points where decisions are read: on the comparison page and in every file, and marked there."""

import json
import re

import numpy as np
import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.itemfile import ItemRow
from comparison.frame.reading import read_panel
from tests.browser import DESK, PHONE, serious_violations
from tests.browser import logged_in as signed_in
from tests.comparison.cast import give_labels, give_run
from tests.comparison.cuts import DEGREES, SIZE
from tests.comparison.page.visiting import file_rows, open_results, page, words
from tests.studies import open_small_study

MARK = f"labels by cut points, each as frequent as in the labels of {SIZE} items"


@pytest.mark.slow
def test_the_page_says_of_every_figure_that_it_rests_on_cut_points(logged_in, cut_study):
    response = page(logged_in, cut_study)
    found = response.context["page"]
    smol = next(run for run in found.findings.runs if run.model == "smol")
    assert (smol.decided, smol.cuts.n, len(smol.cuts.places)) == (0, SIZE, 4)
    assert smol.reference.hits.compared == SIZE
    assert smol.reference.hits.accuracy.value > 0.7
    assert smol.reference.kappa.value > 0.6
    assert smol.strength_reference.value is not None, "ρ stays"
    text = words(response)
    assert "Accuracy against the reference on 120 items" in text
    assert ".74 [.66, .81] on 120 items" in text
    assert "smol pll (labels by cut points) .74 [.66, .81]" in text
    assert f"chance is .20; {MARK}." in text
    assert "Scores of smol pll (ρ = .80 [.72, .87]) rise with the reference." in text
    assert "Chance .20, which the same labels score when shuffled across items" in text
    board = words(page(logged_in, cut_study, "models"))
    assert f"† cut points {MARK[0].upper()}{MARK[1:]}" in board
    text = words(page(logged_in, cut_study, "cuts"))
    assert re.search(r"Cut points of smol · pll Label \? Lowest score Less likely [+−]", text)
    assert f"{MARK}. n = 120 items." in text
    chart = found.charts["accuracy"]
    drawn = json.dumps(chart.spec, ensure_ascii=False)
    assert '"row": "smol pll †"' in drawn
    assert "† Labels by cut points on a score; the tick is" in chart.caption
    assert '"row": "majority"' in drawn


@pytest.mark.slow
def test_a_model_that_names_labels_is_what_items_are_held_against_first(logged_in, cut_study):
    names = [f"target-{number}" for number in range(SIZE)]
    give_run(
        cut_study, [(name, DEGREES[0], None, "") for name in names], key="parrot", metric="label", family="classifier"
    )
    found = page(logged_in, cut_study).context["page"]
    assert [one.name for one in found.verdict.runs.nearest] == ["smol pll (labels by cut points)"], "by accuracy"
    assert [found.outline.run(key).model for key in found.outline.compared] == ["parrot"]
    assert found.run.model == "smol", "the nearest"


@pytest.mark.slow
def test_filters_do_not_change_an_items_degree(logged_in, cut_study):
    whole = page(logged_in, cut_study).context["page"].chosen.whole.run(key(cut_study))
    narrowed = page(logged_in, cut_study, attribute="class", value="odd").context["page"]
    smol = next(run for run in narrowed.findings.runs if run.model == "smol")
    assert (narrowed.items, smol.cuts.n) == (SIZE // 2, SIZE)
    right = (whole.decided == read_panel(cut_study, coarse=False).truth)[1::2].sum()
    assert smol.reference.hits.correct == right


def key(study):
    return str(study.runs.get(model__key="smol").pk)


def test_three_classes_have_cut_points_of_their_own(cut_study):
    run = read_panel(cut_study, coarse=True).run(key(cut_study))
    assert run is not None
    assert run.cuts is not None
    assert set(run.decided.tolist()) == {0, 1, 2}
    assert len(run.cuts.places) == 2


@pytest.mark.slow
def test_in_the_files_they_are_not_under_the_names_of_decisions(logged_in, cut_study):
    panel = read_panel(cut_study, coarse=False)
    run = panel.run(key(cut_study))
    assert run is not None
    decided = run.decided
    items = file_rows(logged_in, cut_study.slug, "items")
    assert {row["decision:smol · pll"] for row in items} == {""}
    assert [row["degree_by_cuts:smol · pll"] for row in items] == [DEGREES[code] for code in decided]
    assert "degree_by_cuts:majority · label" not in items[0]
    report = [row for row in file_rows(logged_in, cut_study.slug, "report") if row["rater"] == "smol · pll"]
    five = [row for row in report if row["classes"] == "5"]
    assert not [row for row in five if row["statistic"] in ("accuracy", "cohen_kappa")]
    accuracy = next(r for r in five if r["statistic"] == "accuracy_by_cuts" and r["against"] == "reference")
    assert (accuracy["count"], accuracy["n"], accuracy["note"]) == (str((decided == panel.truth).sum()), "120", MARK)
    begins = [row for row in five if row["section"] == "cut points"]
    assert [row["statistic"] for row in begins] == [f"begins:{value}" for value in DEGREES[1:]]
    for row in begins:
        assert (row["low"], row["high"], row["n"]) == ("", "", "120")
    assert [float(row["value"]) for row in begins] == sorted(float(row["value"]) for row in begins)
    assert len([row for row in report if row["classes"] == "3" and row["section"] == "cut points"]) == 2
    groups = file_rows(logged_in, cut_study.slug, "breakdown", by="class")
    assert {r["note"] for r in groups if r["statistic"] == "accuracy_by_cuts" and r["against"] == "reference"} == {MARK}
    confusion = file_rows(logged_in, cut_study.slug, "confusion")
    assert {(row["run"], row["decided_by"]) for row in confusion} == {
        ("smol · pll", "cut points"),
        ("majority · label", "run"),
    }


@pytest.mark.slow
def test_too_few_items_are_said_and_nothing_is_fitted(logged_in, study):
    """The shared small study has six items."""
    response = page(logged_in, study, "models")
    assert "No cut points: 5 items have both a score and a label; cut points need 20" in words(response)
    rows = [row for row in file_rows(logged_in, study.slug, "report") if row["section"] == "cut points"]
    assert {row["rater"] for row in rows} == {"smol · pll"}
    assert all(row["undefined"].startswith("5 items have both") for row in rows)


@pytest.mark.slow
def test_ratings_by_people_alone_are_cut_by_the_majority(db, tmp_path):
    """No references here."""
    task = {"type": "rating", "question": "How plausible?", "points": 4, "low": "Not at all", "high": "Very"}
    rows = [
        ItemRow(f"r{n}", {"first": f"The chef tasted soup {n // 2}.", "second": f"The chef tasted stone {n}."})
        for n in range(60)
    ]
    study = open_small_study(tmp_path / "rated", rows, slug="rated", task=task)
    said = [(f"r{n}", f"p{who}", str(1 + n // 15)) for n in range(60) for who in (1, 2, 3)]
    give_labels(study, [label for label in said if label[0] != "r7" or label[1] == "p1"])
    give_run(study, [(f"r{n}", None, n / 10, "") for n in range(60)], key="smol", family="causal")
    run = read_panel(study, coarse=False).runs[0]
    assert run.cuts is not None
    assert run.cuts.words == "labels by cut points, each as frequent as in the labels of 59 items"
    assert run.decided[7] == 0, "judged, though one label alone is no majority to cut by"
    assert (run.decided == np.arange(60) // 15).mean() > 0.9


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_in_a_browser_tables_of_cuts_and_tokens_fit_and_can_be_read(
    open_page, live_server, client, researcher, cut_study, viewport
):
    client.force_login(researcher)
    browser = signed_in(open_page(viewport=viewport), live_server, client)
    open_results(browser, live_server, cut_study, "cuts")
    expect(browser.get_by_role("row", name="Necessarily true").first).to_be_visible()
    assert fits(browser)
    # On a phone, axe names the wide tables that the page had before.
    assert viewport is PHONE or serious_violations(browser) == []
    browser.goto(live_server.url + reverse("comparison_item", args=[cut_study.slug, "target-3"]))
    browser.locator("#runs > summary").click()
    browser.locator("details.run-answer > summary", has_text="smol").click()
    browser.locator("summary", has_text="Tokens of original").click()
    expect(browser.get_by_role("cell", name="27.41")).to_be_visible()
    assert fits(browser)
    assert viewport is PHONE or serious_violations(browser) == []


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
