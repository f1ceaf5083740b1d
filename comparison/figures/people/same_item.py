"""Ratings of the same item: how far two are apart, and whether it matters how several are combined.

It takes the place of agreement by majority label and of votes where runs are compared with mean ratings.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.by_attribute.shares import shares_figure
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.table import DRAWN, Column, Counted, Rater, Table
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.statistics.by_attribute.label_shares import ValueShares, label_shares
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths.correlation import people_score, run_score, spearman
from comparison.statistics.strengths.same_item import (
    MEAN,
    MEDIAN,
    STANDARD,
    STEPS,
    median_rating,
    pairs_by_step,
    standard_rating,
)

ALL = "All items"
# Each way by its key, as pages call it.
WAYS = {MEAN: "Mean", MEDIAN: "Median", STANDARD: "Mean z-score"}


@dataclass(frozen=True, slots=True)
class Combined:
    """One way to combine ratings: `same` is ρ of what comes of it with the means, `runs` ρ of each run by its key."""

    key: str
    same: Estimate
    runs: dict[str, Estimate]


@dataclass(frozen=True, slots=True)
class SameItem:
    """`apart`: the shares of `STEPS` among pairs of ratings, for items by their rounded mean, all of them last."""

    apart: tuple[ValueShares, ...]
    ways: tuple[Combined, ...]


def same_item(panel: Panel) -> SameItem:
    mean = people_score(panel.counts, ordered=True)
    several = panel.counts.sum(axis=1) > 1
    pairs, sample = pairs_by_step(panel.counts[several]), panel.sample.where(several)
    points = [panel.words[panel.values[int(point) - 1]] for point in np.floor(mean[several] + 0.5)]
    order = [panel.words[value] for value in panel.values]
    voices, size = panel.voices, len(panel.items)
    scores = {
        MEAN: mean,
        MEDIAN: median_rating(panel.counts),
        STANDARD: standard_rating(voices.rows, voices.raters, voices.labels.astype(np.float64), size=size),
    }
    return SameItem(
        (
            *label_shares(points, pairs, order=order, sample=sample),
            *label_shares([ALL] * len(points), pairs, sample=sample),
        ),
        tuple(
            Combined(
                key,
                spearman(mean, one, sample=panel.sample),
                {
                    run.key: spearman(run_score(run.decided, run.strengths), one, sample=panel.sample)
                    for run in panel.runs
                },
            )
            for key, one in scores.items()
        ),
    )


def _compute(chosen: Selected, is_of_ratings: str) -> SameItem | None:
    return same_item(chosen.panel) if is_of_ratings and chosen.outline.has_labels else None


def _tables(chosen: Selected) -> Iterator[Table]:
    same = SAME_ITEM.read(chosen)
    if same is None:
        return
    yield Table(
        name="ratings-apart",
        title="Pairs of ratings of the same item",
        columns=(Column("Mean rating, rounded", term="ratings_apart"), "Items", *map(str.capitalize, STEPS)),
        rows=tuple(
            (one.value, one.items, *(Counted(part.count, part.share) for part in one.shares)) for one in same.apart
        ),
        rests_on="n counts pairs of ratings of items with two or more",
        method=DRAWN,
    )
    if chosen.outline.runs:
        yield Table(
            name="ratings-combined",
            title="Spearman’s ρ by how ratings are combined",
            columns=("Run", *(Column(WAYS[one.key], term="ratings_combined") for one in same.ways)),
            rows=tuple(
                (
                    Rater(name=run.name, title=run.title, is_baseline=run.is_baseline),
                    *(one.runs[run.key] for one in same.ways),
                )
                for run in chosen.outline.runs
            ),
            rests_on="n counts items with a score and ratings",
            method="Brackets are 95 % intervals (Bonett and Wright)",
        )


def _charts(chosen: Selected) -> dict[str, Chart]:
    same = SAME_ITEM.read(chosen)
    if same is None:
        return {}
    caption = "Pairs of ratings of the same item, by its rounded mean rating; pairs in parentheses."
    title = synthetic(chosen.study.people)
    return Chart.of("ratings-apart", shares_figure(same.apart, STEPS, description=caption, title=title), caption)


def _lines(chosen: Selected) -> Iterator[Row]:
    """Of every scale that has an order, also where pages compare labels and no means."""
    same, people = SAME_ITEM.read(chosen), chosen.study.people.many
    if same is None and chosen.study.task.scale.ordered and chosen.outline.has_labels:
        same = same_item(chosen.panel)
    if same is None:
        return
    for one in same.apart:
        for step, part in zip(STEPS, one.shares, strict=True):
            yield [one.value, one.items, people, step, "share_of_pairs", *estimated(part.share, part.count)]
    for way in same.ways:
        yield ["", None, people, way.key, "spearman_with_mean", *estimated(way.same)]
        for run in chosen.outline.runs:
            yield ["", None, run.name, way.key, "spearman", *estimated(way.runs[run.key])]


SAME_ITEM: Figure[SameItem | None] = Figure(
    key="same-item",
    part="people",
    title="Ratings of the same item",
    shape=TypeAdapter(SameItem | None),
    rests_on=lambda chosen: ("ratings" if chosen.is_averaged else "",),
    compute=_compute,
    tables=_tables,
    charts=_charts,
    download=Download(
        says="how far two ratings of an item are apart, and scores against ratings combined in several ways",
        line="a share of pairs of ratings, or a correlation",
        columns=("point", "items", "rater", "of", "statistic", *CELLS),
        lines=_lines,
    ),
)
