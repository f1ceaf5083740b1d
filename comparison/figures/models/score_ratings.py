"""How a run's scores lie beside people's mean ratings, or whatever else scores are compared with."""

from collections.abc import Iterator

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import Download, Row, estimated
from comparison.figures.findings import FINDINGS
from comparison.figures.table import DRAWN, Table
from comparison.frame.judging import PUBLISHED, rated_as
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.pictures.charts import COLORS, MODEL
from comparison.pictures.vega_lite import SAID, Spec, drawn, field, interval, layer
from comparison.statistics.estimate import plain
from comparison.statistics.strengths.binned import Scatter, scatter
from comparison.statistics.verdict.evidence import MAJORITY, REFERENCE
from corpus.errors import counted


def run_with_scores(chosen: Selected) -> str:
    """The run that is looked at if its scores can be compared, else the nearest model whose can; empty without one."""
    rated = {run.key for run in FINDINGS.read(chosen).runs if run.is_rated}
    models = [run.key for run in chosen.outline.runs if not run.is_baseline]
    nearest = [key for key in chosen.outline.nearest if key in models]
    return next((key for key in (chosen.selection.run, *nearest, *models) if key in rated), "")


def mean_words(chosen: Selected) -> str:
    """What is averaged over a part of the items: ratings, or how many people chose an option."""
    if chosen.strength_target == REFERENCE:
        return "mean reference"
    is_share = not chosen.study.task.scale.ordered and chosen.strength_target == MAJORITY
    return "mean share" if is_share else "mean rating"


def ends_of(panel: Panel, target: str) -> tuple[float, float]:
    """The least and the most that a rating can be; of published numbers, that there is. Never the same."""
    if target == PUBLISHED:
        finite = panel.published[np.isfinite(panel.published)]
        if not finite.size or finite.min() == finite.max():
            middle = float(finite[0]) if finite.size else 0.0
            return middle - 0.5, middle + 0.5
        return float(finite.min()), float(finite.max())
    return (1.0, float(len(panel.values))) if panel.ordered else (0.0, 1.0)


def _compute(chosen: Selected, key: str, target: str) -> Scatter | None:
    panel = chosen.panel
    run = panel.run(key)
    if run is None:
        return None
    ratings = rated_as(target, panel.counts, panel.truth, panel.published, ordered=panel.ordered)
    return scatter(run.strengths, ratings, ends=ends_of(panel, target), sample=panel.sample)


def _answer(chosen: Selected) -> str | None:
    scatter = SCORE_RATINGS.read(chosen)
    return None if scatter is None else f"ρ = {scatter.rho.short}"


def _tables(chosen: Selected) -> Iterator[Table]:
    scatter, run = SCORE_RATINGS.read(chosen), chosen.outline.run(run_with_scores(chosen))
    if scatter is None or run is None or not scatter.tenths:
        return
    yield Table(
        name="score-ratings",
        title=f"{mean_words(chosen)[0].upper()}{mean_words(chosen)[1:]} by score of {run.name}",
        columns=("Part of items, by score", "Mean score", mean_words(chosen).capitalize()),
        rows=tuple(
            (f"{place} of {len(scatter.tenths)}", plain(one.score, decimals=2), one.rating)
            for place, one in enumerate(scatter.tenths, 1)
        ),
        rests_on=f"Compared with {chosen.strength_compared}; n counts items",
        method=DRAWN,
    )


def _charts(chosen: Selected) -> dict[str, Chart]:
    scatter, run = SCORE_RATINGS.read(chosen), chosen.outline.run(run_with_scores(chosen))
    if scatter is None or run is None:
        return {}
    title = f"Score of {run.name}"
    spec = score_picture(scatter, score=title, rating=chosen.rated_words, title=synthetic(chosen.study.people))
    return Chart.of("score-ratings", spec, f"{title} and {chosen.rated_words}; means of parts with 95 % intervals.")


def score_picture(scatter: Scatter, *, score: str, rating: str, title: str = "") -> Spec:
    """Items as circles, the more the larger; over them, the mean rating of each part with its interval."""
    x, y = field("score:Q", title=score, scale={"zero": False}), field("rating:Q", title=rating)
    cells = [
        {"score": one.score, "rating": one.rating, "items": one.items, "said": counted(one.items, "item")}
        for one in scatter.cells
    ]
    parts = [
        {"score": one.score, "rating": one.rating.value, "low": one.rating.low, "high": one.rating.high,
         "said": str(one.rating)}
        for one in scatter.tenths
    ]  # fmt: skip
    size = field("items:Q", legend=None, scale={"range": [8, 220]})
    layers = [
        layer(cells, "circle", {"color": COLORS[MODEL], "opacity": 0.5}, x=x, y=y, size=size, description=SAID),
    ]
    if parts:
        # A layer without a mark is an image without a name.
        ink, sides = {"color": "var(--ink)"}, {"y": field("low:Q", title=rating), "y2": {"field": "high"}}
        layers += [
            interval(parts, ink | {"strokeWidth": 2}, x=x, **sides, description=SAID),
            layer(parts, "point", ink | {"filled": True, "size": 60, "opacity": 1}, x=x, y=y, description=SAID),
        ]
    return drawn(layers, description=f"{score} and {rating}", height=260, title=title)


def _lines(chosen: Selected) -> Iterator[Row]:
    scatter, run = SCORE_RATINGS.read(chosen), chosen.outline.run(run_with_scores(chosen))
    if scatter is None or run is None:
        return
    head = ["score and rating", run.name, run.family, chosen.strength_target]
    yield [*head, "spearman", *estimated(scatter.rho)]
    for place, one in enumerate(scatter.tenths, 1):
        yield [*head, f"mean_rating:{place}", *estimated(one.rating, how=f"mean score {one.score:.4g}")]


SCORE_RATINGS: Figure[Scatter | None] = Figure(
    key="score-ratings",
    part="models",
    title="Score vs. people",
    shape=TypeAdapter(Scatter | None),
    rests_on=lambda chosen: (run_with_scores(chosen), chosen.strength_target),
    compute=_compute,
    answer=_answer,
    tables=_tables,
    charts=_charts,
    lines=_lines,
    download=Download(
        says="a run’s scores and the responses of {many}, for tenths of the items by score",
        line="a statistic of one run; lines of the report",
    ),
)
