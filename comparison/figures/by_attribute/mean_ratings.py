"""The mean rating for each value of an attribute, and how far runs' scores follow ratings within it.

It takes the place of accuracy where runs are compared with mean ratings, of which no single answer is right.
"""

from collections.abc import Iterator, Sequence

from pydantic import TypeAdapter

from comparison.figures.by_attribute.attribute import DRAWN_VALUES, SHOWN_VALUES, ByAttribute, columns
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.models.score_ratings import ends_of, mean_words
from comparison.figures.table import DRAWN, LINEARIZED, TWO_WAY, WILSON, Column, Number, Rater, Table
from comparison.frame.filters.columns import TakenColumn
from comparison.frame.judging import rated_as
from comparison.frame.panel import NamedRun, Panel
from comparison.frame.selected import Selected
from comparison.pictures.charts import BASELINE, MODEL, Dot, dot_plot
from comparison.statistics.by_attribute.mean_ratings import (
    ITEMS_ALONE,
    NO_P,
    Gap,
    RatedValue,
    RatedValues,
    Ratings,
    SameRho,
    mean_ratings,
)
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import LEVEL, p_in_words
from comparison.statistics.strengths.correlation import points_of, run_score
from comparison.statistics.verdict.evidence import MAJORITY
from corpus.errors import counted

# As many values as a table of runs has columns for.
ACROSS = 6
NAMED = 4


def ratings_of(panel: Panel, target: str) -> Ratings:
    """People's ratings, or what else scores are compared with."""
    is_people = target == MAJORITY
    return Ratings(
        scores=rated_as(target, panel.counts, panel.truth, panel.published, ordered=panel.ordered),
        runs={run.key: run_score(run.decided, run.strengths) for run in panel.runs},
        ends=ends_of(panel, target),
        points=points_of(len(panel.values), ordered=panel.ordered),
        counts=panel.counts if is_people else None,
        voices=panel.voices if is_people else None,
        sample=panel.sample,
    )


def by_value(panel: Panel, column: TakenColumn, target: str, *, most: int | None = None) -> RatedValues:
    models = [run.key for run in panel.runs if not run.is_baseline]
    return mean_ratings(column.of(panel), ratings_of(panel, target), tested=models, order=column.order, most=most)


def _compute(chosen: Selected, taking: tuple[object, ...], target: str) -> RatedValues | None:
    if not target or not chosen.selection.by:
        return None
    return by_value(chosen.panel, chosen.selection.taken(chosen.whole), target, most=SHOWN_VALUES)


def _rests_on(chosen: Selected) -> tuple[object, ...]:
    return chosen.selection.taking, chosen.strength_target if chosen.is_averaged else ""


# --- In words ---------------------------------------------------------------------------------------


def _answer(chosen: Selected) -> str | None:
    rated = MEAN_RATINGS.read(chosen)
    return None if rated is None or not rated.gaps else rated_apart(rated.gaps, mean=mean_words(chosen))


def rated_apart(gaps: Sequence[Gap], *, mean: str) -> str:
    """Whether means (`mean` is what they are called) differ between values, in a sentence."""
    tested = [one for one in gaps if one.held is not None]
    if not tested:
        return f"Not testable: {gaps[0].found.no_interval}."
    apart = [one for one in tested if (one.held or 0.0) <= LEVEL]
    if len(gaps) > 1:
        of = f"{counted(len(tested), 'pair')} of values (Holm)"
        return f"Yes: {mean}s differ in {len(apart)} of {of}." if apart else f"No difference is shown in any of {of}."
    [one] = tested
    above = (one.found.value or 0.0) > 0
    first, second = (one.value, one.other) if above else (one.other, one.value)
    by = turned(one.found) if not above else one.found
    return f"{'Yes' if apart else 'No difference is shown'}: “{first}” is {by.short} points above “{second}”."


def turned(gap: Estimate) -> Estimate:
    """The difference taken the other way round."""
    if gap.value is None or gap.low is None or gap.high is None:
        return gap
    return Estimate(-gap.value, -gap.high, -gap.low, n=gap.n, note=gap.note, unit=gap.unit)


def followed_apart(tests: Sequence[SameRho], runs: dict[str, NamedRun]) -> str:
    """Whether models follow ratings better within one value than within another, in a sentence; empty without any."""
    tested = [one for one in tests if one.held is not None]
    if not tested:
        return f"ρ is not tested: {tests[0].undefined}." if tests else ""
    apart = [runs[one.run].short for one in tested if (one.held or 0.0) <= LEVEL]
    if not apart:
        return "No model’s ρ is shown to differ."
    if len(apart) > NAMED:
        return f"ρ differs for {len(apart)} of {counted(len(tested), 'model')} (Holm)."
    return f"ρ differs for {', '.join(apart)} (Holm, {counted(len(tested), 'model')})."


