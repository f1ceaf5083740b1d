"""Vega-Lite specifications, made with Altair.

Colors are the names of the stylesheet's custom properties (`var(--models)`): on a page they are those of the theme in
use, in files those of the light theme, on its ground. Names stand inside the plot, above their dots, so that one layout
serves desk and phone. What a mark says when it is pointed at is its `description`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, cos, radians, sin
from typing import Any

from comparison.pictures.altair import alt
from comparison.statistics.estimate import Estimate, plain
from corpus.errors import counted

MODEL, BASELINE, PEOPLE, SYNTHETIC = "model", "baseline", "people", "synthetic annotators"
# A model that is asked about the slot with next to nothing around it.
NEUTRAL = "neutral context"
# A model on the items on which people are divided, below the same where they agree.
DIVIDED = "divided items"
COLORS = {
    MODEL: "var(--models)",
    DIVIDED: "var(--models)",
    BASELINE: "var(--models)",
    NEUTRAL: "var(--muted)",
    PEOPLE: "var(--people)",
    SYNTHETIC: "var(--synthetic)",
}
SHAPES = {
    MODEL: "circle",
    DIVIDED: "triangle-down",
    BASELINE: "diamond",
    NEUTRAL: "triangle-up",
    PEOPLE: "square",
    SYNTHETIC: "square",
}
LINE = "var(--line)"
# The height of one line's name, in pixels.
LINE_NAME = 14
# Names of lines that lie nearer to each other, as a share of the plot's width, do not reach towards each other.
CLOSE = 0.2
# Of the room that text has: it is measured in Liberation Sans, and readers' own fonts may be wider.
WIDER = 0.86
# The same words behind a name, in the page's color, so wide that no line runs through letters or spaces.
HALO: dict[str, Any] = {"color": "var(--paper)", "stroke": "var(--paper)", "strokeWidth": 9, "strokeJoin": "round"}
# Of names that stand slanted above columns: by how many degrees, and the width of a letter.
SLANT, LETTER = 40, 7
# What a mark says when it is pointed at.
SAID = "said:N"

Spec = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lanes:
    """How a row is laid out, in pixels: its name on top, its dots below; two dots have a lane each."""

    height: int
    name_above_middle: int
    dots_lowered: int


ONE_LANE = Lanes(height=46, name_above_middle=7, dots_lowered=6)
TWO_LANES = Lanes(height=64, name_above_middle=15, dots_lowered=0)


@dataclass(frozen=True, slots=True)
class Dot:
    """One estimate in a dot plot. Dots with the same `row` share a line; `chance` is a line of the row's own."""

    row: str
    rater: str
    kind: str
    value: float
    low: float | None
    high: float | None
    text: str
    chance: float | None = None

    @classmethod
    def of(cls, row: str, rater: str, kind: str, estimate: Estimate, *, chance: float | None = None) -> "Dot | None":
        """None for an undefined estimate: it has no place on the axis, and stands in the table instead."""
        if estimate.value is None:
            return None
        return cls(row, rater, kind, estimate.value, estimate.low, estimate.high, str(estimate), chance)


@dataclass(frozen=True, slots=True)
class Band:
    """The estimate that the dots are to be read against."""

    estimate: Estimate
    kind: str
    label: str


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """A value without an interval that the dots are to be read against, such as chance."""

    value: float
    label: str


def dot_plot(
    dots: Iterable[Dot | None],
    *,
    axis: str,
    band: Band | None,
    domain: tuple[float, float],
    title: str = "",
    lines: Sequence[ReferenceLine] = (),
    legend: Mapping[str, str] | None = None,
) -> Spec | None:
    """A dot with its interval for each estimate, rows in the order given; None if there is nothing to draw.

    `title` is what a figure must say wherever it ends up, such as that its labels are synthetic. `legend` has what each
    kind of dot is, where the words around the figure do not say it.
    """
    rows = [dot for dot in dots if dot is not None]
    if not rows:
        return None
    order = list(dict.fromkeys(dot.row for dot in rows))
    lanes = TWO_LANES if len({(dot.row, dot.kind) for dot in rows}) > len(order) else ONE_LANE
    named = [
        *lines,
        *([] if band is None or band.estimate.value is None else [ReferenceLine(band.estimate.value, band.label)]),
    ]
    # Room for the names of lines and band, one above the other, where there are lines.
    room = LINE_NAME * len(named) if lines else 0
    layers = [*_band(band, axis), *_lines(lines, axis), *_dots(rows, order, lanes, axis, domain, _legend(legend))]
    if lines:
        layers += _line_names(named, axis, domain)
    # By the plot's own edge, and not by that of names which reach beyond it.
    head = alt.TitleParams(
        title, color="var(--muted)", fontSize=12, anchor="start", frame="group", limit=alt.expr(f"width * {WIDER}")
    )
    height = lanes.height * len(order) + 8
    return drawn(layers, said=axis, height=height, title=head if title else alt.Undefined, above=room)


