"""The calibration curve of runs as Vega-Lite specifications: how often it is right, by how sure it is."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from annotation.models.population import Words
from comparison.page.models_part.run_figures import CalibratedRun
from comparison.pictures.charts import COLORS, MODEL, SAID, WIDER, Spec, drawn
from comparison.statistics.estimate import plain

SURE, RIGHT = "Probability of the label that it holds most probable", "Share right"


@dataclass(frozen=True, slots=True)
class Curve:
    """One run's calibration; `title` says of whom the labels are, where a figure must."""

    run: CalibratedRun
    title: str

    @property
    def spec(self) -> Spec | None:
        """None where there is nothing to draw."""
        return calibration_curve(self.run, title=self.title)

    @property
    def chart(self) -> str:
        """What the figure is called on the page and in a download's name."""
        return f"calibration-{self.run.key}"

    @property
    def caption(self) -> str:
        return (
            f"How often {self.run.name} is right, by how sure it is: ten bins of as many items each, with 95 % "
            "intervals (Wilson). On the dashed line it is right as often as it says."
        )


def calibration_curves(runs: Iterable[CalibratedRun], *, people: Words) -> tuple[Curve, ...]:
    mark = f"labels of {people.many}" if people.are_synthetic else ""
    return tuple(Curve(run, mark) for run in runs)


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
            "said": f"sure {plain(one.low, decimals=2)} to {plain(one.high, decimals=2)}: right {one.accuracy}",
        }
        for one in run.found.bins
    ]
    whole = alt.Scale(domain=[0, 1], nice=False)
    x, y = alt.X("sure:Q", title=SURE, scale=whole), alt.Y("right:Q", title=RIGHT, scale=whole)
    base = alt.Chart(alt.InlineData(values=rows))
    even = alt.Chart(alt.InlineData(values=[{"sure": 0, "right": 0}, {"sure": 1, "right": 1}]))
    layers = [
        even.mark_line(color="var(--muted)", strokeDash=[4, 3], strokeWidth=1.5, aria=False).encode(x=x, y="right:Q"),
        base.transform_filter("isValid(datum.low)")
        .mark_rule(color=COLORS[MODEL], strokeWidth=2)
        .encode(x=x, y=alt.Y("low:Q", title=RIGHT, scale=whole), y2="high:Q", description=SAID),
        base.mark_line(color=COLORS[MODEL], strokeWidth=1.5, aria=False).encode(x=x, y=y),
        base.mark_point(color=COLORS[MODEL], filled=True, size=70, opacity=1).encode(x=x, y=y, description=SAID),
    ]
    said = f"{run.name}; {title}" if title else run.name
    head = alt.TitleParams(said, color="var(--muted)", fontSize=12, anchor="start", limit=alt.expr(f"width * {WIDER}"))
    return drawn(layers, said=f"{RIGHT} of {run.name}, by how sure it is", height=240, title=head)