def ordered_alike(rated: RatedValues, run: NamedRun | None) -> str:
    """In how many item sets the run orders the two values as ratings do; empty where there are no sets."""
    one = next((one for one in rated.sets if run is not None and one.run == run.key), None)
    if one is None or run is None or one.found.value is None:
        return ""
    sets, first, other = one.found, rated.gaps[0].value, rated.gaps[0].other
    alike = f"{round((sets.value or 0.0) * sets.n):,} of {counted(sets.n, 'item set')} ({sets.short})"
    return f"{run.short} orders “{first}” and “{other}” as ratings do in {alike}."


# --- Tables and pictures ----------------------------------------------------------------------------


def _tables(chosen: Selected) -> Iterator[Table]:
    rated, by = MEAN_RATINGS.read(chosen), ByAttribute(chosen)
    if rated is None or not rated.values:
        return
    every = by.left_out(len(rated.values))
    mean, runs = mean_words(chosen).capitalize(), {run.key: run for run in chosen.outline.runs}
    is_people = chosen.strength_target == MAJORITY
    halves = (Column("Split halves, ρ", term="split_half"),) if is_people else ()
    yield Table(
        name="mean-ratings",
        title=f"{mean} by {by.name}",
        columns=(by.name, "Items", *(("Ratings",) if is_people else ()), Column(mean, term="mean_ratings"), *halves),
        rows=tuple(_row(one, is_people=is_people) for one in rated.values),
        rests_on=f"Items weigh alike; compared with {chosen.rated_words}{f'. {every}' if every else ''}",
        method=f"Brackets are 95 % intervals, of means {_over(rated)}" if is_people else DRAWN,
    )
    first = rated.values[:ACROSS]
    if runs:
        more = f"The first {ACROSS} values; all are in the download. " if len(rated.values) > ACROSS else ""
        yield Table(
            name="rho-by-value",
            title=f"Spearman’s ρ with {chosen.rated_words} by {by.name}",
            columns=("Run", *(one.value for one in first)),
            rows=tuple((_rater(run), *(one.runs[key] for one in first)) for key, run in runs.items()),
            rests_on=f"{more}n of each value, in column order",
            method="Brackets are 95 % intervals (Bonett and Wright)",
        )
    yield from _tests(chosen, rated, runs)


def _over(rated: RatedValues) -> str:
    """What differences, and means of people's ratings, vary over: a single annotator says nothing of others."""
    has_people = any(one.ratings and one.mean.note != ITEMS_ALONE for one in rated.values)
    return TWO_WAY if has_people else LINEARIZED


def _row(one: RatedValue, *, is_people: bool) -> tuple[str | int | Estimate, ...]:
    people = (one.ratings, one.mean, one.halves) if is_people else (one.mean,)
    return one.value, one.items, *people


def _rater(run: NamedRun) -> Rater:
    return Rater(name=run.name, title=run.title, is_baseline=run.is_baseline)


def _tests(chosen: Selected, rated: RatedValues, runs: dict[str, NamedRun]) -> Iterator[Table]:
    """Of every two values' means, and of each model's ρ over all values."""
    by, tested = ByAttribute(chosen), [one for one in rated.same_rho if one.p is not None]
    if rated.gaps:
        yield Table(
            name="rating-differences",
            title=f"Differences of {mean_words(chosen)}s by {by.name}",
            columns=("First less second", "Difference", "p", f"p for {counted(len(rated.gaps), 'pair')} (Holm)"),
            rows=tuple((f"{one.value} − {one.other}", one.found, _p(one.p), _p(one.held)) for one in rated.gaps),
            rests_on="n of both values; p by Student’s t",
            method=f"Brackets are 95 % intervals {_over(rated)}",
        )
    if rated.sets:
        yield Table(
            name="item-sets",
            title=f"Item sets ordered as by ratings, by {by.name}",
            columns=("Run", Column("Share of item sets", term="item_sets")),
            rows=tuple((_rater(runs[one.run]), one.found) for one in rated.sets),
            rests_on="n counts item sets in which both ratings and scores differ",
            method=WILSON,
        )
    if tested:
        yield Table(
            name="rho-between-values",
            title=f"Whether ρ differs by {by.name}",
            columns=("Run", Column("Test", is_text=True), "p", f"p for {counted(len(tested), 'run')} (Holm)"),
            rows=tuple(
                (_rater(runs[one.run]), f"χ²({len(one.values) - 1}) = {one.statistic:.2f}", _p(one.p), _p(one.held))
                for one in tested
            ),
            rests_on="Fisher’s z of every value with 10 items or more",
            method="χ² and p have no intervals",
        )