def drawn(layers: Sequence[Any], *, said: str, height: int, title: Any = None, above: int = 0, right: int = 5) -> Spec:
    """All that figures share: the layers as one chart, as wide as its place, in the look of the house; `above` is room
    in pixels over it, `right` that beside it, and `said` what the chart is of.

    Altair copies a chart whole for every property that is added to it, so all are given at once; and checking a
    figure against the schema takes longer than making it, so the tests of figures do it (tests/comparison/page).
    """
    padding = {"top": above, "left": 5, "right": right, "bottom": 5} if above else alt.Undefined
    chart = alt.LayerChart(
        layer=layers,
        description=said,
        width="container",
        height=height,
        title=alt.Undefined if title is None else title,
        padding=padding,
        config=alt.Config(**look()),
    )
    spec: Spec = chart.to_dict(validate=False)
    return spec


def room_for_slanted(names: Sequence[str], *, limit: int, beside: int) -> dict[str, int]:
    """Pixels above and right of a plot for what readers' own fonts take of slanted names beyond the room that a drawing
    keeps for them. It fits them to columns as wide as they are without the `beside` pixels of the names of rows; over
    narrower ones, the last name ends further to the right.

    >>> room_for_slanted(["a", "a long name"], limit=110, beside=120)
    {'above': 14, 'right': 45}
    """
    wider = (1 / WIDER - 1) * min(limit, LETTER * max(map(len, names)))
    right = ceil(wider * cos(radians(SLANT)) + beside / (2 * len(names)))
    return {"above": 5 + ceil(wider * sin(radians(SLANT))), "right": 5 + right}


def _legend(words: Mapping[str, str] | None) -> Any:
    """Above the plot, a line each; None for none."""
    if not words:
        return None
    return alt.Legend(
        orient="top", direction="vertical", title=None, labelColor="var(--muted)", labelFontSize=12, labelLimit=0,
        labelExpr=f"{json.dumps(dict(words), ensure_ascii=False)}[datum.label]",
    )  # fmt: skip


def _dots(
    rows: Sequence[Dot], order: list[str], lanes: Lanes, axis: str, domain: tuple[float, float], legend: Any
) -> list[Any]:
    kinds = list(dict.fromkeys(dot.kind for dot in rows))
    base = alt.Chart(alt.InlineData(values=[asdict(dot) | {"said": f"{dot.rater}: {dot.text}"} for dot in rows]))
    y = alt.Y("row:N", sort=order, axis=None, scale=alt.Scale(paddingInner=0, paddingOuter=0))
    x = alt.X("value:Q", title=axis, scale=alt.Scale(domain=list(domain), nice=False), axis=alt.Axis(tickCount=6))
    scale = alt.Scale(domain=kinds, range=[COLORS[kind] for kind in kinds])
    shapes = alt.Scale(domain=kinds, range=[SHAPES[kind] for kind in kinds])
    color = alt.Color("kind:N", scale=scale, legend=legend)
    # The first lane is left to the name.
    lane = alt.YOffset("kind:N", scale=alt.Scale(domain=["", *kinds]))
    nudge = lane if lanes is TWO_LANES else alt.Undefined
    intervals = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=2.5, yOffset=lanes.dots_lowered)
    points = base.mark_point(filled=True, size=90, opacity=1, yOffset=lanes.dots_lowered)
    named = base.transform_aggregate(groupby=["row"])
    looks: dict[str, Any] = {
        "align": "left",
        "baseline": "bottom",
        "dy": -lanes.name_above_middle,
        "x": 2,
        "fontSize": 13,
        "aria": False,
        # A long name ends in an ellipsis at the edge of a phone's plot; the table below has it whole.
        "limit": alt.expr(f"width * {WIDER}"),
    }
    names = [named.mark_text(**looks, **HALO), named.mark_text(**looks, color="var(--ink)")]
    encoded = {"y": y, "yOffset": nudge, "color": color}
    return [
        *_chances(rows, y, lanes, axis),
        intervals.encode(x=alt.X("low:Q", title=axis), x2=alt.X2("high:Q"), description=SAID, **encoded),
        points.encode(x=x, shape=alt.Shape("kind:N", scale=shapes, legend=legend), description=SAID, **encoded),
        *(one.encode(y=y, text=alt.Text("row:N")) for one in names),
    ]


