"""Vector figures: drawn as files of the light theme, the same each time, and no text in them is markup."""

import xml.etree.ElementTree as ElementTree

import pytest

from comparison.bundle import making
from comparison.bundle.figures import GROUND, figures, light_colors, on_paper, svg
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.page import Page
from comparison.pictures.charts import MODEL, PEOPLE, Band, Dot, dot_plot
from comparison.statistics.estimate import Estimate
from tests.comparison.cast import give_run
from tests.comparison.known import known

EVIL = 'x"><script>alert(1)</script>&amp; var(--people) κ'
FOUND = Estimate(0.7, 0.6, 0.8, n=20)


def spec(name):
    dots = [Dot.of(name, name, MODEL, FOUND)]
    return known(dot_plot(dots, axis="Accuracy", band=Band(FOUND, PEOPLE, name), domain=(0, 1)))


def drawn(study):
    return {figure.name: figure for figure in figures(Page(select(study, Selection())))}


def test_colors_are_those_of_the_light_theme():
    colors = light_colors()
    assert (colors["--people"], colors["--models"]) == ("#0b6e66", "#6a3fb5")
    found = on_paper(spec("a"))
    assert "var(--" not in str(found)
    assert colors["--models"] in str(found)
    assert found["config"]["background"] == GROUND


def test_what_only_looks_like_a_color_is_left_alone():
    assert "var(--evil)" in str(on_paper(spec("var(--evil)")))


@pytest.mark.slow
def test_hostile_names_are_text():
    found = svg(spec(EVIL), note=EVIL)
    root = ElementTree.fromstring(found)  # noqa: S314
    assert not [one for one in root.iter() if one.tag.endswith("script")]
    assert EVIL in [one.text for one in root.iter()]


@pytest.mark.slow
def test_the_order_of_drawing_does_not_show():
    first = [svg(spec(name), note="s") for name in ("a", "b")]
    assert [svg(spec(name), note="s") for name in ("b", "a")] == first[::-1]


@pytest.mark.slow
def test_of_a_synthetic_study_each_says_so(synthetic_study):
    found = drawn(synthetic_study)
    assert {"accuracy", "strength", "breakdown"} <= set(found)
    for figure in found.values():
        assert "Labels are synthetic" in figure.caption
        assert "Labels are synthetic" in figure.svg
        assert "Labels of synthetic annotators" in figure.svg, "to be seen, too"
    assert "<desc>Accuracy by " in found["heatmap"].svg, "it says what it is of"


@pytest.mark.slow
def test_a_name_with_markup_is_text_in_the_report(study, bundle, monkeypatch):
    reading = {words: step for words, step in making.STEPS.items() if words.startswith("figures")}
    monkeypatch.setattr(making, "STEPS", reading)
    give_run(study, [("target-1", "less_likely", None, "")], key=EVIL, metric="label", family="classifier")
    folder = bundle(study)
    page = (folder / "report.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "<script>" not in (folder / "methods.md").read_text().replace("\\<script", "")
