"""How often runs are right beside a number of the items: by item, and by what shares a number, such as an adverb."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.by_attribute.attribute import ByAttribute
from comparison.figures.by_attribute.numbers_chart import Point, number_chart
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.table import DRAWN, Column, Rater, Table
from comparison.frame.filters.columns import numbers
from comparison.frame.judging import PUBLISHED, rated_as
from comparison.frame.panel import Panel, RunColumn, Texts
from comparison.frame.selected import Selected
from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.counts import MISSING, Floats, values_of
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample, together
from comparison.statistics.strengths.correlation import FEWEST, kendall, pairs, pearson, spearman
from comparison.statistics.verdict.evidence import MAJORITY, REFERENCE

RIGHT, STRENGTH, ACCURACY = "right", "strength", "accuracy"
# What stands in place of right answers where runs are compared with it.
RATED = {MAJORITY: "mean rating", PUBLISHED: "published rating", REFERENCE: "reference"}
MOST_POINTS = 200


@dataclass(frozen=True, slots=True)
class Correlated:
    """`what` of one run against the number: `right` or `strength` by items, `accuracy` by units; what runs are compared
    with (RATED) has no run.
    """

    run: str
    name: str
    what: str
    spearman: Estimate
    pearson: Estimate
    kendall: Estimate


@dataclass(frozen=True, slots=True)
class WithNumber:
    """`unit` names the attribute whose values share the number; empty where numbers themselves do."""

    unit: str
    rows: tuple[Correlated, ...]
    points: tuple[Point, ...]


def with_number(panel: Panel, name: str, *, target: str, run: str, unit: str, rated: str = MAJORITY) -> WithNumber:
    """Of every run with decisions or strengths; points are of `run`. An empty `unit` is found (`sharing`).

    Without a `target` no answer is right or wrong: of ratings, what scores are compared with (`rated`) and scores.
    """
    unit = unit or sharing(panel, name)
    column, sample = numbers(panel, name), _drawn(panel, name, unit)
    if not target:
        return WithNumber(unit, tuple(_of_ratings(panel, column, rated, sample)), ())
    truth = panel.true(target)
    units, values = values_of(panel.attributes[unit] if unit else _texts(column))
    has_number = np.isfinite(column)
    masks = [(value, (units == value) & has_number) for value in values]
    of_units = [(value, mask) for value, mask in masks if mask.any()]
    means = np.array([column[mask].mean() for _, mask in of_units])
    rows: list[Correlated] = []
    for one in panel.runs:
        rows += _of_items(one, column, truth, sample)
        if (one.decided != MISSING).any():
            shares = [accuracy(one.decided[mask], truth[mask]).accuracy.value for _, mask in of_units]
            accuracies = np.array([np.nan if share is None else share for share in shares])
            rows.append(
                _correlated(one.key, one.title, ACCURACY, means, accuracies, ITEMS, unit=f"values of {unit or name}")
            )
    run_column = panel.run(run)
    points = [] if run_column is None else list(_points(run_column, of_units, means, panel, target))
    return WithNumber(unit, tuple(rows), tuple(points[:MOST_POINTS]))


def sharing(panel: Panel, name: str) -> str:
    """The attribute of most values that each have one number only, as adverbs have an intensity; empty where none."""
    column = panel.attributes[name]
    best, most = "", FEWEST - 1
    for other, texts in panel.attributes.items():
        values = 0 if other == name else _sharers(texts, column)
        if most < values <= len(column) / 2:
            best, most = other, values
    return best


def _sharers(texts: Texts, column: Texts) -> int:
    """How many values an attribute has, if each has one number only; 0 where one has several."""
    distinct = {(text, number) for text, number in zip(texts, column, strict=True) if text and number}
    values = {text for text, _ in distinct}
    return len(values) if len(distinct) == len(values) else 0


def _drawn(panel: Panel, name: str, unit: str) -> Sample:
    """Items whose number is that of their unit are drawn with it: an adverb's items are one look at its intensity."""
    if not unit or not _sharers(panel.attributes[unit], panel.attributes[name]):
        return panel.sample
    return together(panel.sample, panel.attributes[unit].tolist())


def _texts(column: Floats) -> list[str]:
    return ["" if np.isnan(number) else f"{number:.4g}" for number in column.tolist()]


def _of_ratings(panel: Panel, column: Floats, rated: str, sample: Sample) -> Iterator[Correlated]:
    ratings = rated_as(rated, panel.counts, panel.truth, panel.published, ordered=panel.ordered)
    if np.isfinite(ratings).any():
        yield _correlated("", RATED[rated], RATED[rated].replace(" ", "_"), column, ratings, sample)
    for one in panel.runs:
        if np.isfinite(one.strengths).any():
            yield _correlated(one.key, one.title, STRENGTH, column, one.strengths, sample)


def _of_items(
    one: RunColumn, column: Floats, truth: "np.ndarray[tuple[int], np.dtype[np.int64]]", sample: Sample
) -> Iterator[Correlated]:
    decided = (one.decided != MISSING) & (truth != MISSING)
    if decided.any():
        right = np.where(decided, (one.decided == truth).astype(np.float64), np.nan)
        yield _correlated(one.key, one.title, RIGHT, column, right, sample)
    if np.isfinite(one.strengths).any():
        yield _correlated(one.key, one.title, STRENGTH, column, one.strengths, sample)


