"""What the Breakdown part says of attributes besides accuracy by value: numbers, tests, a regression, tables of two."""

from collections.abc import Iterator
from dataclasses import replace

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, estimated, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import RunColumn
from comparison.frame.selected import Selected, select
from comparison.page.by_attribute.differences import Tested, every_difference
from comparison.page.by_attribute.regression import predictors_of, regression_of, remarks
from comparison.page.by_attribute.two_attributes import grid_of
from comparison.page.by_attribute.with_number import with_number
from comparison.statistics.counts import MISSING

CELLS = ["value", "low", "high", "n", "n_counts", "count", "undefined", "note"]
HEAD = [*ORIGIN, "items_selected", "classes"]


def number_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Correlations of every run with each number, or with the one that is named, and the points of every run."""
    chosen, head = _begun(study, selection)
    yield [*HEAD, "attribute", "unit", "run", "against", "what", "point", "number", "statistic", *CELLS]
    against = chosen.selection.against
    for name in [one for one in chosen.outline.numeric if selection.by in ("", one)]:
        for run in chosen.outline.runs:
            if selection.run not in ("", run.key):
                continue
            found = with_number(chosen.panel, name, target=against, run=run.key, unit=selection.unit)
            for one in (one for one in found.rows if one.run == run.key):
                line = [*head, name, found.unit, one.name, against, one.what, "", None]
                yield [*line, "spearman", *estimated(one.spearman)]
                yield [*line, "pearson", *estimated(one.pearson)]
                yield [*line, "kendall", *estimated(one.kendall)]
            for point in found.points:
                line = [*head, name, found.unit, run.title, against, "point", point.value, point.number]
                yield [*line, "accuracy", *estimated(point.hits.accuracy, point.hits.correct)]


def regression_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """The odds ratios of every run, or of the one that is named; why there is no model, where there is none."""
    chosen, head = _begun(study, selection)
    yield [*HEAD, "run", "against", "attribute", "of", "beside", "statistic", *CELLS, "p"]
    predictors, against = predictors_of(chosen.outline, chosen.selection), chosen.selection.against
    for run in _deciding(chosen, selection):
        found = regression_of(chosen.panel, chosen.whole, chosen.selection, predictors.names, run=run.key)
        line, how = [*head, run.title, against], "; ".join(["plain logistic regression", *remarks(found, predictors)])
        if found.undefined:
            cells = [None, None, None, found.n, "items", found.right, found.undefined, how, None]
            yield [*line, "", "", "", "odds_ratio", *cells]
        for one in found.factors:
            cells = estimated(one.odds, found.right, how=how)
            yield [*line, one.attribute, one.value or one.more, one.beside, "odds_ratio", *cells, one.p]


def between_value_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Of the attribute that is named, or of all: every run over all values, and over every two."""
    chosen, head = _begun(study, selection)
    yield [
        *HEAD,
        "attribute",
        "run",
        "against",
        "values",
        "test",
        "chi_squared",
        "degrees",
        "p",
        "p_holm",
        "holm_over",
        "chi_squared_yates",
        "p_yates",
        *CELLS,
    ]
    against = chosen.selection.against
    for name in [selection.by] if selection.by else chosen.outline.names:
        column = replace(chosen.selection, by=name).taken(chosen.whole)
        every = every_difference(chosen.panel, column, target=against)
        people = next((one.people for one in every.values()), None)
        if people is not None and not selection.run:
            yield [*head, name, people.name, against, *_tested(people)]
        for run in _deciding(chosen, selection):
            found = every[run.key]
            for one in (*(one for one in found.runs if one.name == run.title), *found.pairs):
                yield [*head, name, run.title, against, *_tested(one)]


def _tested(one: Tested) -> Row:
    found = one.found
    cells = estimated(found.v, how=found.by_groups)
    values = " | ".join(one.values)
    test = [values, found.test, found.statistic, found.degrees or None, found.p, one.held, one.family]
    return [*test, found.yates, found.p_yates, *cells]


def heatmap_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Accuracy of a run for each value of `by` and each of `across`; without `across`, of every run by `by`. Without
    `by`, that of every attribute.
    """
    chosen, head = _begun(study, selection)
    yield [*HEAD, "by", "row", "across", "column", "against", "statistic", *CELLS]
    asked = chosen.selection
    for name in [selection.by] if selection.by else chosen.outline.names:
        column = replace(asked, by=name).taken(chosen.whole)
        found = grid_of(chosen.panel, column, across=asked.across, target=asked.against, run=asked.run, most=False)
        for row, cells in zip(found.rows, found.cells, strict=True):
            for across, hits in zip(found.columns, cells, strict=True):
                line = [*head, name, row, asked.across or "run", across, asked.against, "accuracy"]
                yield [*line, *estimated(hits.accuracy, hits.correct)]


def _begun(study: Study, selection: Selection) -> tuple[Selected, Row]:
    """Before the first line goes out: an address that does not fit is refused."""
    chosen = select(study, selection)
    return chosen, [*origin(study), chosen.words, len(chosen.outline.values)]


def _deciding(chosen: Selected, selection: Selection) -> list[RunColumn]:
    runs = [run for run in chosen.panel.runs if (run.decided != MISSING).any()]
    return [run for run in runs if selection.run in ("", run.key)]
