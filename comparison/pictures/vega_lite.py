"""Vega-Lite specifications: layers of marks over rows, in one look.

Colors are the names of the stylesheet's custom properties (`var(--models)`): on a page they are those of the theme in
use, in files those of the light theme, on its ground. What a mark says when it is pointed at is its `description`.
"""

from collections.abc import Mapping, Sequence
from math import ceil, cos, radians, sin
from typing import Any

Spec = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]

TYPES = {"Q": "quantitative", "N": "nominal"}
LINE = "var(--line)"
# Of the room that text has: it is measured in Liberation Sans, and readers' own fonts may be wider.
WIDER = 0.86
# Of names that stand slanted above columns: by how many degrees, and the width of a letter.
SLANT, LETTER = 40, 7
# What all figures share.
LOOK: Spec = {
    "background": "transparent",
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--muted)", "titleColor": "var(--muted)", "labelFontSize": 12, "titleFontSize": 12,
        "gridColor": LINE, "domainColor": LINE, "tickColor": LINE, "titleFontWeight": "normal",
    },
}  # fmt: skip


def field(name_and_type: str, **more: Any) -> Spec:
    """A channel that takes a field of the rows.

    >>> field("low:Q", title="Accuracy")
    {'field': 'low', 'type': 'quantitative', 'title': 'Accuracy'}
    """
    name, _, letter = name_and_type.rpartition(":")
    return {"field": name, "type": TYPES[letter], **more}


SAID = field("said:N")


def of_width(share: float) -> Spec:
    """This share of the plot's width, in pixels."""
    return {"expr": f"width * {round(share, 4)}"}


def layer(rows: Rows, mark: str, look: Mapping[str, Any], *, transform: Spec | None = None, **channels: Any) -> Spec:
    """One mark for each row, with the channels that are not None; `look` is what all of them have alike."""
    encoding = {name: channel for name, channel in channels.items() if channel is not None}
    spec = {"data": {"values": rows}, "mark": {"type": mark, **look}, "encoding": encoding}
    return spec if transform is None else spec | {"transform": [transform]}


def interval(rows: Rows, look: Mapping[str, Any], **channels: Any) -> Spec:
    """A line from the fields `low` to `high` of those rows that have an interval."""
    return layer(rows, "rule", look, transform={"filter": "isValid(datum.low)"}, **channels)


def drawn(
    layers: Sequence[Spec], *, description: str, height: int, title: str = "", above: int = 0, right: int = 5
) -> Spec:
    """The layers as one chart, as wide as its place; rows that several share stand in it once.

    `above` is room in pixels over it, `right` that beside it, and `description` what the chart is of. `title` is what
    it must say wherever it ends up, such as that its labels are synthetic.

    Checking a figure against the schema takes longer than making it: its tests do it (tests/comparison/pictures).
    """
    rows = {id(one["data"]["values"]): one["data"]["values"] for one in layers}
    names = {key: f"rows {number}" for number, key in enumerate(rows)}
    spec: Spec = {
        "layer": [one | {"data": {"name": names[id(one["data"]["values"])]}} for one in layers],
        "datasets": {names[key]: values for key, values in rows.items()},
        "description": description,
        "width": "container",
        "height": height,
        "config": LOOK,
    }
    if title:
        # By the plot's own edge, and not by that of names which reach beyond it.
        spec["title"] = {"text": title, "color": "var(--muted)", "fontSize": 12, "anchor": "start", "frame": "group",
                         "limit": of_width(WIDER)}  # fmt: skip
    if above:
        spec["padding"] = {"top": above, "left": 5, "right": right, "bottom": 5}
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
