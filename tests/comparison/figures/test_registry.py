"""What holds of every figure of the results, whichever it is: one case a rule, and every offender in its message."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from pydantic import TypeAdapter

from annotation.access.sharing import make_share
from comparison.bundle.figures import figures
from comparison.bundle.words.facts import mark, read_facts
from comparison.bundle.words.methods import TOLD_ABOVE, methods
from comparison.exports.registry import FILES
from comparison.figures import registry
from comparison.figures.figure import Chart, Figure, no_answer
from comparison.figures.file import Download
from comparison.figures.registry import FIGURES, of_part, page_of
from comparison.figures.table import Statistic, Table
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.glossary.entries import term_of
from comparison.page.page import PLACED, Page
from comparison.statistics.estimate import Estimate
from researcher.views.comparison import PARTS
from tests.comparison.page.visiting import PAGES, page, words

# Whose tables are the leaderboard, the matrix and the table by an attribute, which their pages write themselves.
BY_HAND = {"accuracy", "confusion", "score-ratings", "breakdown"}


def tables(study):
    chosen = select(study, Selection())
    return [(figure, table) for figure in FIGURES for table in figure.tables(chosen)]


def test_a_figure_has_one_name_one_part_and_one_file():
    assert len({figure.key for figure in FIGURES}) == len(FIGURES)
    assert {figure.part for figure in FIGURES} <= {*PARTS, "beside"}
    assert all(FILES[figure.file.key] is figure.file for figure in FIGURES if figure.file is not None)


@pytest.mark.slow
def test_every_row_of_every_table_is_as_long_as_its_heads(asked_study, cut_study):
    uneven = [
        (figure.key, table.name)
        for one in (asked_study, cut_study)
        for figure, table in tables(one)
        if {len(line) for line in table.lines} != {len(table.heads)}
    ]
    assert not uneven


@pytest.mark.slow
def test_every_head_with_a_question_mark_has_an_entry_in_the_glossary(asked_study):
    for _, table in tables(asked_study):
        for column in table.heads:
            assert not column.term or term_of(column.term)


@pytest.mark.slow
def test_every_statistic_of_a_row_has_an_entry_in_the_glossary(asked_study, cut_study):
    cells = [
        (table.name, cell)
        for study in (asked_study, cut_study)
        for _, table in tables(study)
        for row in table.rows
        for cell in row
        if isinstance(cell, Statistic)
    ]
    assert cells
    assert [(name, cell.name) for name, cell in cells if not cell.term or not term_of(cell.term)] == []


@pytest.mark.slow
def test_every_table_says_what_n_is_and_how_its_intervals_were_made(asked_study):
    silent = [
        table.name
        for _, table in tables(asked_study)
        if not re.search(r"95 % intervals|no intervals", table.small_print)
    ]
    assert not silent


@pytest.mark.slow
def test_every_picture_is_in_the_report_with_the_words_below_it(asked_study, cut_study):
    for study in (asked_study, cut_study):
        charts = [chart for figure in FIGURES for chart in figure.charts(select(study, Selection())).items()]
        reported = [figure.caption for figure in figures(Page(select(study, Selection())))]
        assert len(charts) > 2
        assert all(chart.caption for _, chart in charts)
        assert reported == [f"{chart.caption} {mark(study)}" for _, chart in charts]


# Their titles name the attribute.
BY_THE_ATTRIBUTE = ("between-values", "shares")


@pytest.mark.slow
def test_every_figure_stands_on_its_page_and_every_file_in_the_export_part(logged_in, asked_study):
    chosen = select(asked_study, Selection())
    for part in PAGES:
        response = page(logged_in, asked_study, part, open="all")
        said, html = words(response), unescape(response.content.decode())
        figures = of_part(part)
        named = [figure for figure in figures if figure.key not in BY_THE_ATTRIBUTE]
        assert {f.key for f in named if f.answer(chosen) and f.title not in said} == set()
        shown = [table for f in figures if f.key not in BY_HAND for table in f.tables(chosen)]
        assert {table.title for table in shown if table.title not in html} == set()
    listed = page(logged_in, asked_study, "export").content.decode()
    names_people = {key for key, one in FILES.items() if one.names_people}
    assert {key for key in FILES if f"/export/{key}.csv" not in listed} <= names_people


def drawn_anew(part, answer):
    """A figure of this part that nobody has seen: one object, and no template."""
    table = Table(
        name=f"new-{part}",
        title=f"A table nobody has seen on {part}",
        columns=("Statistic", "Share"),
        rows=(("Right", Estimate(value=0.5, n=10, low=0.4, high=0.6)),),
        rests_on="10 items",
        method=f"Brackets are 95 % intervals (by a new method for {part})",
    )
    values = {"values": [{"a": 1}]}
    drawn = Chart({"mark": "bar", "data": values, "encoding": {"x": {"field": "a"}}}, f"What is drawn on {part}")
    return Figure(
        key=f"new-{part}",
        part=part,
        title=f"A new figure of {part}",
        shape=TypeAdapter(int),
        compute=lambda chosen: 1,
        answer=answer,
        tables=lambda chosen: [table],
        charts=lambda chosen: {f"new-chart-{part}": drawn},
        # Files are looked up by their keys: it gives one that is there.
        download=Download(key="biases", says="a line a bias", line="a bias"),
    )


@pytest.mark.slow
@pytest.mark.parametrize("answer", [no_answer, lambda chosen: "It answers."])
def test_a_new_figure_stands_on_its_page_shared_or_not_and_in_the_report(
    monkeypatch, logged_in, researcher, asked_study, answer
):
    """By one registration."""
    new = [drawn_anew(part, answer) for part in PARTS if part != "export"]
    monkeypatch.setattr(registry, "FIGURES", (*FIGURES, *new))
    for figure in new:
        monkeypatch.setitem(registry.BY_KEY, figure.key, figure)
    _, token = make_share(asked_study, name="readers", gives_files=True, by=researcher)
    found = Page(select(asked_study, Selection()))
    reported, said = registry.tables_of_report(found.chosen), methods(found, read_facts(asked_study, attributes=()))
    for figure in new:
        [table], [drawn] = figure.tables(found.chosen), figure.charts(found.chosen).values()
        wanted = {figure.title, table.title, table.small_print, drawn.caption, "biases.csv", answer(None) or ""}
        at = page_of(figure)
        link = reverse("shared", args=[token]) + ("" if at == "overview" else f"{at}/")
        for response in (page(logged_in, asked_study, at), Client().get(link)):
            html = response.content.decode()
            assert {one for one in wanted if one not in html} == set(), figure.part
        assert table in reported
        assert f"**{table.title}**: {table.method}." in said


def test_figures_that_pages_place_and_methods_speak_of_are_in_the_registry():
    assert {figure.key for figure in FIGURES} >= (PLACED | TOLD_ABOVE)


@pytest.mark.slow
def test_every_line_of_a_figure_is_in_the_report(asked_study):
    chosen = select(asked_study, Selection())
    report = [row[4:] for row in FILES["report"].rows(asked_study, Selection())]
    missing = [figure.key for figure in FIGURES for line in figure.report(chosen) if line not in report]
    assert not missing
