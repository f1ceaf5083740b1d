"""Of an engine's SVG what a page shows, written anew: shapes, words and looks, and nothing that could act.

Whatever is not listed here is left out, and every text is escaped as it is written, so that a name from a file stays a
name. What a mark says of itself becomes its <title>, which browsers show on hover.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

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


def trimmed(svg: str, *, label: str, kind: str) -> str:
    """`label` says what is drawn; `kind` is the class under which the stylesheet finds the drawing."""
    # The text is the engine's own; it has no document type, and so no entities.
    root = ElementTree.fromstring(svg)  # noqa: S314
    _, _, width, height = root.get("viewBox", "0 0 1 1").split()
    named = {"class": kind, "role": "img", "aria-label": label}
    page = Element("svg", named | {"viewBox": f"0 0 {width} {height}", "width": width, "height": height})
    page.extend(_kept(root))
    said = dict.fromkeys(one.text or "" for one in page.iter("title"))
    if said:
        description = Element("desc")
        description.text = "; ".join(said)
        page.insert(0, description)
    return ElementTree.tostring(page, encoding="unicode")


def _kept(parent: Element, *, marks: bool = False) -> Iterator[Element]:
    """What is kept of the elements inside; `marks` says that they are marks, and not axes or heads."""
    for one in parent:
        shape = one.tag.rpartition("}")[2]
        if shape not in SHAPES or _is_empty(one):
            continue
        inside = marks or "role-mark" in one.get("class", "").split()
        found = {name: LONG.sub(_short, one.attrib[name]) for name in LOOKS if name in one.attrib}
        looks = {name: value for name, value in found.items() if (name, value) not in IDLE}
        kept = list(_kept(one, marks=inside))
        if shape == "g" and not looks:
            yield from kept
        elif shape != "g" or kept:
            written = Element(shape, looks)
            written.text = one.text
            written.extend([*_title(one, marks=marks), *kept])
            yield written


def _short(found: re.Match[str]) -> str:
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")


def _is_empty(one: Element) -> bool:
    """Grounds and frames that Vega leaves in place and does not show."""
    return one.get("display") == "none" or one.get("class") in ("background", "foreground")


def _title(one: Element, *, marks: bool) -> list[Element]:
    said = one.get("aria-label")
    if not marks or not said:
        return []
    title = Element("title")
    title.text = said
    return [title]
