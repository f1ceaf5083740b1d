"""Whether runs that give probabilities are right as often as they say: the curve of each, and its error."""

from collections.abc import Iterator

from comparison.figures.figure import Chart, Figure, State
from comparison.figures.models.answers import named, spread
from comparison.figures.models.run_figures import RUN_FIGURES, CalibratedRun
from comparison.figures.table import DRAWN, Column, Number, Rater, Table
from comparison.frame.selected import Selected
from comparison.pictures.charts import COLORS, MODEL
from comparison.pictures.vega_lite import SAID, Spec, drawn, field, interval, layer
from comparison.statistics.estimate import plain

SURE, RIGHT = "Probability of the most probable label", "Share correct"


def calibration_curve(run: CalibratedRun, *, title: str = "") -> Spec | None:
    """Bins with 95 % intervals and the diagonal; None without bins. `title` says whose labels these are."""
    if not run.found.bins:
        return None
    rows = [
        {
            "sure": one.confidence,
            "right": one.accuracy.value,
            "low": one.accuracy.low,
            "high": one.accuracy.high,
            "said": f"probability {plain(one.low, decimals=2)} to {plain(one.high, decimals=2)}: {one.accuracy}",
        }
        for one in run.found.bins
    ]
    whole = {"domain": [0, 1], "nice": False}
    x, y = field("sure:Q", title=SURE, scale=whole), field("right:Q", title=RIGHT, scale=whole)
    even = [{"sure": 0, "right": 0}, {"sure": 1, "right": 1}]
    color, line = {"color": COLORS[MODEL]}, {"strokeWidth": 1.5, "aria": False}
    sides = {"y": field("low:Q", title=RIGHT, scale=whole), "y2": {"field": "high"}}
    layers = [
        layer(even, "line", {"color": "var(--muted)", "strokeDash": [4, 3], **line}, x=x, y=field("right:Q")),
        interval(rows, color | {"strokeWidth": 2}, x=x, **sides, description=SAID),
        layer(rows, "line", color | line, x=x, y=y),
        layer(rows, "point", color | {"filled": True, "size": 70, "opacity": 1}, x=x, y=y, description=SAID),
    ]
    whose = f"{run.name}; {title}" if title else run.name
    return drawn(layers, description=f"{RIGHT} of {run.name}, by its probability", height=240, title=whose)


def _off(runs: tuple[CalibratedRun, ...]) -> tuple[list[str], list[str]]:
    """The short names of those that are shown to be surer than right, and of those less sure."""
    leads = [(run.short, run.found.lead) for run in runs]
    over = [name for name, lead in leads if lead.low is not None and lead.low > 0]
    return over, [name for name, lead in leads if lead.high is not None and lead.high < 0]


def _answer(chosen: Selected) -> str | None:
    runs = CALIBRATION.read(chosen)
    if not runs:
        return None
    over, under = _off(runs)
    parts = [
        f"{named(names)} {verb} {how}"
        for names, how in ((over, "overconfident"), (under, "underconfident"))
        for verb in ("is" if len(names) == 1 else "are",)
        if names
    ]
    error = f"Expected calibration error {spread(run.found.ece for run in runs)}."
    return f"{'; '.join(parts)}. {error}" if parts else error


def _state(chosen: Selected) -> State | None:
    runs = CALIBRATION.read(chosen)
    over, under = _off(runs)
    if all(run.found.lead.value is None for run in runs):
        return State("open", "Undefined")
    if not (over or under):
        return State("open", "Not shown")
    if len(runs) == 1:
        return State("warn", "Overconfident" if over else "Underconfident")
    return State("warn", f"{len(over) + len(under):,} of {len(runs):,}")


def _tables(chosen: Selected) -> Iterator[Table]:
    runs = CALIBRATION.read(chosen)
    if runs:
        yield Table(
            name="calibration",
            title=f"Calibration of runs that give probabilities, against {chosen.target_words}",
            columns=(
                "Run",
                Column("Probabilities", is_text=True),
                Column("Expected calibration error", "ece"),
                "ECE by chance",
                Column("Overconfident by", "too_sure"),
            ),
            rows=tuple(
                (
                    Rater(name=run.name, family=run.family),
                    run.how,
                    run.found.ece,
                    Number(run.found.by_chance, run.found.chance_words),
                    run.found.lead,
                )
                for run in runs
            ),
            rests_on="Ten bins with equal numbers of items; n counts items with a label to compare with",
            method=DRAWN,
        )


def _charts(chosen: Selected) -> dict[str, Chart]:
    people = chosen.study.people
    title = f"labels of {people.many}" if people.are_synthetic else ""
    charts: dict[str, Chart] = {}
    for run in CALIBRATION.read(chosen):
        charts |= Chart.of(run.chart, calibration_curve(run, title=title), run.caption)
    return charts


# Its rows in files are those of RUN_FIGURES, which it is read from.
CALIBRATION: Figure[tuple[CalibratedRun, ...]] = Figure(
    key="calibration",
    part="models",
    title="Calibration",
    shape=None,
    compute=lambda chosen: RUN_FIGURES.read(chosen).calibrated,
    answer=_answer,
    state=_state,
    tables=_tables,
    charts=_charts,
)
