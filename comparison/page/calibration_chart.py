"""The calibration curve of one run as a Vega-Lite specification: how often it is right, by how sure it is."""

import altair as alt

from comparison.page.charts import COLORS, MODEL, Spec, look
from comparison.page.run_figures import CalibratedRun

SURE, RIGHT = "Probability of the label that it holds most probable", "Share right"


def calibration_curve(run: CalibratedRun, *, title: str = "") -> Spec | None:
    """Bins with 95 % intervals, and the line on which a run is as often right as it is sure; None without bins."""
    if not run.found.bins:
        return None
    rows = [
        {
            "sure": one.confidence,
            "right": one.accuracy.value,
            "low": one.accuracy.low,
            "high": one.accuracy.high,
            "text": str(one.accuracy),
            "bin": f"{one.low:.2f} to {one.high:.2f}",
        }
        for one in run.found.bins
    ]
    whole = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("sure:Q", title=SURE, scale=whole)
    tooltip = [alt.Tooltip("bin:N", title="Probability"), alt.Tooltip("text:N", title=RIGHT)]
    base = alt.Chart(alt.InlineData(values=rows))
    even = alt.Chart(alt.InlineData(values=[{"sure": 0, "right": 0}, {"sure": 1, "right": 1}]))
    layers = [
        even.mark_line(color="var(--muted)", strokeDash=[4, 3], strokeWidth=1.5).encode(x=x, y="right:Q"),
        base.transform_filter("isValid(datum.low)")
        .mark_rule(color=COLORS[MODEL], strokeWidth=2)
        .encode(x=x, y=alt.Y("low:Q", title=RIGHT, scale=whole), y2="high:Q", tooltip=tooltip),
        base.mark_line(color=COLORS[MODEL], strokeWidth=1.5).encode(x=x, y=alt.Y("right:Q", title=RIGHT, scale=whole)),
        base.mark_point(color=COLORS[MODEL], filled=True, size=70, opacity=1).encode(
            x=x, y=alt.Y("right:Q", title=RIGHT, scale=whole), tooltip=tooltip
        ),
    ]
    said = f"{run.name}; {title}" if title else run.name
    head = alt.TitleParams(said, color="var(--muted)", fontSize=12, anchor="start", limit=alt.expr("width"))
    chart = alt.layer(*layers).properties(width="container", height=240, title=head)
    spec: Spec = chart.configure(**look()).to_dict()
    return spec
