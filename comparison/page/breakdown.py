"""The pictures of the Breakdown: accuracy for each value as dots, two attributes as a heat map, labels as bars.

Of ratings, the mean of each value along the scale, and ρ of runs within it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from comparison.figures.by_attribute.attribute import ByAttribute
from comparison.figures.by_attribute.breakdown import BREAKDOWN, FEW, one_person
from comparison.figures.by_attribute.heat_map import HEATMAP
from comparison.figures.by_attribute.mean_ratings import MEAN_RATINGS, followed_apart, ordered_alike, rated_apart
from comparison.figures.by_attribute.shares import SHARES
from comparison.figures.models.score_ratings import mean_words
from comparison.frame.filters.selection import WRONG
from comparison.frame.panel import NamedRun
from comparison.frame.selected import Selected
from comparison.page.drawn.axis import Axis
from comparison.page.drawn.dots import BASELINE, NEAREST, PEOPLE, Row, axis_of, row_of, row_of_people, written
from comparison.page.drawn.heat import softened
from comparison.page.drawn.stacks import Key, Stack, keys, stack
from comparison.statistics.accuracy.breakdown import Grid, Group
from comparison.statistics.accuracy.hits import Hits
from comparison.statistics.by_attribute.mean_ratings import Gap, RatedValue, RatedValues
from comparison.statistics.counts import WITHOUT
from comparison.statistics.verdict.measure import RHO
from corpus.errors import counted

# As many runs as a group of rows has room for.
SHOWN = 3
# Of more values than this, each has one run.
MANY = 6
# A heat map of more columns than this has a line of its own.
WIDE = 5
STEPS = 10
# As many values as stand on three screens.
DRAWN = 10


@dataclass(frozen=True, slots=True)
class DrawnValue:
    """One value of the attribute; `query` is the address of its items."""

    name: str
    items: int
    query: str
    # With how many items a run has wrong, and their address.
    rows: tuple[tuple[Row, int, str], ...]


@dataclass(frozen=True, slots=True)
class ByValue:
    axis: Axis
    values: tuple[DrawnValue, ...]
    has_people: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class HeatCell:
    """`query` opens its items; empty where that is no selection of items. `number` is empty of too few items."""

    number: str
    n: int
    level: int
    said: str
    query: str


@dataclass(frozen=True, slots=True)
class Heat:
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[HeatCell, ...]], ...]
    sentence: str

    @property
    def is_wide(self) -> bool:
        return len(self.columns) > WIDE


@dataclass(frozen=True, slots=True)
class Labels:
    keys: tuple[Key, ...]
    bars: tuple[Stack, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """Each is None where there is nothing to draw."""

    values: ByValue | None
    heat: Heat | None
    labels: Labels | None


def read_breakdown(chosen: Selected) -> Breakdown:
    return Breakdown(values=_by_value(chosen), heat=_heat(chosen), labels=_labels(chosen))


# --- Accuracy by value ------------------------------------------------------------------------------


def _by_value(chosen: Selected) -> ByValue | None:
    every = BREAKDOWN.read(chosen)
    groups, sentence = every[:DRAWN], f"First {DRAWN} values; the table has all." if len(every) > DRAWN else ""
    runs = runs_of_breakdown(chosen)[: SHOWN if len(groups) <= MANY else 1]
    if not groups:
        return None
    axis, has_people = Axis(), chosen.outline.has_labels
    return ByValue(axis, tuple(_value(chosen, group, runs, axis) for group in groups), has_people, sentence)


def runs_of_breakdown(chosen: Selected) -> tuple[NamedRun, ...]:
    """The nearest that name labels, or those that a reader has chosen."""
    outline = chosen.outline
    run_keys = chosen.asked.runs or outline.nearest
    runs = [outline.run(key) for key in run_keys if key in outline.deciding]
    return tuple(run for run in runs if run is not None)


def _value(chosen: Selected, group: Group, runs: Sequence[NamedRun], axis: Axis) -> DrawnValue:
    people, against = chosen.study.people, chosen.selection.against
    rows: list[tuple[Row, int, str]] = []
    if chosen.outline.has_labels:
        estimate, small = one_person(group), "synthetic" if people.are_synthetic else ""
        if group.person.value is not None:
            small = small if estimate.value is not None else estimate.undefined
            rows.append((written("", "One annotator", small, "One annotator", estimate, axis, PEOPLE), 0, ""))
    for run in runs:
        hits, look = group.runs[run.key], BASELINE if run.is_baseline else NEAREST
        row = replace(row_of(run, hits.accuracy, axis, look), name=run.short, small="")
        rows.append((row, hits.wrong, query_of(chosen, group, run=run.key, right=WRONG, against=against)))
    return DrawnValue(group.value, group.items, query_of(chosen, group), tuple(rows))


def query_of(chosen: Selected, group: Group | RatedValue, **more: Any) -> str:
    """The address of the items of one group, beside what is already asked for."""
    by, request = ByAttribute(chosen), replace(chosen.asked, page=1, **more)
    if by.is_plain:
        return request.query(where=_where(chosen, {by.name: group.address}))
    return request.query(by=by.name, within=group.value)


def _where(chosen: Selected, more: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((dict(chosen.asked.where) | dict(more)).items()))


# --- Two attributes, or an attribute and the runs ---------------------------------------------------


def _heat(chosen: Selected) -> Heat | None:
    grid = HEATMAP.read(chosen)
    if grid is None or len(grid.rows) * len(grid.columns) <= 1:
        return None
    columns = _columns(chosen, grid)
    return Heat(
        tuple((softened(words), title) for words, title, _ in columns),
        tuple(
            (row, tuple(_cell(chosen, row, column, hits) for column, hits in zip(columns, cells, strict=True)))
            for row, cells in grid.lines[:DRAWN]
        ),
        _left_out(grid),
    )


def _left_out(grid: Grid) -> str:
    drawn = len(grid.columns)
    return f"First {drawn} of {drawn + grid.left_out} runs; all are in the download." if grid.left_out else ""


# Its head, its whole name, and the choices of an address that make it.
Column = tuple[str, str, dict[str, Any]]


def _columns(chosen: Selected, grid: Grid) -> list[Column]:
    across, by = chosen.selection.across, ByAttribute(chosen)
    if across:
        return [(name, name, {"run": by.run_key, "value": name}) for name in grid.columns]
    runs = {run.title: run for run in chosen.outline.runs}
    return [(runs[title].short, title, {"run": runs[title].key}) for title in grid.columns]


def _cell(chosen: Selected, row: str, column: Column, hits: Hits) -> HeatCell:
    value, start = hits.accuracy.value, f"{row}, {column[1]}: "
    if value is None or hits.compared < FEW:
        few = f"{counted(hits.compared, 'item')}, too few" if hits.compared else "nothing to compare"
        return HeatCell("", hits.compared, 0, start + few, "")
    level = round(STEPS * value)
    return HeatCell(
        hits.accuracy.aligned[0], hits.compared, level, f"{start}{hits.accuracy}", _cell_query(chosen, row, column)
    )


def _cell_query(chosen: Selected, row: str, column: Column) -> str:
    by, across = ByAttribute(chosen), chosen.selection.across
    own = dict(column[2])
    where = {across: _address(own.pop("value"))} if across else {}
    request = replace(chosen.asked, page=1, across="", **own)
    if by.is_plain:
        return request.query(where=_where(chosen, where | {by.name: _address(row)}))
    return request.query(where=_where(chosen, where), by=by.name, within=row)


def _address(value: str) -> str:
    return "" if value == WITHOUT else value


# --- Labels by value --------------------------------------------------------------------------------


def _labels(chosen: Selected) -> Labels | None:
    words = tuple(chosen.outline.words[value] for value in chosen.outline.values)
    bars = [
        stack(one.value, counted(one.labels, "label"), [label.count for label in one.shares], words, look="truth")
        for one in SHARES.read(chosen)[:DRAWN]
        if one.labels
    ]
    return Labels(keys(words), tuple(bars)) if bars else None


# A scale of so many points has a number below each.
MOST_POINTS = 12
# Differences beside the picture; the table has all.
LISTED = 4
# Of more values, ρ within them is as long as the page and as wide.
BESIDE = 2


@dataclass(frozen=True, slots=True)
class DrawnMean:
    """One value's mean; `query` is the address of its items."""

    row: Row
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """`ends` are the words of the scale's first and last point, empty of published numbers."""

    head: str
    axis: Axis
    ends: tuple[str, ...]
    means: tuple[DrawnMean, ...]
    more: str
    apart: str
    gaps: tuple[Gap, ...]
    followed: str
    ordered: str
    rho: ByValue | None

    @property
    def width(self) -> str:
        """Of the card of ρ and the one after it: a class of layout.css."""
        return "c6" if len(self.means) <= BESIDE else "c12"


