"""Shares of labels for each value of an attribute: of people, of the references, or of a run."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from annotation.models.population import Words
from comparison.figures.by_attribute.attribute import DRAWN_VALUES, SHOWN_VALUES, ByAttribute, columns
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.table import WILSON, Column, Counted, Table
from comparison.frame.filters.columns import TakenColumn
from comparison.frame.filters.selection import LABELS
from comparison.frame.outline import Outline
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.pictures.bar import DEGREES
from comparison.pictures.charts import row_names
from comparison.pictures.vega_lite import SAID, Spec, drawn, field, layer
from comparison.statistics.by_attribute.label_shares import ValueShares, label_shares, one_label
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import percent
from comparison.statistics.verdict.evidence import REFERENCE

MAJORITY = "majority"
# In pixels: the name of a value, and its bar below.
ROW, BAR = 46, 18


@dataclass(frozen=True, slots=True)
class Labeler:
    """Whose labels: people, references or a run, by the word that an address has for it."""

    key: str
    name: str
    short: str


def labelers(outline: Outline, people: Words) -> tuple[Labeler, ...]:
    """All who have labels here, people first."""
    raters = []
    if outline.has_labels:
        if not outline.no_majority:
            raters.append(Labeler(MAJORITY, f"{people.many}: majority label", "Majority label"))
        raters.append(Labeler(LABELS, f"{people.many}: all labels", "All labels"))
    if outline.has_references:
        raters.append(Labeler(REFERENCE, "the reference", "Reference"))
    return (*raters, *(Labeler(run.key, run.title, run.short) for run in outline.runs if run.key in outline.deciding))


def counts_of(panel: Panel, key: str) -> Ints:
    """Their labels, shape (items, labels of the scale)."""
    if key == LABELS:
        return panel.counts
    codes = {MAJORITY: lambda: panel.majority, REFERENCE: lambda: panel.truth}.get(key, lambda: panel.decided(key))()
    return one_label(codes, values=len(panel.values))


def shares_of(panel: Panel, column: TakenColumn, key: str, *, most: int | None = None) -> tuple[ValueShares, ...]:
    """One line a value of the attribute as it is taken, with the shares of all labels of the scale."""
    counts = counts_of(panel, key)
    return label_shares(column.of(panel), counts, order=column.order, most=most, sample=panel.sample)


def shares_figure(
    by_value: tuple[ValueShares, ...], words: tuple[str, ...], *, description: str, title: str
) -> Spec | None:
    """A bar a value, from the scale's first label to its last; values without labels have none."""
    labeled = [one for one in by_value if one.labels]
    if not labeled:
        return None
    rows = [row for one in labeled for row in _segments(one, words)]
    names = [f"{one.value} ({one.labels:,})" for one in labeled]
    y = field("row:N", sort=names, axis=None, scale={"paddingInner": 0, "paddingOuter": 0})
    colors, opacities = _colors(len(words))
    legend = {"orient": "top", "direction": "horizontal", "columns": 2, "title": None, "labelColor": "var(--muted)",
              "symbolType": "square", "labelFontSize": 12, "symbolOpacity": 1}  # fmt: skip
    bars = layer(
        rows,
        "bar",
        {"height": BAR, "yOffset": 10, "stroke": "var(--paper)", "strokeWidth": 1},
        x=field("begins:Q", title="Share of labels", scale={"domain": [0, 1]}, axis={"tickCount": 5, "format": ".0%"}),
        x2={"field": "ends"},
        y=y,
        color=field("label:N", scale={"domain": list(words), "range": colors}, legend=legend),
        fillOpacity=field("label:N", scale={"domain": list(words), "range": opacities}, legend=None),
        description=SAID,
    )
    layers = [bars, *row_names(rows, y, above=5)]
    return drawn(layers, description=description, height=ROW * len(names) + 8, title=title)


def _segments(one: ValueShares, words: tuple[str, ...]) -> list[dict[str, Any]]:
    """The parts of a value's bar that are there, each with where it begins and ends."""
    segments, begins, row = [], 0.0, f"{one.value} ({one.labels:,})"
    for word, share in zip(words, one.shares, strict=True):
        part = share.count / one.labels
        if share.count:
            description = f"{one.value}, {word}: {percent(part)}, {share.count:,} of {one.labels:,}"
            segments.append({"row": row, "label": word, "begins": begins, "ends": begins + part, "said": description})
        begins += part
    return segments


