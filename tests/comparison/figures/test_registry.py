"""What holds of every figure of the results, whichever it is: one case a rule, and every offender in its message."""

import re

from comparison.bundle.figures import figures
from comparison.bundle.mark import mark
from comparison.exports.registry import FILES
from comparison.figures.registry import FIGURES
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.glossary.entries import term_of
from comparison.page.page import Page
from researcher.views.comparison import PARTS
from tests.comparison.page.visiting import page, words


def tables(study):
    chosen = select(study, Selection())
    return [(figure, table) for figure in FIGURES for table in figure.tables(chosen)]


def test_a_figure_has_one_name_one_part_and_one_file():
    assert len({figure.key for figure in FIGURES}) == len(FIGURES)
    assert {figure.part for figure in FIGURES} <= {*PARTS, "beside"}
    assert all(FILES[figure.file.key] is figure.file for figure in FIGURES if figure.file is not None)


def test_every_row_of_every_table_is_as_long_as_its_heads(study, asked_study, cut_study):
    uneven = [
        (figure.key, table.name)
        for one in (study, asked_study, cut_study)
        for figure, table in tables(one)
        if {len(line) for line in table.lines} != {len(table.heads)}
    ]
    assert not uneven


def test_every_head_with_a_question_mark_has_an_entry_in_the_glossary(asked_study):
    for _, table in tables(asked_study):
        for column in table.heads:
            assert not column.term or term_of(column.term)


def test_every_table_says_what_n_is_and_how_its_intervals_were_made(study, asked_study):
    silent = [
        table.name
        for one in (study, asked_study)
        for _, table in tables(one)
        if not re.search(r"95 % intervals|no intervals", table.small_print)
    ]
    assert not silent


def test_every_picture_is_in_the_report_with_the_words_below_it(asked_study, cut_study):
    for study in (asked_study, cut_study):
        charts = [chart for figure in FIGURES for chart in figure.charts(select(study, Selection())).items()]
        reported = [figure.caption for figure in figures(Page(select(study, Selection())))]
        assert len(charts) > 2
        assert all(chart.caption for _, chart in charts)
        assert reported == [f"{chart.caption} {mark(study)}" for _, chart in charts]


def test_every_figure_stands_on_its_page_and_every_file_in_the_export_part(logged_in, asked_study):
    chosen = select(asked_study, Selection())
    for part in PARTS:
        said = words(page(logged_in, asked_study, part, open="all"))
        assert {f.key for f in FIGURES if f.part == part and f.answer(chosen) and f.title not in said} == set()
    listed = page(logged_in, asked_study, "export").content.decode()
    names_people = {key for key, one in FILES.items() if one.names_people}
    assert {key for key in FILES if f"/export/{key}.csv" not in listed} <= names_people


def test_every_line_of_a_figure_is_in_the_report(asked_study):
    chosen = select(asked_study, Selection())
    report = [row[4:] for row in FILES["report"].rows(asked_study, Selection())]
    missing = [figure.key for figure in FIGURES for line in figure.report(chosen) if line not in report]
    assert not missing
