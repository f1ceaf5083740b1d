"""The pictures of the Breakdown: accuracy for each value as dots, two attributes as a heat map, labels as bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from comparison.figures.by_attribute.attribute import ByAttribute
from comparison.figures.by_attribute.breakdown import BREAKDOWN, FEW, one_person
from comparison.figures.by_attribute.heat_map import HEATMAP
from comparison.figures.by_attribute.shares import SHARES
from comparison.frame.filters.selection import WRONG
from comparison.frame.panel import NamedRun
from comparison.frame.selected import Selected
from comparison.page.drawn.axis import Axis
from comparison.page.drawn.dots import BASELINE, NEAREST, PEOPLE, Row, row_of, written
from comparison.page.drawn.heat import softened
from comparison.page.drawn.stacks import Key, Stack, keys, stack
from comparison.statistics.accuracy.breakdown import Grid, Group
from comparison.statistics.accuracy.hits import Hits
from comparison.statistics.by_attribute.mean_ratings import RatedValue
from comparison.statistics.counts import WITHOUT
from comparison.statistics.estimate import counted

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
    runs = shown_runs(chosen)[: SHOWN if len(groups) <= MANY else 1]
    if not groups:
        return None
    axis, has_people = Axis(), chosen.outline.has_labels
    return ByValue(axis, tuple(_value(chosen, group, runs, axis) for group in groups), has_people, sentence)


def shown_runs(chosen: Selected) -> tuple[NamedRun, ...]:
    """The nearest that name labels, or those that a reader has chosen."""
    found = chosen.outline
    asked = chosen.asked.runs or found.nearest
    runs = [found.run(key) for key in asked if key in found.deciding]
    return tuple(run for run in runs if run is not None)


def _value(chosen: Selected, group: Group, runs: Sequence[NamedRun], axis: Axis) -> DrawnValue:
    people, against = chosen.study.people, chosen.selection.against
    rows: list[tuple[Row, int, str]] = []
    if chosen.outline.has_labels:
        shown, small = one_person(group), "synthetic" if people.are_synthetic else ""
        if group.person.value is not None:
            small = small if shown.value is not None else shown.undefined
            rows.append((written("", "One annotator", small, "One annotator", shown, axis, PEOPLE), 0, ""))
    for run in runs:
        hits, look = group.runs[run.key], BASELINE if run.is_baseline else NEAREST
        row = replace(row_of(run, hits.accuracy, axis, look), name=run.short, small="")
        rows.append((row, hits.wrong, query_of(chosen, group, run=run.key, right=WRONG, against=against)))
    return DrawnValue(group.value, group.items, query_of(chosen, group), tuple(rows))


def query_of(chosen: Selected, group: Group | RatedValue, **more: Any) -> str:
    """The address of the items of one group, beside what is already asked for."""
    by, asked = ByAttribute(chosen), replace(chosen.asked, page=1, **more)
    if by.is_plain:
        return asked.query(where=_where(chosen, {by.name: group.address}))
    return asked.query(by=by.name, within=group.value)


def _where(chosen: Selected, more: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((dict(chosen.asked.where) | dict(more)).items()))


# --- Two attributes, or an attribute and the runs ---------------------------------------------------


def _heat(chosen: Selected) -> Heat | None:
    found = HEATMAP.read(chosen)
    if found is None or len(found.rows) * len(found.columns) <= 1:
        return None
    columns = _columns(chosen, found)
    return Heat(
        tuple((softened(words), title) for words, title, _ in columns),
        tuple(
            (row, tuple(_cell(chosen, row, column, hits) for column, hits in zip(columns, cells, strict=True)))
            for row, cells in found.lines[:DRAWN]
        ),
        _left_out(found),
    )


def _left_out(found: Grid) -> str:
    drawn = len(found.columns)
    return f"First {drawn} of {drawn + found.left_out} runs; all are in the download." if found.left_out else ""


# Its head, its whole name, and the choices of an address that make it.
Column = tuple[str, str, dict[str, Any]]


def _columns(chosen: Selected, found: Grid) -> list[Column]:
    across, by = chosen.selection.across, ByAttribute(chosen)
    if across:
        return [(name, name, {"run": by.run_key, "value": name}) for name in found.columns]
    runs = {run.title: run for run in chosen.outline.runs}
    return [(runs[title].short, title, {"run": runs[title].key}) for title in found.columns]


def _cell(chosen: Selected, row: str, column: Column, hits: Hits) -> HeatCell:
    value, said = hits.accuracy.value, f"{row}, {column[1]}: "
    if value is None or hits.compared < FEW:
        few = f"{counted(hits.compared, 'item')}, too few" if hits.compared else "nothing to compare"
        return HeatCell("", hits.compared, 0, said + few, "")
    level = round(STEPS * value)
    return HeatCell(
        hits.accuracy.aligned[0], hits.compared, level, f"{said}{hits.accuracy}", _cell_query(chosen, row, column)
    )


def _cell_query(chosen: Selected, row: str, column: Column) -> str:
    by, across = ByAttribute(chosen), chosen.selection.across
    own = dict(column[2])
    where = {across: _address(own.pop("value"))} if across else {}
    asked = replace(chosen.asked, page=1, across="", **own)
    if by.is_plain:
        return asked.query(where=_where(chosen, where | {by.name: _address(row)}))
    return asked.query(where=_where(chosen, where), by=by.name, within=row)


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