def _p(value: float | None) -> Number:
    return Number(value, NO_P if value is None else p_in_words(value))


def _charts(chosen: Selected) -> dict[str, Chart]:
    """Means of the most frequent values, and ρ within them of the run that is looked at."""
    rated, people = MEAN_RATINGS.read(chosen), chosen.study.people
    if rated is None or not rated.values:
        return {}
    drawn, mean, by = rated.values[:DRAWN_VALUES], mean_words(chosen), chosen.selection.by
    more = f" The first {DRAWN_VALUES} values." if len(rated.values) > DRAWN_VALUES else ""
    means = dot_plot(
        [Dot.of(f"{one.value} ({one.items:,})", chosen.rated_words, people.many, one.mean) for one in drawn],
        axis=mean.capitalize(),
        band=None,
        domain=rated.ends,
        title=synthetic(people),
    )
    charts = Chart.of(
        "mean-ratings", means, f"{mean.capitalize()} by {by}, with 95 % intervals; items in parentheses.{more}"
    )
    run = _looked_at(chosen)
    if run is None:
        return charts
    kind = BASELINE if run.is_baseline else MODEL
    rhos = dot_plot(
        [Dot.of(f"{one.value} ({one.items:,})", run.title, kind, one.runs[run.key]) for one in drawn],
        axis=f"Spearman’s ρ with {chosen.rated_words}",
        band=None,
        domain=(-1, 1),
        title=synthetic(people),
    )
    return charts | Chart.of("rho-by-value", rhos, f"ρ of {run.title} by {by}, with 95 % intervals.{more}")


def _looked_at(chosen: Selected) -> NamedRun | None:
    return chosen.outline.run(chosen.selection.run) or next(iter(chosen.outline.runs), None)


def _lines(chosen: Selected) -> Iterator[Row]:
    """Of the attribute that is named, or of all; every value, however rare, and every run."""
    panel, target = chosen.panel, chosen.strength_target
    rater = chosen.study.people.many if target == MAJORITY else chosen.rated_words
    statistic = mean_words(chosen).replace(" ", "_")
    runs = {run.key: run for run in panel.runs if chosen.asked.run in ("", run.key)}
    for name, column in columns(chosen, chosen.selection, chosen.outline.names):
        rated = by_value(panel, column, target)
        for one in rated.values:
            head = [name, one.value, "", one.items, one.ratings]
            yield [*head, rater, target, statistic, *estimated(one.mean), None, None]
            yield [*head, rater, target, "split_half", *estimated(one.halves), None, None]
            for key, run in runs.items():
                yield [*head, run.name, target, "spearman", *estimated(one.runs[key]), None, None]
        for gap in rated.gaps:
            cells = [*estimated(gap.found), gap.p, gap.held]
            yield [name, gap.value, gap.other, None, None, rater, target, "difference", *cells]
        for one_set in rated.sets:
            if one_set.run in runs:
                first, other = rated.gaps[0].value, rated.gaps[0].other
                cells = [*estimated(one_set.found), None, None]
                yield [name, first, other, None, None, runs[one_set.run].name, target, "same_order", *cells]
        for same in rated.same_rho:
            if same.run in runs:
                cells = [same.statistic if same.p is not None else None, None, None, len(same.values), "values", None]
                test = [*cells, same.undefined, "", same.p, same.held]
                yield [name, " | ".join(same.values), "", None, None, runs[same.run].name, target, "chi_squared", *test]


MEAN_RATINGS: Figure[RatedValues | None] = Figure(
    key="mean-ratings",
    part="breakdown",
    title="Mean ratings",
    shape=TypeAdapter(RatedValues | None),
    rests_on=_rests_on,
    compute=_compute,
    answer=_answer,
    tables=_tables,
    charts=_charts,
    download=Download(
        says="mean rating for each value of an attribute, and how far scores follow ratings there",
        line="a mean, a correlation or a test for one value of an attribute, two of them or all",
        columns=(
            *("attribute", "value", "other", "items", "ratings", "rater", "against", "statistic", "estimate"),
            *(*CELLS[1:], "p", "p_holm"),
        ),
        lines=_lines,
    ),
)
