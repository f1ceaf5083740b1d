"""The calibration curve of runs as Vega-Lite specifications: how often it is right, by how sure it is."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from annotation.models.population import Words
from comparison.page.charts import COLORS, MODEL, Spec, look
from comparison.page.run_figures import CalibratedRun

SURE, RIGHT = "Probability of the label that it holds most probable", "Share right"


@dataclass(frozen=True, slots=True)
class Curve:
    """One run's calibration; `spec` is None where there is nothing to draw."""

    run: CalibratedRun
    spec: Spec | None

    @property
    def chart(self) -> str:
        """What the figure is called on the page and in a download's name."""
        return f"calibration-{self.run.key}"

    @property
    def spec_id(self) -> str:
        return f"{self.chart}-spec"

    @property
    def caption(self) -> str:
        return (
            f"How often {self.run.name} is right, by how sure it is: ten bins of as many items each, with 95 % "
            "intervals (Wilson). On the dashed line it is right as often as it says."
        )


def calibration_curves(runs: Iterable[CalibratedRun], *, people: Words) -> tuple[Curve, ...]:
    mark = f"labels of {people.many}" if people.are_synthetic else ""
    return tuple(Curve(run, calibration_curve(run, title=mark)) for run in runs)


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
