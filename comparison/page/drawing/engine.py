"""The engine: a Vega-Lite specification as SVG for a page, in two widths, of which the stylesheet shows one.

Text in an SVG shrinks with its drawing, so that a phone has a drawing of its own. Colors stay the names of custom
properties (`var(--models)`), which SVG reads from the page: one drawing serves both themes.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from comparison.page.drawing.trimmed import trimmed
from comparison.page.drawing.words import each_word, writable

# The newest that vl-convert brings: what Altair writes.
VEGA_LITE = "6.4"
# In pixels, names and axes included.
WIDE, NARROW = 720, 360


@dataclass(frozen=True, slots=True)
class Drawing:
    """The same chart for a desk and for a phone, as SVG elements."""

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