def _chances(rows: Sequence[Dot], y: Any, lanes: Lanes, axis: str) -> list[Any]:
    """A tick in each row that has a chance of its own."""
    own = [
        {"row": dot.row, "chance": dot.chance, "said": f"chance for {dot.rater}: {plain(dot.chance, decimals=2)}"}
        for dot in rows
        if dot.chance is not None
    ]
    if not own:
        return []
    base = alt.Chart(alt.InlineData(values=own))
    ticks = base.mark_tick(color="var(--muted)", thickness=2, size=16, yOffset=lanes.dots_lowered)
    return [ticks.encode(x=alt.X("chance:Q", title=axis), y=y, description=SAID)]


def _band(band: Band | None, axis: str) -> list[Any]:
    if band is None or band.estimate.value is None:
        return []
    found, color = band.estimate, COLORS[band.kind]
    data = {"value": found.value, "low": found.low, "high": found.high, "said": f"{band.label}: {found}"}
    base = alt.Chart(alt.InlineData(values=[data]))
    middle = base.mark_rule(color=color, strokeDash=[4, 3], strokeWidth=1.5)
    layers = [middle.encode(x=alt.X("value:Q", title=axis), description=SAID)]
    if found.low is not None:
        area = base.mark_rect(color=color, opacity=0.18).encode(
            x=alt.X("low:Q", title=axis), x2=alt.X2("high:Q"), description=SAID
        )
        layers.insert(0, area)
    return layers


def _lines(lines: Sequence[ReferenceLine], axis: str) -> list[Any]:
    """Dotted, so that they are not taken for people's."""
    if not lines:
        return []
    rows = [{"value": line.value, "said": f"{line.label}: {plain(line.value, decimals=2)}"} for line in lines]
    base = alt.Chart(alt.InlineData(values=rows))
    rule = base.mark_rule(color="var(--muted)", strokeDash=[1, 3], strokeWidth=1.5)
    return [rule.encode(x=alt.X("value:Q", title=axis), description=SAID)]


def _line_names(named: Sequence[ReferenceLine], axis: str, domain: tuple[float, float]) -> list[Any]:
    """Above the plot, each in a row of its own: lines may lie close together. One too long for its side is cut."""
    low, high = domain
    places = [(line.value - low) / (high - low) for line in named]
    return [
        alt.Chart(alt.InlineData(values=[asdict(line)]))
        .mark_text(
            align="right" if leftward else "left",
            limit=alt.expr(f"width * {WIDER * (place if leftward else 1 - place):.4f}"),
            baseline="bottom",
            color="var(--muted)",
            fontSize=11,
            aria=False,
            y=-4 - LINE_NAME * row,
        )
        .encode(x=alt.X("value:Q", title=axis), text="label:N")
        for row, (line, place, leftward) in enumerate(zip(named, places, leftwards(places), strict=True))
    ]


def leftwards(places: Sequence[float]) -> list[bool]:
    """Whether the name of a line at such a share of the width stands to its left: where there is more room.

    Not where it and one from the other half would cross: of those that are so close, names reach away from each other.

    >>> leftwards([0.2, 0.9]), leftwards([0.5, 0.52])
    ([False, True], [True, False])
    """
    lower, upper = [one for one in places if one <= 0.5], [one for one in places if one > 0.5]
    if not lower or not upper or min(upper) - max(lower) >= CLOSE:
        return [one > 0.5 for one in places]
    return [max(lower) - CLOSE < one <= 0.5 or one >= min(upper) + CLOSE for one in places]


def look() -> dict[str, Any]:
    """What all figures share."""
    text = {"labelColor": "var(--muted)", "titleColor": "var(--muted)", "labelFontSize": 12, "titleFontSize": 12}
    return {
        "background": "transparent",
        "font": "system-ui, sans-serif",
        "view": {"stroke": None},
        "axis": {**text, "gridColor": LINE, "domainColor": LINE, "tickColor": LINE, "titleFontWeight": "normal"},
    }


