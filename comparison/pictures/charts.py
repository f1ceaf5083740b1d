"""The charts of the house: dots with intervals in rows, power by items, times of answers.

Names stand inside a dot plot, above their dots, so that one layout serves desk and phone.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from comparison.pictures.vega_lite import SAID, WIDER, Rows, Spec, drawn, field, interval, layer, of_width
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
# The height of one line's name, in pixels.
LINE_NAME = 14
# Names of lines that lie nearer to each other, as a share of the plot's width, do not reach towards each other.
CLOSE = 0.2
# The same words behind a name, in the page's color, so wide that no line runs through letters or spaces.
HALO: dict[str, Any] = {"color": "var(--paper)", "stroke": "var(--paper)", "strokeWidth": 9, "strokeJoin": "round"}


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
    all_lines = [
        *lines,
        *([] if band is None or band.estimate.value is None else [ReferenceLine(band.estimate.value, band.label)]),
    ]
    # Room for the names of lines and band, one above the other, where there are lines.
    room = LINE_NAME * len(all_lines) if lines else 0
    layers = [*_band(band, axis), *_lines(lines, axis), *_dots(rows, order, lanes, axis, domain, _legend(legend))]
    if lines:
        layers += _line_names(all_lines, axis, domain)
    height = lanes.height * len(order) + 8
    return drawn(layers, description=axis, height=height, title=title, above=room)


def _legend(words: Mapping[str, str] | None) -> Spec | None:
    """Above the plot, a line each; None for none."""
    if not words:
        return None
    return {
        "orient": "top", "direction": "vertical", "title": None, "labelColor": "var(--muted)", "labelFontSize": 12,
        "labelLimit": 0, "labelExpr": f"{json.dumps(dict(words), ensure_ascii=False)}[datum.label]",
    }  # fmt: skip


def _dots(
    dots: Sequence[Dot],
    order: list[str],
    lanes: Lanes,
    axis: str,
    domain: tuple[float, float],
    legend: Spec | None,
) -> list[Spec]:
    kinds = list(dict.fromkeys(dot.kind for dot in dots))
    rows = [asdict(dot) | {"said": f"{dot.rater}: {dot.text}"} for dot in dots]
    y = field("row:N", sort=order, axis=None, scale={"paddingInner": 0, "paddingOuter": 0})
    x = field("value:Q", title=axis, scale={"domain": list(domain), "nice": False}, axis={"tickCount": 6})
    color = field("kind:N", scale={"domain": kinds, "range": [COLORS[kind] for kind in kinds]}, legend=legend)
    shape = field("kind:N", scale={"domain": kinds, "range": [SHAPES[kind] for kind in kinds]}, legend=legend)
    # The first lane is left to the name.
    lane = field("kind:N", scale={"domain": ["", *kinds]}) if lanes is TWO_LANES else None
    placed = {"y": y, "yOffset": lane, "color": color, "description": SAID}
    lowered = {"yOffset": lanes.dots_lowered}
    return [
        *_chances(dots, y, lanes, axis),
        interval(rows, {"strokeWidth": 2.5, **lowered}, x=field("low:Q", title=axis), x2={"field": "high"}, **placed),
        layer(rows, "point", {"filled": True, "size": 90, "opacity": 1, **lowered}, x=x, shape=shape, **placed),
        *row_names(rows, y, above=lanes.name_above_middle),
    ]


def row_names(rows: Rows, y: Spec, *, above: int) -> list[Spec]:
    """The field `row`, once a row, on a ground of its own; `above` is in pixels, from the row's middle."""
    look: dict[str, Any] = {
        "align": "left", "baseline": "bottom", "dy": -above, "x": 2, "fontSize": 13, "aria": False,
        # A long name ends in an ellipsis at the edge of a phone's plot; the table below has it whole.
        "limit": of_width(WIDER),
    }  # fmt: skip
    once = {"aggregate": [], "groupby": ["row"]}
    return [
        layer(rows, "text", look | ink, transform=once, y=y, text=field("row:N"))
        for ink in (HALO, {"color": "var(--ink)"})
    ]


def shaded(cells: Rows, x: Spec, y: Spec, *, most: float) -> Spec:
    """A cell for each row, the darker the nearer its field `share` is to `most`."""
    opacity = field("share:Q", scale={"domain": [0, most], "range": [0, 0.42]}, legend=None)
    look = {"fill": "var(--models)", "stroke": "var(--line)", "strokeWidth": 1}
    return layer(cells, "rect", look, x=x, y=y, fillOpacity=opacity, description=SAID)


def _chances(dots: Sequence[Dot], y: Spec, lanes: Lanes, axis: str) -> list[Spec]:
    """A tick in each row that has a chance of its own."""
    rows = [
        {"row": dot.row, "chance": dot.chance, "said": f"chance for {dot.rater}: {plain(dot.chance, decimals=2)}"}
        for dot in dots
        if dot.chance is not None
    ]
    look = {"color": "var(--muted)", "thickness": 2, "size": 16, "yOffset": lanes.dots_lowered}
    return [layer(rows, "tick", look, x=field("chance:Q", title=axis), y=y, description=SAID)] if rows else []


