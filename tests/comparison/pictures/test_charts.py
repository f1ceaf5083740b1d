"""Chart specifications: valid Vega-Lite (by Altair's schema), colors by name, nothing drawn from nothing."""

import json

import altair as alt
import pytest
from altair.utils.schemapi import SchemaValidationError

from comparison.pictures.charts import BASELINE, MODEL, PEOPLE, Band, Dot, ReferenceLine, dot_plot, leftwards
from comparison.statistics.estimate import Estimate

# What the check raises: jsonschema's own class, which Altair's builds on.
(Invalid,) = SchemaValidationError.__bases__
HALF = Estimate(0.5, 0.4, 0.6, n=90)
BARE = Estimate(0.25, n=4)
ROW = {"field": "row", "type": "nominal"}
DOTS = [Dot.of("one", "one", MODEL, HALF), Dot.of("two", "two", BASELINE, BARE)]


@pytest.mark.parametrize("title", ["", "Synthetic annotators"])
@pytest.mark.parametrize("band", [None, Band(HALF, PEOPLE, "one person"), Band(BARE, PEOPLE, "one person")])
@pytest.mark.parametrize("dots", [DOTS[:1], DOTS, [*DOTS, Dot.of("one", "one", BASELINE, BARE)]])
def test_every_form_of_it_keeps_the_schema(dots, band, title):
    spec = dot_plot(dots, axis="Accuracy", band=band, domain=(0, 1), title=title)
    assert spec is not None
    alt.LayerChart.validate(spec)
    assert ("title" in spec) == bool(title)


def test_the_schema_sees_what_is_wrong_inside_a_layer():
    spec = dot_plot(DOTS, axis="Accuracy", band=None, domain=(0, 1))
    assert spec is not None
    spec["layer"][0]["encoding"]["y"]["scale"] = {"padingInner": 0}
    with pytest.raises(Invalid, match="padingInner"):
        alt.LayerChart.validate(spec)


def test_a_plot_has_every_dot_with_its_words_and_no_color_of_its_own():
    dots = [Dot.of("one", "one", MODEL, HALF), Dot.of("two", "two", BASELINE, Estimate(0.25, n=4))]
    spec = dot_plot(dots, axis="Accuracy", band=Band(HALF, PEOPLE, "one person"), domain=(0, 1))
    text = json.dumps(spec, ensure_ascii=False)
    assert ".50 [.40, .60], n = 90" in text
    assert '"low": null' in text, "an estimate without an interval keeps its dot"
    assert "var(--models)" in text
    assert "var(--people)" in text
    assert "#" not in text.replace("schema", "").split("$")[0], "colors come from the stylesheet"


def test_undefined_estimates_are_left_to_the_table():
    assert (
        dot_plot([Dot.of("one", "one", MODEL, Estimate.none("no items"))], axis="x", band=None, domain=(0, 1)) is None
    )


def test_an_undefined_band_is_not_drawn():
    spec = dot_plot([Dot.of("one", "one", MODEL, HALF)], axis="x", band=None, domain=(0, 1))
    other = dot_plot(
        [Dot.of("one", "one", MODEL, HALF)], axis="x", band=Band(Estimate.none("none"), PEOPLE, "p"), domain=(0, 1)
    )
    assert spec is not None
    assert other is not None
    assert len(spec["layer"]) == len(other["layer"]) == 4


def test_chance_and_the_constant_are_drawn_and_named_with_the_band():
    dots = [Dot.of("one", "one", MODEL, HALF)]
    lines = [ReferenceLine(0.2, "chance"), ReferenceLine(0.45, "always yes")]
    spec = dot_plot(dots, axis="x", band=Band(HALF, PEOPLE, "One person"), domain=(0, 1), lines=lines)
    assert spec is not None
    text = json.dumps(spec)
    for label in ("chance", "always yes", "One person"):
        assert f'"label": "{label}"' in text
    named = [layer for layer in spec["layer"] if layer["mark"]["type"] == "text"]
    above = [layer["mark"]["y"] for layer in named if "y" in layer["mark"]]
    assert len(set(above)) == len(above) == 3, "no name lies on another"
    assert spec["padding"]["top"] > 0


@pytest.mark.parametrize(
    ("places", "left"),
    [
        ([0.2, 0.28], [False, False]),
        ([0.5, 1.0], [False, True]),
        ([0.5, 0.52], [True, False]),
        ([0.52, 0.5], [False, True]),
        ([0.5, 0.55, 0.6], [True, False, False]),
        ([0.45, 0.48, 0.52], [True, True, False]),
        ([0.1, 0.5, 0.52, 0.95], [False, True, False, True]),
    ],
)
def test_names_of_lines_that_are_close_reach_away_from_each_other(places, left):
    assert leftwards(places) == left


def test_a_name_is_cut_by_the_room_on_its_own_side():
    spec = dot_plot(
        DOTS,
        axis="x",
        band=None,
        domain=(0, 1),
        lines=[ReferenceLine(0.48, "chance"), ReferenceLine(0.6, "always yes")],
    )
    assert spec is not None
    found = [(layer["mark"]["align"], layer["mark"]["limit"]["expr"]) for layer in spec["layer"][-2:]]
    assert found == [("right", "width * 0.4128"), ("left", "width * 0.344")]


def test_a_name_stands_on_a_ground_of_its_own_where_lines_run():
    """Behind it the same words as wide strokes in the color of the page, above every line of the plot."""
    spec = dot_plot(DOTS, axis="x", band=None, domain=(0, 1), lines=[ReferenceLine(0.05, "chance")])
    assert spec is not None
    names = [place for place, layer in enumerate(spec["layer"]) if layer["encoding"].get("text") == ROW]
    lines = [place for place, layer in enumerate(spec["layer"]) if layer["mark"]["type"] == "rule"]
    ground, name = (spec["layer"][place]["mark"] for place in names)
    assert min(names) > max(lines)
    assert (ground["stroke"], ground["strokeWidth"], "stroke" in name) == ("var(--paper)", 9, False)
    assert {key: ground[key] for key in ("x", "dy", "limit")} == {key: name[key] for key in ("x", "dy", "limit")}
