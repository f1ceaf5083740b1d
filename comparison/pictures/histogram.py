"""Response times as columns on a log scale, for downloads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from comparison.pictures.charts import COLORS, PEOPLE, SAID, SYNTHETIC, Spec, drawn

HEIGHT = 200
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
    x = alt.X(
        "low:Q",
        title=AXIS,
        scale=alt.Scale(type="log", domain=[bins[0].low / 1000, bins[-1].high / 1000], nice=False),
        axis=alt.Axis(values=[0.2, 0.5, 1, 2, 5, 10, 20, 60, 120], format="~g", grid=False),
    )
    encoded: dict[str, Any] = {"x": x, "x2": alt.X2("high:Q"), "y2": alt.Y2("foot:Q"), "description": SAID}
    y = alt.Y("top:Q", title="Answers")
    valid = alt.Chart(alt.InlineData(values=[_row(one, 0, one.valid, "valid") for one in bins if one.valid]))
    above = [_row(one, one.valid, one.valid + one.excluded, "excluded") for one in bins if one.excluded]
    layers: list[Any] = [valid.mark_rect(color=color, xOffset=0.5, x2Offset=-0.5).encode(y=y, **encoded)]
    if above:
        outlined = alt.Chart(alt.InlineData(values=above)).mark_rect(filled=False, stroke=color)
        layers.append(outlined.encode(y=y, **encoded))
    words = alt.TitleParams(title, color="var(--muted)", fontSize=12, anchor="start", frame="group")
    return drawn([*layers, *_rules(rules)], said=AXIS, height=HEIGHT, title=words if title else alt.Undefined, above=36)


def _row(one: Bin, foot: int, top: int, kind: str) -> dict[str, object]:
    low, high = one.low / 1000, one.high / 1000
    said = f"{low:.1f} to {high:.1f} s: {top - foot:,} {kind}"
    return {"low": low, "high": high, "foot": foot, "top": top, "said": said}


def _rules(rules: Mapping[str, float]) -> list[Any]:
    """Dotted lines, with their words above the plot, each in a row of its own."""
    layers: list[Any] = []
    for row, (words, seconds) in enumerate(rules.items()):
        base = alt.Chart(alt.InlineData(values=[{"at": seconds, "said": words}]))
        at = alt.X("at:Q", title=AXIS)
        layers.append(base.mark_rule(color="var(--ink)", strokeDash=[2, 3]).encode(x=at, description=SAID))
        named = base.mark_text(
            align="left", baseline="bottom", color="var(--muted)", fontSize=11, aria=False, y=-3 - 14 * row
        )
        layers.append(named.encode(x=at, text="said:N"))
    return layers