def _correlated(
    key: str, title: str, what: str, column: Floats, other: Floats, sample: Sample, *, unit: str = "items"
) -> Correlated:
    both = pairs(column, other, first="the number", second=_called(what))
    ranks = spearman(column, other, sample=sample)
    if both.undefined:
        ranks = Estimate.none(both.undefined, n=both.n)
    estimates = (ranks, pearson(both, sample=sample), kendall(both, sample=sample))
    return Correlated(key, title, what, *(replace(estimate, unit=unit) for estimate in estimates))


def _called(what: str) -> str:
    called = {RIGHT: "whether the run is right", ACCURACY: "the run’s accuracy", STRENGTH: "the run’s score"}
    return called.get(what, f"the {what.replace('_', ' ')}")


def _points(
    run: RunColumn,
    of_units: "list[tuple[str, np.ndarray[tuple[int], np.dtype[np.bool_]]]]",
    means: Floats,
    panel: Panel,
    target: str,
) -> Iterator[Point]:
    truth = panel.true(target)
    for (value, mask), mean in zip(of_units, means.tolist(), strict=True):
        hits = accuracy(run.decided[mask], truth[mask], sample=panel.sample.where(mask))
        if hits.compared:
            yield Point(value, float(mean), hits)


# --- The figure -------------------------------------------------------------------------------------


def _compute(chosen: Selected, name: str, against: str, run: str, unit: str, rated: str) -> WithNumber | None:
    """None of an attribute that is no number, or where there is no run."""
    if name not in chosen.outline.numeric or not chosen.outline.runs:
        return None
    return with_number(chosen.panel, name, target=against, run=run, unit=unit, rated=rated)


def _rests_on(chosen: Selected) -> tuple[object, ...]:
    by = ByAttribute(chosen)
    return chosen.selection.by, by.against, by.run_key, chosen.selection.unit, chosen.strength_target or MAJORITY


def _answer(chosen: Selected) -> str | None:
    """The run that is looked at, by units."""
    correlations, run = NUMBERS.read(chosen), ByAttribute(chosen).run_key
    if correlations is None:
        return None
    of_run = [one for one in correlations.rows if not one.run or (one.run == run and one.what == ACCURACY)]
    return "; ".join(f"{one.name}: ρ {one.spearman.short}, n = {one.spearman.n} {one.spearman.unit}" for one in of_run)


def _tables(chosen: Selected) -> Iterator[Table]:
    correlations, name = NUMBERS.read(chosen), chosen.selection.by
    if correlations is None or not correlations.rows:
        return
    what = {
        ACCURACY: f"accuracy by {correlations.unit or name}",
        RIGHT: "right answers, item by item",
        STRENGTH: "scores, item by item",
    }
    kind = "people" if chosen.strength_target == MAJORITY else "reference"
    yield Table(
        name="numbers",
        title=f"Correlations of every run with {name}",
        columns=(
            "Run",
            Column(f"Correlated with {name}", is_text=True),
            Column("Spearman’s ρ", term="spearman"),
            Column("Pearson’s r", term="pearson"),
            Column("Kendall’s τ-b", term="kendall"),
        ),
        rows=tuple(
            (
                Rater(name=one.name, kind="models" if one.run else kind),
                what.get(one.what, f"{one.name}s, item by item"),
                one.spearman,
                one.pearson,
                one.kendall,
            )
            for one in correlations.rows
        ),
        rests_on="n of each value",
        method=DRAWN,
    )


def _charts(chosen: Selected) -> dict[str, Chart]:
    correlations = NUMBERS.read(chosen)
    if correlations is None:
        return {}
    run, name = ByAttribute(chosen).run, chosen.selection.by
    drawn = number_chart(correlations.points, name, title=synthetic(chosen.study.people))
    of = f"{run.title if run else ''}: each point is the items with one {correlations.unit or name}"
    return Chart.of("number", drawn, f"{of}; 95 % intervals (Wilson).")


def _lines(chosen: Selected) -> Iterator[Row]:
    """Correlations of every run with each number, or with the one that is named, and the points of every run."""
    request, against, rated = chosen.asked, ByAttribute(chosen).against, chosen.strength_target or MAJORITY
    for name in [one for one in chosen.outline.numeric if request.by in ("", one)]:
        for run in chosen.outline.runs:
            if request.run not in ("", run.key):
                continue
            correlations = with_number(chosen.panel, name, target=against, run=run.key, unit=request.unit, rated=rated)
            first = run is chosen.outline.runs[0]
            for one in (one for one in correlations.rows if one.run == run.key or (first and not one.run)):
                line: Row = [name, correlations.unit, one.name, against or chosen.strength_target, one.what, "", None]
                yield [*line, "spearman", *estimated(one.spearman)]
                yield [*line, "pearson", *estimated(one.pearson)]
                yield [*line, "kendall", *estimated(one.kendall)]
            for point in correlations.points:
                line = [name, correlations.unit, run.title, against, "point", point.value, point.number]
                yield [*line, "accuracy", *estimated(point.hits.accuracy, point.hits.correct)]


NUMBERS = Figure(
    key="numbers",
    part="breakdown",
    title="Numbers",
    shape=TypeAdapter(WithNumber | None),
    rests_on=_rests_on,
    compute=_compute,
    answer=_answer,
    tables=_tables,
    charts=_charts,
    download=Download(
        says="how accuracy changes with numeric attributes",
        line="a correlation of a run with a numeric attribute, or the accuracy of one unit (`what`: point)",
        columns=("attribute", "unit", "run", "against", "what", "point", "number", "statistic", *CELLS),
        lines=_lines,
    ),
)
