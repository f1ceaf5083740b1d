"""How often runs are right beside a number of the items: by item, and by what shares a number, such as an adverb."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt
import numpy as np

from comparison.frame.filters.columns import numbers
from comparison.frame.panel import Panel, RunColumn
from comparison.page.charts import COLORS, HALO, MODEL, SAID, Spec, drawn
from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.counts import MISSING, Floats
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.strengths.correlation import spearman
from comparison.statistics.strengths.kendall import kendall
from comparison.statistics.strengths.pairs import FEWEST, pairs
from comparison.statistics.strengths.pearson import pearson
from comparison.statistics.values import values_of

RIGHT, STRENGTH, ACCURACY = "right", "strength", "accuracy"
# Of more units a picture is a cloud without names.
NAMED = 30
MOST_POINTS = 200
HEIGHT = 300
# So near, as shares of the picture's sides, that one name would stand on the other.
NEAR_X, NEAR_Y = 0.03, 0.05


@dataclass(frozen=True, slots=True)
class Correlated:
    """`what` of one run against the number: `right` or `strength` by items, `accuracy` by units."""

    run: str
    name: str
    what: str
    spearman: Estimate
    pearson: Estimate
    kendall: Estimate


@dataclass(frozen=True, slots=True)
class Point:
    """The items of one unit: their mean number, and how often the run that is looked at is right."""

    value: str
    number: float
    hits: Hits


@dataclass(frozen=True, slots=True)
class WithNumber:
    """`unit` names the attribute whose values share the number; empty where numbers themselves do."""

    unit: str
    rows: tuple[Correlated, ...]
    points: tuple[Point, ...]


def with_number(panel: Panel, name: str, *, target: str, run: str, unit: str) -> WithNumber:
    """Of every run with decisions or strengths; points are of `run`. An empty `unit` is found (`sharing`)."""
    column, truth = numbers(panel, name), panel.true(target)
    unit = unit or sharing(panel, name)
    units, values = values_of(panel.attributes[unit] if unit else _texts(column))
    there = np.isfinite(column)
    masks = [(value, (units == value) & there) for value in values]
    of_units = [(value, mask) for value, mask in masks if mask.any()]
    means = np.array([column[mask].mean() for _, mask in of_units])
    rows: list[Correlated] = []
    for one in panel.runs:
        rows += _of_items(one, column, truth, panel.sample)
        if (one.decided != MISSING).any():
            shares = [accuracy(one.decided[mask], truth[mask]).accuracy.value for _, mask in of_units]
            found = np.array([np.nan if share is None else share for share in shares])
            rows.append(_correlated(one, ACCURACY, means, found, ITEMS, unit=f"values of {unit or name}"))
    looked = panel.run(run)
    points = [] if looked is None else list(_points(looked, of_units, means, panel, target))
    return WithNumber(unit, tuple(rows), tuple(points[:MOST_POINTS]))


def sharing(panel: Panel, name: str) -> str:
    """The attribute of most values each of which has one number only, as adverbs have an intensity; empty where none.

    Where every item has a value of its own nothing is shared.
    """
    column = panel.attributes[name]
    best, most = "", FEWEST - 1
    for other, texts in panel.attributes.items():
        if other == name:
            continue
        given = {(text, number) for text, number in zip(texts, column, strict=True) if text and number}
        values = {text for text, _ in given}
        if len(given) == len(values) and most < len(values) <= len(column) / 2:
            best, most = other, len(values)
    return best


def _texts(column: Floats) -> list[str]:
    return ["" if np.isnan(number) else f"{number:.4g}" for number in column.tolist()]


def _of_items(
    one: RunColumn, column: Floats, truth: "np.ndarray[tuple[int], np.dtype[np.int64]]", sample: Sample
) -> Iterator[Correlated]:
    decided = (one.decided != MISSING) & (truth != MISSING)
    if decided.any():
        right = np.where(decided, (one.decided == truth).astype(np.float64), np.nan)
        yield _correlated(one, RIGHT, column, right, sample)
    if np.isfinite(one.strengths).any():
        yield _correlated(one, STRENGTH, column, one.strengths, sample)


def _correlated(
    one: RunColumn, what: str, column: Floats, other: Floats, sample: Sample, *, unit: str = "items"
) -> Correlated:
    both = pairs(column, other, first="the number", second=_called(what))
    ranks = spearman(column, other, sample=sample)
    if both.undefined:
        ranks = Estimate.none(both.undefined, n=both.n)
    found = (ranks, pearson(both, sample=sample), kendall(both, sample=sample))
    return Correlated(one.key, one.title, what, *(replace(estimate, unit=unit) for estimate in found))


def _called(what: str) -> str:
    return {RIGHT: "whether the run is right", ACCURACY: "the run’s accuracy"}.get(what, "the run’s strength")


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


def number_figure(found: WithNumber, name: str, *, title: str) -> Spec | None:
    """Accuracy over the number, a dot a unit with its interval; few are named."""
    if len(found.points) < 2:
        return None
    names = _joined(found.points)
    rows = [
        {
            "name": names[one.value],
            "number": one.number,
            "share": one.hits.accuracy.value,
            "low": one.hits.accuracy.low,
            "high": one.hits.accuracy.high,
            "said": f"{one.value}, {name} {one.number:.4g}: {one.hits.accuracy}",
        }
        for one in found.points
    ]
    base = alt.Chart(alt.InlineData(values=rows))
    x = alt.X("number:Q", title=name, scale=alt.Scale(zero=False, padding=18), axis=alt.Axis(tickCount=6))
    scale = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("share:Q", title="Accuracy", scale=scale, axis=alt.Axis(tickCount=5))
    color = COLORS[MODEL]
    layers = [
        base.transform_filter("isValid(datum.low)")
        .mark_rule(color=color, strokeWidth=1.5, opacity=0.6)
        .encode(x=x, y=alt.Y("low:Q", title="Accuracy", scale=scale), y2=alt.Y2("high:Q"), description=SAID),
        base.mark_point(filled=True, size=70, opacity=1, color=color).encode(x=x, y=y, description=SAID),
    ]
    if len(rows) <= NAMED:
        middle = (min(one.number for one in found.points) + max(one.number for one in found.points)) / 2
        layers += _names(base, x, y, middle)
    head = alt.TitleParams(title, color="var(--muted)", fontSize=12, anchor="start", frame="group")
    return drawn(layers, said=f"Accuracy by {name}", height=HEIGHT, title=head if title else alt.Undefined)


def _joined(points: Sequence[Point]) -> dict[str, str]:
    """What is written beside each dot: those that lie on one another are named beside the first, the others nowhere."""
    reach = NEAR_X * (max(one.number for one in points) - min(one.number for one in points))
    groups: list[list[Point]] = []
    for one in points:
        for group in groups:
            if abs(one.number - group[0].number) <= reach and abs(_height(one) - _height(group[0])) <= NEAR_Y:
                group.append(one)
                break
        else:
            groups.append([one])
    names = dict.fromkeys((one.value for one in points), "")
    return names | {group[0].value: ", ".join(one.value for one in group) for group in groups}


def _height(point: Point) -> float:
    return point.hits.accuracy.value or 0.0


def _names(base: alt.Chart, x: alt.X, y: alt.Y, middle: float) -> list[alt.Chart]:
    """Each on the side of its dot that has room."""
    layers = []
    for side, align, away in (("<=", "left", 7), (">", "right", -7)):
        here = base.transform_filter(f"datum.number {side} {middle!r}")
        looks: dict[str, Any] = {"align": align, "baseline": "middle", "dx": away, "fontSize": 12, "aria": False}
        layers += [
            here.mark_text(**looks, **(HALO | {"strokeWidth": 4})).encode(x=x, y=y, text="name:N"),
            here.mark_text(**looks, color="var(--ink)").encode(x=x, y=y, text="name:N"),
        ]
    return layers
