"""The picture of accuracy over a number: a dot a unit, named where its name stands on no other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from comparison.pictures.charts import COLORS, HALO, MODEL
from comparison.pictures.vega_lite import SAID, Rows, Spec, drawn, field, interval, layer
from comparison.statistics.accuracy.hits import Hits

# Of more units a picture is a cloud without names.
NAMED = 30
# In pixels. The width is that of a phone's: what is apart there is apart on every wider picture.
WIDTH, HEIGHT, PADDING = 260, 300, 18
DOT, LETTER, LINE = 5.0, 6.6, 14.0
# So near that two dots are one to the eye, and named together.
NEAR = 7.0


@dataclass(frozen=True, slots=True)
class Point:
    """The items of one unit: their mean number, and how often the run that is looked at is right."""

    value: str
    number: float
    hits: Hits


@dataclass(frozen=True, slots=True)
class Side:
    """Where a name stands beside its dot: its edge that is nearest, and how far that is from the dot's middle."""

    align: str
    dx: int
    dy: int


SIDES = (
    Side("left", 7, 0), Side("right", -7, 0), Side("center", 0, -13), Side("center", 0, 13),
    Side("left", -4, -15), Side("right", 4, -15), Side("left", -4, 15), Side("right", 4, 15),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    @property
    def is_inside(self) -> bool:
        """Of the picture: a name beside a dot on its edge reaches half a line over it."""
        return self.left >= 0 and self.right <= WIDTH and self.top >= -LINE / 2 and self.bottom <= HEIGHT + LINE / 2


@dataclass(frozen=True, slots=True)
class Name:
    """What is written beside a dot, on which side of it, and what that covers."""

    words: str
    side: Side
    box: Box


def number_chart(points: Sequence[Point], name: str, *, title: str) -> Spec | None:
    """Accuracy over the number, a dot a unit with its interval; few are named, each where there is room for it."""
    if len(points) < 2:
        return None
    names = placed_names(points) if len(points) <= NAMED else {}
    rows = [
        {
            "name": names[one.value].words if one.value in names else "",
            "side": SIDES.index(names[one.value].side) if one.value in names else None,
            "number": one.number,
            "share": one.hits.accuracy.value,
            "low": one.hits.accuracy.low,
            "high": one.hits.accuracy.high,
            "said": f"{one.value}, {name} {one.number:.4g}: {one.hits.accuracy}",
        }
        for one in points
    ]
    x = field("number:Q", title=name, scale={"zero": False, "padding": PADDING}, axis={"tickCount": 6})
    scale = {"domain": [0, 1], "nice": False}
    y = field("share:Q", title="Accuracy", scale=scale, axis={"tickCount": 5})
    sides = {"y": field("low:Q", title="Accuracy", scale=scale), "y2": {"field": "high"}}
    color = {"color": COLORS[MODEL]}
    layers = [
        interval(rows, color | {"strokeWidth": 1.5, "opacity": 0.6}, x=x, **sides, description=SAID),
        layer(rows, "point", color | {"filled": True, "size": 70, "opacity": 1}, x=x, y=y, description=SAID),
        *_names(rows, x, y, sides={one.side for one in names.values()}),
    ]
    return drawn(layers, description=f"Accuracy by {name}", height=HEIGHT, title=title)


def placed_names(points: Sequence[Point]) -> dict[str, Name]:
    """Which name stands beside which dot: on the first side where it meets no dot and no other name, or nowhere."""
    at = dict(zip((one.value for one in points), places(points), strict=True))
    groups: list[list[str]] = []
    for value, (x, y) in at.items():
        for group in groups:
            if abs(x - at[group[0]][0]) <= NEAR and abs(y - at[group[0]][1]) <= NEAR:
                group.append(value)
                break
        else:
            groups.append([value])
    boxes = [Box(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in at.values()]
    placed = {}
    for group in groups:
        words = ", ".join(group)
        for side in SIDES:
            box = _box(words, at[group[0]], side)
            if box.is_inside and not any(box.meets(other) for other in boxes):
                boxes.append(box)
                placed[group[0]] = Name(words, side, box)
                break
    return placed


def places(points: Sequence[Point]) -> list[tuple[float, float]]:
    """The middle of each dot, from the upper left."""
    numbers = [one.number for one in points]
    least, span = min(numbers), max(numbers) - min(numbers)
    return [
        (
            PADDING + (WIDTH - 2 * PADDING) * ((one.number - least) / span if span else 0.5),
            HEIGHT * (1 - (one.hits.accuracy.value or 0.0)),
        )
        for one in points
    ]


def _box(words: str, place: tuple[float, float], side: Side) -> Box:
    x, y = place[0] + side.dx, place[1] + side.dy
    width = LETTER * len(words)
    left = x - {"left": 0.0, "center": width / 2, "right": width}[side.align]
    return Box(left, y - LINE / 2, left + width, y + LINE / 2)


def _names(rows: Rows, x: Spec, y: Spec, *, sides: set[Side]) -> Iterator[Spec]:
    for number, side in enumerate(SIDES):
        if side not in sides:
            continue
        look: dict[str, Any] = {"align": side.align, "baseline": "middle", "dx": side.dx, "dy": side.dy}
        look |= {"fontSize": 12, "aria": False}
        on_side = {"filter": f"datum.side === {number}"}
        for ink in (HALO | {"strokeWidth": 4}, {"color": "var(--ink)"}):
            yield layer(rows, "text", look | ink, transform=on_side, x=x, y=y, text=field("name:N"))
