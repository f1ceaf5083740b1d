"""Vector figures: the charts of the results as SVG, in the light theme on white, as the pages save them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import vl_convert

from comparison.bundle.mark import mark
from comparison.bundle.styles import light_colors
from comparison.page.charts import Spec
from comparison.page.page import Page

# Wide enough for the names of runs; an SVG has no place of its own that it could fill.
WIDTH = 640
GROUND = "#ffffff"
# As static/vendor/vega-lite.min.js, which draws the same on the pages.
VEGA_LITE = "6.4"


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    caption: str
    svg: str


def figures(page: Page) -> Iterator[Figure]:
    """Those that the study has something to draw for."""
    mark_said = mark(page.study)
    for name, caption, spec in _specs(page):
        if spec is not None:
            yield Figure(name, f"{caption} {mark_said}", svg(spec, said=mark_said))


def _specs(page: Page) -> Iterator[tuple[str, str, Spec | None]]:
    yield "accuracy", page.accuracy_caption, page.accuracy_figure
    if page.findings.runs:
        strength = f"Spearman’s ρ of each run’s strength with {page.strength_words}, with 95 % intervals."
        yield "strength", strength, page.strength_figure
    yield "breakdown", _breakdown_caption(page), page.breakdown_figure
    for curve in page.curves:
        yield curve.chart, curve.caption, curve.spec
    if page.ranks is not None:
        yield "ranks", page.ranks.caption, page.ranks.figure


def _breakdown_caption(page: Page) -> str:
    """The page's own speaks of a run that its reader has chosen."""
    run = "no run" if page.run is None else f"{page.run.title} ({'diamond' if page.run.is_baseline else 'circle'})"
    people = f" and one {page.study.people.one} (square)" if page.outline.has_labels else ""
    return f"Accuracy of {run}{people} by {page.selection.by}, against {page.target_words}; 95 % intervals."


def svg(spec: Spec, *, said: str) -> str:
    """The drawing, with `said` as its description; the same specification gives the same bytes."""
    drawn: str = vl_convert.vegalite_to_svg(on_paper(spec), vl_version=VEGA_LITE)
    opening, rest = drawn.split(">", 1)
    return f"{opening}><desc>{_escaped(said)}</desc>{rest}"


def pdf(spec: Spec) -> bytes:
    """The same drawing for a paper. Its bytes differ from drawing to drawing, so that no report holds one."""
    drawn: bytes = vl_convert.vegalite_to_pdf(on_paper(spec), vl_version=VEGA_LITE)
    return drawn


def chart(page: Page, part: str, name: str) -> Spec | None:
    """The chart that a part of the results has under this name; None where it has none. Other parts are not read."""
    if part == "overview":
        return page.accuracy_figure if name == "accuracy" else None
    if part == "breakdown":
        return page.breakdown_figure if name == "breakdown" else None
    return _of_models(page).get(name) if part == "models" else None


def _of_models(page: Page) -> dict[str, Spec | None]:
    found = {"strength": page.strength_figure, "ranks": page.ranks.figure if page.ranks else None}
    found |= {curve.chart: curve.spec for curve in page.curves}
    for asked in page.asking:
        found |= {asked.places_chart: asked.places, asked.beside_chart: asked.beside}
    return found


def on_paper(spec: Spec) -> Spec:
    """The specification with a width, a ground, and the colors of the light theme."""
    found: Spec = json.loads(json.dumps(spec), object_hook=_colored)
    return found | {"width": WIDTH, "config": found["config"] | {"background": GROUND}}


def _colored(found: dict[str, Any]) -> dict[str, Any]:
    return {name: _value(value) for name, value in found.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(one) for one in value]
    named = re.fullmatch(r"var\((--[\w-]+)\)", value) if isinstance(value, str) else None
    return light_colors().get(named[1], value) if named else value


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
