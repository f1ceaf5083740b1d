"""Charts as files, in the light theme on white: SVG for the report; SVG, PDF and PNG for who saves one of a page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import vl_convert
from django.contrib.staticfiles import finders

from comparison.bundle.words.facts import mark
from comparison.figures.registry import FIGURES
from comparison.page.page import Page
from comparison.pictures.engine import VEGA_LITE, each_word, writable
from comparison.pictures.vega_lite import Spec


def stylesheet(name: str) -> str:
    path = finders.find(f"css/{name}")
    if path is None:
        raise FileNotFoundError(f"static/css/{name} is not where static files are looked for")
    return Path(path).read_text(encoding="utf-8")


@cache
def light_colors() -> dict[str, str]:
    """What tokens.css gives :root outside any media query."""
    first = re.search(r"^:root \{(.*?)^\}", stylesheet("tokens.css"), re.DOTALL | re.MULTILINE)
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", first[1])) if first else {}


# Wide enough for the names of runs; an SVG has no place of its own that it could fill.
WIDTH = 640
GROUND = "#ffffff"
# Pixels of a PNG for each of the drawing's.
FINE = 2.0
KINDS = ("svg", "pdf", "png")


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    caption: str
    svg: str


def figures(page: Page) -> Iterator[Figure]:
    """Those that the study has something to draw for."""
    note = mark(page.study)
    for figure in FIGURES:
        for name, chart in figure.charts(page.chosen).items():
            yield Figure(name, f"{chart.caption} {note}", svg(chart.spec, note=note))


def draw(spec: Spec, kind: str, *, note: str) -> bytes:
    """The file of one of KINDS."""
    drawers = {"svg": lambda: svg(spec, note=note).encode(), "pdf": lambda: pdf(spec), "png": lambda: png(spec)}
    return drawers[kind]()


def svg(spec: Spec, *, note: str) -> str:
    """The drawing; its description is what it is of, and `note`. The same specification gives the same bytes."""
    drawn: str = vl_convert.vegalite_to_svg(on_paper(spec), vl_version=VEGA_LITE)
    opening, rest = drawn.split(">", 1)
    of = str(spec.get("description", ""))
    return f"{opening}><desc>{_escaped(f'{of}. {note}' if of else note)}</desc>{rest}"


def pdf(spec: Spec) -> bytes:
    """The chart as PDF, for a paper. Its bytes differ each time, so that no report holds one."""
    drawn: bytes = vl_convert.vegalite_to_pdf(on_paper(spec), vl_version=VEGA_LITE)
    return drawn


def png(spec: Spec) -> bytes:
    drawn: bytes = vl_convert.vegalite_to_png(on_paper(spec), vl_version=VEGA_LITE, scale=FINE)
    return drawn


def on_paper(spec: Spec) -> Spec:
    """The specification with a width, a ground, and the colors of the light theme."""
    themed: Spec = each_word(spec, lambda text: _light(writable(text)))
    return themed | {"width": WIDTH, "config": themed["config"] | {"background": GROUND}}


def _light(text: str) -> str:
    match = re.fullmatch(r"var\((--[\w-]+)\)", text)
    # The page's own ground is not the paper's.
    colors = light_colors() | {"--paper": GROUND}
    return colors.get(match[1], text) if match else text


def _escaped(text: str) -> str:
    return writable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
