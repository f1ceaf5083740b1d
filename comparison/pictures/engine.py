"""The engine: a Vega-Lite specification as SVG for a page, in two widths, of which the stylesheet shows one.

Text in an SVG shrinks with its drawing, so that a phone has a drawing of its own. Colors stay the names of custom
properties (`var(--models)`), which SVG reads from the page: one drawing serves both themes. Only listed
elements and attributes are kept of an engine's SVG, and every text is escaped.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from pydantic import TypeAdapter

# All that XML has no place for, such as most control characters; a name from a file may hold one.
UNWRITABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

SHAPES = ("g", "path", "line", "rect", "text", "tspan")
LOOKS = (
    "transform", "d", "x", "y", "dx", "dy", "x1", "y1", "x2", "y2", "width", "height", "fill", "fill-opacity", "stroke",
    "stroke-width", "stroke-linejoin", "stroke-dasharray", "stroke-opacity", "opacity", "text-anchor", "font-size",
    "font-weight",
)  # fmt: skip
# What a drawing without them looks the same as.
IDLE = {("opacity", "1"), ("transform", "translate(0,0)"), ("font-weight", "normal"), ("stroke-width", "0")}
# A hundredth of a pixel cannot be seen.
LONG = re.compile(r"-?\d+\.\d{3,}")
# The newest that vl-convert brings.
VEGA_LITE = "6.4"
# In pixels, names and axes included.
WIDE, NARROW = 720, 360


def each_word(node: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with every text changed, but for names of fields."""
    if isinstance(node, dict):
        return {name: each_word(value, change) for name, value in node.items()}
    if isinstance(node, list | tuple):
        return [each_word(value, change) for value in node]
    return change(node) if isinstance(node, str) else node


def writable(text: str) -> str:
    """Text that can be drawn: over any other, vl-convert ends the process that it is in."""
    return UNWRITABLE.sub("\ufffd", text)


def trimmed(svg: str, *, label: str, kind: str) -> str:
    """`label` says what is drawn; `kind` is the class under which the stylesheet finds the drawing."""
    # The text is the engine's own; it has no document type, and so no entities.
    root = ElementTree.fromstring(svg)  # noqa: S314
    _, _, width, height = root.get("viewBox", "0 0 1 1").split()
    attributes = {"class": kind, "role": "img", "aria-label": label}
    page = Element("svg", attributes | {"viewBox": f"0 0 {width} {height}", "width": width, "height": height})
    page.extend(_visible_elements(root))
    titles = dict.fromkeys(one.text or "" for one in page.iter("title"))
    if titles:
        description = Element("desc")
        description.text = "; ".join(titles)
        page.insert(0, description)
    return ElementTree.tostring(page, encoding="unicode")


def _visible_elements(parent: Element, *, marks: bool = False) -> Iterator[Element]:
    """What is kept of the elements inside; `marks` says that they are marks, and not axes or heads."""
    for one in parent:
        shape = one.tag.rpartition("}")[2]
        if shape not in SHAPES or _is_empty(one):
            continue
        inside = marks or "role-mark" in one.get("class", "").split()
        attributes = {name: LONG.sub(_short, one.attrib[name]) for name in LOOKS if name in one.attrib}
        looks = {name: value for name, value in attributes.items() if (name, value) not in IDLE}
        children = list(_visible_elements(one, marks=inside))
        if shape == "g" and not looks:
            yield from children
        elif shape != "g" or children:
            written = Element(shape, looks)
            written.text = one.text
            written.extend([*_title(one, marks=marks), *children])
            yield written


def _short(match: re.Match[str]) -> str:
    return f"{float(match[0]):.2f}".rstrip("0").rstrip(".")


def _is_empty(one: Element) -> bool:
    """Grounds and frames that Vega leaves in place and does not show."""
    return one.get("display") == "none" or one.get("class") in ("background", "foreground")


def _title(one: Element, *, marks: bool) -> list[Element]:
    label = one.get("aria-label")
    if not marks or not label:
        return []
    title = Element("title")
    title.text = label
    return [title]


@dataclass(frozen=True, slots=True)
class Drawing:
    """One chart drawn for a desk and for a phone, as SVG elements."""

    wide: str
    narrow: str


DRAWING = TypeAdapter(Drawing)


def draw(spec: dict[str, Any]) -> Drawing:
    return Drawing(_drawn(spec, WIDE, "wide"), _drawn(spec, NARROW, "narrow"))


def _drawn(spec: dict[str, Any], width: int, kind: str) -> str:
    # Here and not above: 70 MB and a second, which a process that draws nothing does without.
    import vl_convert

    fitted = each_word(spec, writable) | {"width": width, "autosize": {"type": "fit-x", "contains": "padding"}}
    svg: str = vl_convert.vegalite_to_svg(fitted, vl_version=VEGA_LITE)
    return trimmed(svg, label=fitted.get("description", ""), kind=kind)
