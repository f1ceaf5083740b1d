"""A chart in its page: names are text, marks say n and interval, colors are the theme's, and nothing in it can act."""

import os
from xml.etree import ElementTree

import pytest

from comparison.bundle import figures
from comparison.pictures.charts import BASELINE, MODEL, PEOPLE, Band, Dot, ReferenceLine, dot_plot
from comparison.pictures.engine import LOOKS, NARROW, SHAPES, WIDE, draw
from comparison.statistics.estimate import Estimate
from tests import forked
from tests.comparison.known import known

EVIL = """x"><script>alert(1)</script></svg>&amp;\x00\x0b]]> ' onload=alert(1) url(#a) var(--people) κ"""
SHOWN = EVIL.replace("\x00", "\ufffd").replace("\x0b", "\ufffd")
FOUND = Estimate(0.7, 0.6, 0.8, n=20)
OWN = {"class", "role", "aria-label", "viewBox"}

pytestmark = pytest.mark.slow


def spec(name):
    dots = [Dot.of(name, name, MODEL, FOUND), Dot.of("other", "other", BASELINE, Estimate(0.25, n=4))]
    lines, band = [ReferenceLine(0.2, name)], Band(FOUND, PEOPLE, name)
    return known(dot_plot(dots, axis=f"Accuracy {name}", band=band, domain=(0, 1), title=name, lines=lines))


@pytest.fixture(scope="module")
def hostile():
    return draw(spec(EVIL))


@pytest.mark.parametrize("kind", ["wide", "narrow"])
def test_hostile_names_are_text_and_nothing_else_gets_through(hostile, kind):
    root = ElementTree.fromstring(getattr(hostile, kind))  # noqa: S314
    assert {one.tag for one in root.iter()} <= {"svg", "title", "desc", *SHAPES}
    assert {name for one in root.iter() for name in one.attrib} <= {*LOOKS, *OWN}
    assert f"{SHOWN}: .70 [.60, .80], n = 20" in [one.text for one in root.iter("title")]
    assert root.get("aria-label") == f"Accuracy {SHOWN}"
    assert root.get("role") == "img"
    assert not [value for one in root.iter() for name, value in one.items() if "#" in value and name != "aria-label"]


def test_marks_say_what_they_are_and_the_drawing_all_of_it():
    root = ElementTree.fromstring(draw(spec("parrot")).wide)  # noqa: S314
    titles = {one.text for one in root.iter("title")}
    assert titles == {"parrot: .70 [.60, .80], n = 20", "other: .3, n = 4", "parrot: .20"}
    [said] = [one.text for one in root.iter("desc")]
    assert set(known(said).split("; ")) == titles
    assert {one.text for one in root.iter("text")} >= {"parrot", "other", "Accuracy parrot", "0.2"}


def test_it_is_drawn_for_desk_and_phone_in_the_colors_of_the_page():
    drawn = draw(spec("parrot"))
    for svg, width in ((drawn.wide, WIDE), (drawn.narrow, NARROW)):
        root = ElementTree.fromstring(svg)  # noqa: S314
        assert root.get("width") == str(width)
        assert root.get("viewBox", "").startswith(f"0 0 {width} ")
        fills = {one.get("fill") for one in root.iter()} | {one.get("stroke") for one in root.iter()}
        assert {"var(--models)", "var(--people)", "var(--ink)"} <= fills
        assert all(known(fill).startswith("var(--") for fill in fills - {None, "none"})
    assert draw(spec("parrot")) == drawn


def test_names_that_xml_has_no_place_for_end_no_process():
    """vl-convert aborts over them: in a process of its own, so that only this test would fail."""
    code = (
        "from comparison.bundle import figures\n"
        "from tests.comparison.pictures.test_engine import EVIL, draw, spec\n"
        "draw(spec(EVIL)), figures.svg(spec(EVIL), note=EVIL), figures.pdf(spec(EVIL)), figures.png(spec(EVIL))\n"
    )
    assert forked.run("-c", f"import django; django.setup()\n{code}", env=os.environ).returncode == 0


def test_a_file_with_such_a_name_can_be_read():
    ElementTree.fromstring(figures.svg(spec(EVIL), note=EVIL))  # noqa: S314