def _band(band: Band | None, axis: str) -> list[Spec]:
    if band is None or band.estimate.value is None:
        return []
    of, color = band.estimate, COLORS[band.kind]
    rows = [{"value": of.value, "low": of.low, "high": of.high, "said": f"{band.label}: {of}"}]
    middle = {"color": color, "strokeDash": [4, 3], "strokeWidth": 1.5}
    layers = [layer(rows, "rule", middle, x=field("value:Q", title=axis), description=SAID)]
    if of.low is not None:
        sides = {"x": field("low:Q", title=axis), "x2": {"field": "high"}}
        layers.insert(0, layer(rows, "rect", {"color": color, "opacity": 0.18}, **sides, description=SAID))
    return layers


def _lines(lines: Sequence[ReferenceLine], axis: str) -> list[Spec]:
    """Dotted, so that they are not taken for people's."""
    rows = [{"value": line.value, "said": f"{line.label}: {plain(line.value, decimals=2)}"} for line in lines]
    look = {"color": "var(--muted)", "strokeDash": [1, 3], "strokeWidth": 1.5}
    return [layer(rows, "rule", look, x=field("value:Q", title=axis), description=SAID)] if rows else []


def _line_names(lines: Sequence[ReferenceLine], axis: str, domain: tuple[float, float]) -> list[Spec]:
    """Above the plot, each in a row of its own: lines may lie close together. One too long for its side is cut."""
    low, high = domain
    places = [(line.value - low) / (high - low) for line in lines]
    return [
        layer(
            [asdict(line)],
            "text",
            {
                "align": "right" if leftward else "left",
                "limit": of_width(WIDER * (place if leftward else 1 - place)),
                "baseline": "bottom",
                "color": "var(--muted)",
                "fontSize": 11,
                "aria": False,
                "y": -4 - LINE_NAME * row,
            },
            x=field("value:Q", title=axis),
            text=field("label:N"),
        )
        for row, (line, place, leftward) in enumerate(zip(lines, places, leftwards(places), strict=True))
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


POWER_HEIGHT = 260


def power_chart(points: Sequence[tuple[int, int, float | None, float | None]], *, is_apart: bool) -> Spec:
    """Of items, labels, the power to beat chance and that to separate two models: a line for each number of labels."""
    rows = [
        {"items": items, "labels": f"{counted(labels, 'label')} per item", "power": one,
         "said": f"{counted(items, 'item')} × {labels}: power {plain(one, decimals=2)}"}
        for items, labels, above, apart in points
        if (one := apart if is_apart else above) is not None
    ]  # fmt: skip
    ticks = {"values": sorted({float(one[0]) for one in points}), "format": ",", "grid": False}
    x = field("items:Q", scale={"type": "log"}, title="Items", axis=ticks)
    y = field("power:Q", scale={"domain": [0, 1]}, title="Power")
    dash = field("labels:N", sort=None, legend={"orient": "top", "title": None, "symbolType": "stroke"})
    lines = layer(rows, "line", {"color": "var(--people)", "strokeWidth": 2}, x=x, y=y, strokeDash=dash)
    dot = {"color": "var(--people)", "filled": True, "size": 30}
    dots = layer(rows, "point", dot, x=x, y=y, description=SAID)
    return drawn([lines, dots], description="Power by items and labels", height=POWER_HEIGHT)


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
    x = field(
        "low:Q",
        title=AXIS,
        scale={"type": "log", "domain": [bins[0].low / 1000, bins[-1].high / 1000], "nice": False},
        axis={"values": [0.2, 0.5, 1, 2, 5, 10, 20, 60, 120], "format": "~g", "grid": False},
    )
    placed: dict[str, Any] = {"x": x, "x2": {"field": "high"}, "y": field("top:Q", title="Answers"),
                              "y2": {"field": "foot"}, "description": SAID}  # fmt: skip
    valid = [_row(one, 0, one.valid, "valid") for one in bins if one.valid]
    above = [_row(one, one.valid, one.valid + one.excluded, "excluded") for one in bins if one.excluded]
    layers = [layer(valid, "rect", {"color": color, "xOffset": 0.5, "x2Offset": -0.5}, **placed)]
    if above:
        layers.append(layer(above, "rect", {"filled": False, "stroke": color}, **placed))
    return drawn([*layers, *_rules(rules)], description=AXIS, height=TIMES_HEIGHT, title=title, above=36)


def _row(one: Bin, foot: int, top: int, kind: str) -> dict[str, object]:
    low, high = one.low / 1000, one.high / 1000
    description = f"{low:.1f} to {high:.1f} s: {top - foot:,} {kind}"
    return {"low": low, "high": high, "foot": foot, "top": top, "said": description}


def _rules(rules: Mapping[str, float]) -> list[Spec]:
    """Dotted lines, with their words above the plot, each in a row of its own."""
    layers = []
    for row, (words, seconds) in enumerate(rules.items()):
        rows, at = [{"at": seconds, "said": words}], field("at:Q", title=AXIS)
        dotted = {"color": "var(--ink)", "strokeDash": [2, 3]}
        name = {"align": "left", "baseline": "bottom", "color": "var(--muted)", "fontSize": 11, "aria": False,
                "y": -3 - 14 * row}  # fmt: skip
        layers += [layer(rows, "rule", dotted, x=at, description=SAID), layer(rows, "text", name, x=at, text=SAID)]
    return layers