POWER_HEIGHT = 260


def power_chart(found: Sequence[tuple[int, int, float | None, float | None]], *, is_apart: bool) -> Spec:
    """Of items, labels, the power to beat chance and that to separate two models: a line for each number of labels."""
    rows = [
        {"items": items, "labels": f"{counted(labels, 'label')} per item", "power": one,
         "said": f"{counted(items, 'item')} × {labels}: power {plain(one, decimals=2)}"}
        for items, labels, above, apart in found
        if (one := apart if is_apart else above) is not None
    ]  # fmt: skip
    base = alt.Chart(alt.InlineData(values=rows))
    ticks = alt.Axis(values=sorted({float(one[0]) for one in found}), format=",", grid=False)
    x = alt.X("items:Q", scale=alt.Scale(type="log"), title="Items", axis=ticks)
    y = alt.Y("power:Q", scale=alt.Scale(domain=[0, 1]), title="Power")
    dash = alt.StrokeDash("labels:N", sort=None, legend=alt.Legend(orient="top", title=None, symbolType="stroke"))
    lines = base.mark_line(color="var(--people)", strokeWidth=2).encode(x=x, y=y, strokeDash=dash)
    dots = base.mark_point(color="var(--people)", filled=True, size=30).encode(x=x, y=y, description=SAID)
    return drawn([lines, dots], said="Power by items and labels", height=POWER_HEIGHT)


TIMES_HEIGHT = 200
AXIS = "Seconds from display to answer"


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers between two times in milliseconds, of annotators who count and of those who are excluded."""

    low: float
    high: float
    valid: int
    excluded: int


def histogram(bins: Sequence[Bin], *, rules: Mapping[str, float], synthetic: bool, title: str = "") -> Spec:
    """Excluded answers are outlined, above those that count; `rules` are times in seconds by their words."""
    color = COLORS[SYNTHETIC if synthetic else PEOPLE]
    x = alt.X(
        "low:Q",
        title=AXIS,
        scale=alt.Scale(type="log", domain=[bins[0].low / 1000, bins[-1].high / 1000], nice=False),
        axis=alt.Axis(values=[0.2, 0.5, 1, 2, 5, 10, 20, 60, 120], format="~g", grid=False),
    )
    encoded: dict[str, Any] = {"x": x, "x2": alt.X2("high:Q"), "y2": alt.Y2("foot:Q"), "description": SAID}
    y = alt.Y("top:Q", title="Answers")
    valid = alt.Chart(alt.InlineData(values=[_row(one, 0, one.valid, "valid") for one in bins if one.valid]))
    above = [_row(one, one.valid, one.valid + one.excluded, "excluded") for one in bins if one.excluded]
    layers: list[Any] = [valid.mark_rect(color=color, xOffset=0.5, x2Offset=-0.5).encode(y=y, **encoded)]
    if above:
        outlined = alt.Chart(alt.InlineData(values=above)).mark_rect(filled=False, stroke=color)
        layers.append(outlined.encode(y=y, **encoded))
    words = alt.TitleParams(title, color="var(--muted)", fontSize=12, anchor="start", frame="group")
    return drawn(
        [*layers, *_rules(rules)], said=AXIS, height=TIMES_HEIGHT, title=words if title else alt.Undefined, above=36
    )


def _row(one: Bin, foot: int, top: int, kind: str) -> dict[str, object]:
    low, high = one.low / 1000, one.high / 1000
    said = f"{low:.1f} to {high:.1f} s: {top - foot:,} {kind}"
    return {"low": low, "high": high, "foot": foot, "top": top, "said": said}


def _rules(rules: Mapping[str, float]) -> list[Any]:
    """Dotted lines, with their words above the plot, each in a row of its own."""
    layers: list[Any] = []
    for row, (words, seconds) in enumerate(rules.items()):
        base = alt.Chart(alt.InlineData(values=[{"at": seconds, "said": words}]))
        at = alt.X("at:Q", title=AXIS)
        layers.append(base.mark_rule(color="var(--ink)", strokeDash=[2, 3]).encode(x=at, description=SAID))
        named = base.mark_text(
            align="left", baseline="bottom", color="var(--muted)", fontSize=11, aria=False, y=-3 - 14 * row
        )
        layers.append(named.encode(x=at, text="said:N"))
    return layers