def read_rated(chosen: Selected) -> Rated | None:
    """None where runs are not compared with mean ratings."""
    rated = MEAN_RATINGS.read(chosen)
    if rated is None or not rated.values:
        return None
    drawn, axis = rated.values[:DRAWN], Axis(*rated.ends, most=MOST_POINTS)
    words = [chosen.outline.words[value] for value in chosen.outline.values]
    runs = {run.key: run for run in chosen.outline.runs}
    return Rated(
        head=mean_words(chosen).capitalize(),
        axis=axis,
        ends=(words[0], words[-1]) if chosen.strength_target != "published" else (),
        means=tuple(DrawnMean(_mean(one, axis), query_of(chosen, one)) for one in drawn),
        more=f"First {DRAWN} values; the table has all." if len(rated.values) > DRAWN else "",
        apart=rated_apart(rated.gaps, mean=mean_words(chosen)) if rated.gaps else "",
        gaps=tuple(sorted(rated.gaps, key=lambda one: 2.0 if one.p is None else one.p))[:LISTED],
        followed=followed_apart(rated.same_rho, runs),
        ordered=ordered_alike(rated, next(iter(runs_of_breakdown(chosen)), None)),
        rho=_rho(chosen, rated, runs),
    )


def _mean(one: RatedValue, axis: Axis) -> Row:
    ratings = counted(one.ratings, "rating") if one.ratings else ""
    small = (counted(one.items, "item"), ratings, one.mean.note)
    return written("", one.value, " · ".join(filter(None, small)), one.value, one.mean, axis, PEOPLE)


def _rho(chosen: Selected, rated: RatedValues, runs: dict[str, NamedRun]) -> ByValue | None:
    if not runs:
        return None
    drawn = rated.values[:DRAWN]
    nearest = [run for run in runs_of_breakdown(chosen) or tuple(runs.values()) if run.key in runs]
    visible = nearest[: SHOWN if len(drawn) <= MANY else 1]
    axis = axis_of(RHO, [one.runs[run.key] for one in drawn for run in visible])
    values = tuple(
        DrawnValue(
            one.value, one.items, query_of(chosen, one), tuple((row, 0, "") for row in _rows(one, visible, axis))
        )
        for one in drawn
    )
    return ByValue(axis, values, any(one.halves.value is not None for one in drawn), "")


def _rows(one: RatedValue, runs: list[NamedRun], axis: Axis) -> list[Row]:
    people = row_of_people(axis, one.halves, "Split halves", "")
    of_runs = [row_of(run, one.runs[run.key], axis, BASELINE if run.is_baseline else NEAREST) for run in runs]
    return [*([people] if people else []), *(replace(row, small="") for row in of_runs)]
