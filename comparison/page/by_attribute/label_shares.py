"""Shares of labels for each value of an attribute: of people, of the references, or of a run."""

from dataclasses import dataclass
from typing import Any

import altair as alt

from annotation.models.population import Words
from comparison.frame.filters.columns import Taken
from comparison.frame.filters.selection import LABELS
from comparison.frame.outline import Outline
from comparison.frame.panel import Panel
from comparison.pictures.charts import HALO, SAID, WIDER, Spec, drawn
from comparison.statistics.by_attribute.label_shares import ValueShares, label_shares, one_label
from comparison.statistics.counts import Ints
from comparison.statistics.estimate import percent
from comparison.statistics.verdict.evidence import REFERENCE

MAJORITY = "majority"
# In pixels: the name of a value, and its bar below.
ROW, BAR = 46, 18
# Five degrees of the house, from lowest to highest; of fewer labels those that are furthest apart.
DEGREES = {1: (3,), 2: (1, 5), 3: (1, 3, 5), 4: (1, 2, 4, 5), 5: (1, 2, 3, 4, 5)}


@dataclass(frozen=True, slots=True)
class Labeler:
    """Whose labels: people, references or a run, by the word that an address has for it."""

    key: str
    name: str


def labelers(found: Outline, people: Words) -> tuple[Labeler, ...]:
    """All who have labels here, people first."""
    given = []
    if found.has_labels:
        if not found.no_majority:
            given.append(Labeler(MAJORITY, f"{people.many}: majority label"))
        given.append(Labeler(LABELS, f"{people.many}: all labels"))
    if found.has_references:
        given.append(Labeler(REFERENCE, "the reference"))
    return (*given, *(Labeler(run.key, run.title) for run in found.runs if run.key in found.deciding))


def counts_of(panel: Panel, key: str) -> Ints:
    """Their labels, shape (items, labels of the scale)."""
    if key == LABELS:
        return panel.counts
    codes = {MAJORITY: lambda: panel.majority, REFERENCE: lambda: panel.truth}.get(key, lambda: panel.decided(key))()
    return one_label(codes, values=len(panel.values))


def shares_of(panel: Panel, column: Taken, key: str, *, most: int | None = None) -> tuple[ValueShares, ...]:
    """One line a value of the attribute as it is taken, with the shares of all labels of the scale."""
    counts = counts_of(panel, key)
    return label_shares(column.of(panel), counts, order=column.order, most=most, sample=panel.sample)


def shares_figure(found: tuple[ValueShares, ...], words: tuple[str, ...], *, said: str, title: str) -> Spec | None:
    """A bar a value, from the scale's first label to its last; values without labels have none."""
    there = [one for one in found if one.labels]
    if not there:
        return None
    rows = [row for one in there for row in _segments(one, words)]
    names = [f"{one.value} ({one.labels:,})" for one in there]
    base = alt.Chart(alt.InlineData(values=rows))
    y = alt.Y("row:N", sort=names, axis=None, scale=alt.Scale(paddingInner=0, paddingOuter=0))
    colors, opacities = _colors(len(words))
    color = alt.Color(
        "label:N",
        scale=alt.Scale(domain=list(words), range=colors),
        legend=alt.Legend(
            orient="top", direction="horizontal", columns=2, title=None, labelColor="var(--muted)", symbolType="square",
            labelFontSize=12, symbolOpacity=1,
        ),
    )  # fmt: skip
    opacity = alt.FillOpacity("label:N", scale=alt.Scale(domain=list(words), range=opacities), legend=None)
    x = alt.X(
        "begins:Q", title="Share of labels", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5, format=".0%")
    )
    bars = base.mark_bar(height=BAR, yOffset=10, stroke="var(--paper)", strokeWidth=1)
    looks: dict[str, Any] = {
        "align": "left", "baseline": "bottom", "dy": -5, "x": 2, "fontSize": 13, "aria": False,
        "limit": alt.expr(f"width * {WIDER}"),
    }  # fmt: skip
    named = base.transform_aggregate(groupby=["row"])
    layers = [
        bars.encode(x=x, x2=alt.X2("ends:Q"), y=y, color=color, fillOpacity=opacity, description=SAID),
        named.mark_text(**looks, **HALO).encode(y=y, text="row:N"),
        named.mark_text(**looks, color="var(--ink)").encode(y=y, text="row:N"),
    ]
    head = alt.TitleParams(title, color="var(--muted)", fontSize=12, anchor="start", frame="group")
    return drawn(layers, said=said, height=ROW * len(names) + 8, title=head if title else alt.Undefined)


def _segments(one: ValueShares, words: tuple[str, ...]) -> list[dict[str, Any]]:
    """The parts of a value's bar that are there, each with where it begins and ends."""
    found, begins, row = [], 0.0, f"{one.value} ({one.labels:,})"
    for word, share in zip(words, one.shares, strict=True):
        part = share.count / one.labels
        if share.count:
            said = f"{one.value}, {word}: {percent(part)}, {share.count:,} of {one.labels:,}"
            found.append({"row": row, "label": word, "begins": begins, "ends": begins + part, "said": said})
        begins += part
    return found


def _colors(labels: int) -> tuple[list[str], list[float]]:
    """With their opacities: of long scales the two ends, paler towards the middle."""
    if labels in DEGREES:
        return [f"var(--degree-{degree})" for degree in DEGREES[labels]], [1.0] * labels
    off = [2 * place / (labels - 1) - 1 for place in range(labels)]
    colors = [f"var(--degree-{1 if one < 0 else 5 if one > 0 else 3})" for one in off]
    return colors, [round(0.25 + 0.75 * abs(one), 2) if one else 1.0 for one in off]