def _colors(labels: int) -> tuple[list[str], list[float]]:
    """With their opacities: of long scales the two ends, paler towards the middle."""
    if labels in DEGREES:
        return [f"var(--degree-{degree})" for degree in DEGREES[labels]], [1.0] * labels
    off = [2 * place / (labels - 1) - 1 for place in range(labels)]
    colors = [f"var(--degree-{1 if one < 0 else 5 if one > 0 else 3})" for one in off]
    return colors, [round(0.25 + 0.75 * abs(one), 2) if one else 1.0 for one in off]


# --- The figure -------------------------------------------------------------------------------------


def labeler(chosen: Selected) -> Labeler | None:
    """Whose labels are shown: who was asked for, or the first who has any; of ratings, of which few are alike, all."""
    every = labelers(chosen.outline, chosen.study.people)
    key = chosen.selection.shares_of or (LABELS if chosen.is_averaged else "")
    return next(iter([*(one for one in every if one.key == key), *every]), None)


def _rests_on(chosen: Selected) -> tuple[object, ...]:
    whose = labeler(chosen)
    return chosen.selection.taking, whose.key if whose else ""


def _compute(chosen: Selected, taking: tuple[object, ...], key: str) -> tuple[ValueShares, ...]:
    if not key or not chosen.selection.by:
        return ()
    return shares_of(chosen.panel, chosen.selection.taken(chosen.whole), key, most=SHOWN_VALUES)


def _words(chosen: Selected) -> tuple[str, ...]:
    return tuple(chosen.outline.words[value] for value in chosen.outline.values)


def _name(chosen: Selected) -> str:
    whose = labeler(chosen)
    return whose.name if whose else ""


def _tables(chosen: Selected) -> Iterator[Table]:
    by_value, by = SHARES.read(chosen), ByAttribute(chosen)
    if not by_value:
        return
    left_out = by.left_out(len(by_value))
    yield Table(
        name="shares",
        title=f"Labels by {by.name}: {_name(chosen)}",
        columns=(Column(by.name, term="label_shares"), *_words(chosen), "Without"),
        rows=tuple(
            (one.value, *(Counted(label.count, label.share) for label in one.shares), one.without) for one in by_value
        ),
        rests_on=f"Counts and shares of the n labels of each value; “Without” counts items with no label"
        f"{f'. {left_out}' if left_out else ''}",
        method=WILSON,
    )


def _charts(chosen: Selected) -> dict[str, Chart]:
    name, by_value = _name(chosen), SHARES.read(chosen)
    drawn = shares_figure(
        by_value[:DRAWN_VALUES],
        _words(chosen),
        description=f"Shares of labels by {chosen.selection.by}",
        title=synthetic(chosen.study.people),
    )
    more = f" The chart shows the first {DRAWN_VALUES} values." if len(by_value) > DRAWN_VALUES else ""
    caption = f"{name[:1].upper()}{name[1:]}: labels of the items with each value; n in parentheses.{more}"
    return Chart.of("shares", drawn, caption)


def _lines(chosen: Selected) -> Iterator[Row]:
    """Of the attribute that is named, or of all; of whose labels are named, or of all who have any."""
    panel, request = chosen.rows, chosen.asked
    for name, column in columns(chosen, request, panel.attributes):
        for whose in labelers(chosen.outline, chosen.study.people):
            if request.shares_of not in ("", whose.key):
                continue
            for one in shares_of(panel, column, whose.key):
                for value, label in zip(panel.values, one.shares, strict=True):
                    cells = estimated(label.share, label.count)
                    yield [name, one.value, one.items, whose.name, value, *cells]


def _answer(chosen: Selected) -> str | None:
    return _name(chosen) if SHARES.read(chosen) else None


SHARES = Figure(
    key="shares",
    part="breakdown",
    title="Labels by attribute",
    shape=TypeAdapter(tuple[ValueShares, ...]),
    rests_on=_rests_on,
    compute=_compute,
    answer=_answer,
    tables=_tables,
    charts=_charts,
    download=Download(
        says="how often each label is used for each value of an attribute",
        line="a label's share of the items with one value of an attribute",
        columns=("attribute", "value", "items", "labels_of", "label", "share", *CELLS[1:]),
        lines=_lines,
        of_rows=True,
    ),
)
