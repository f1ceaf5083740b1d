"""The picture of power by items and labels, for files."""

from collections.abc import Sequence

import altair as alt

from comparison.pictures.charts import SAID, Spec, drawn
from comparison.statistics.estimate import plain

HEIGHT = 260


def power_chart(found: Sequence[tuple[int, int, float | None, float | None]], *, is_apart: bool) -> Spec:
    """Of items, labels, the power to beat chance and that to separate two models: a line for each number of labels."""
    rows = [
        {"items": items, "labels": f"{labels} labels per item", "power": one,
         "said": f"{items:,} items × {labels}: power {plain(one, decimals=2)}"}
        for items, labels, above, apart in found
        if (one := apart if is_apart else above) is not None
    ]  # fmt: skip
    base = alt.Chart(alt.InlineData(values=rows))
    ticks = alt.Axis(values=sorted({float(one[0]) for one in found}), format=",", grid=False)
    x = alt.X("items:Q", scale=alt.Scale(type="log"), title="Items", axis=ticks)
    y = alt.Y("power:Q", scale=alt.Scale(domain=[0, 1]), title="Power")
    dash = alt.StrokeDash("labels:N", sort=None, legend=alt.Legend(orient="top", title=None, symbolType="stroke"))
    lines = base.mark_line(color="var(--people)", strokeWidth=2).encode(x=x, y=y, strokeDash=dash)
    dots = base.mark_point(color="var(--people)", filled=True, size=30).encode(x=x, y=y, description=SAID)
    return drawn([lines, dots], said="Power by items and labels", height=HEIGHT)
