"""Runs' strengths beside what people said in numbers: three correlations, over all items and for each condition.

Beside them stands what people reach among themselves: halves of the labels of each item, stepped up to all of
them. Where the study holds published means and not the labels behind them, nothing is known of that.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.figure import Figure, State
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.models.answers import directions, rising, spread
from comparison.frame import judging
from comparison.frame.coded import coded
from comparison.frame.filters.columns import TakenColumn, taken
from comparison.frame.judging import rated_words
from comparison.frame.panel import Mask, Panel
from comparison.frame.selected import Selected
from comparison.statistics.counts import WITHOUT, Floats, values_of
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.strengths.correlation import (
    FEWEST,
    kendall,
    pairs,
    pearson,
    people_score,
    points_of,
    reference_score,
    spearman,
)
from comparison.statistics.strengths.split_half import split_half
from comparison.statistics.verdict import evidence

# More conditions than this are read in the download.
SHOWN_CONDITIONS = 25
ALL = ""
PUBLISHED, LABELS, REFERENCE = "published ratings", "labels", "references"
# What the verdict calls each.
TARGETS = {PUBLISHED: judging.PUBLISHED, LABELS: evidence.MAJORITY, REFERENCE: evidence.REFERENCE}
NO_LABELS = "the study has published means, not the labels behind them"
NO_HALVES = "halves are stepped up only for Pearson’s r"
NO_ORDER = "references are one label per item"


@dataclass(frozen=True, slots=True)
class Rated:
    """One run on the items of one `condition`, ALL for all; a run without a key is people among themselves."""

    key: str
    name: str
    condition: str
    spearman: Estimate
    pearson: Estimate
    kendall: Estimate

    @property
    def says_nothing(self) -> bool:
        return all(estimate.value is None for estimate in (self.spearman, self.pearson, self.kendall))

    @property
    def spearman_most(self) -> str:
        """Of people among themselves: what bounds a run on these items; empty of a run."""
        return "" if self.key else _root(self.spearman)

    @property
    def pearson_most(self) -> str:
        return "" if self.key else _root(self.pearson)


@dataclass(frozen=True, slots=True)
class WithRatings:
    """`rated` is what people said: published ratings, labels of this study, or references. `by` names conditions."""

    rated: str
    by: str
    conditions: tuple[str, ...]
    rows: tuple[Rated, ...]

    @property
    def shown(self) -> tuple[Rated, ...]:
        """The rows with a figure; the others are counted in a sentence, and stand in the file."""
        return tuple(row for row in self.rows if not row.says_nothing)

    @property
    def without_figure(self) -> int:
        return len(self.rows) - len(self.shown)

    @property
    def why_no_halves(self) -> str:
        """Why nothing is known of people among themselves over all items; empty where something is."""
        return self._people.pearson.undefined

    @property
    def reliability(self) -> float | None:
        """Of the ranks of people's means; None where it is not known, or below 0."""
        rho = self._people.spearman.value
        return rho if rho is not None and rho > 0 else None

    @property
    def reliability_words(self) -> str:
        """Of the mean that runs are held against: r of halves, stepped up."""
        return self._people.pearson.to(2)

    @property
    def most_words(self) -> str:
        """What no run's r with that mean exceeds but by luck: the root of its reliability."""
        return self._people.pearson_most

    @property
    def _people(self) -> Rated:
        return next(row for row in self.rows if not row.key and row.condition == ALL)


def _root(reliability: Estimate) -> str:
    """
    >>> _root(Estimate(0.62, n=38)), _root(Estimate.none("one label an item"))
    ('.79', '')
    """
    return "" if reliability.value is None else plain(sqrt(max(0.0, reliability.value)), decimals=2)


def splitting(panel: Panel, *, most: int) -> str:
    """The attribute that items are split by where a reader names none: that with the fewest values, two at least and
    `most` at most, each of which has rated items enough; empty where there is none. A number splits nothing unasked.
    """
    _, scores = _scores(panel)
    rated = np.isfinite(scores)
    counts = {name: Counter(column[rated].tolist()) for name, column in panel.attributes.items()}
    fit = {
        name: len(of) - ("" in of)
        for name, of in counts.items()
        if name not in panel.numeric and all(size >= FEWEST for value, size in of.items() if value)
    }
    return min((name for name, size in fit.items() if 2 <= size <= most), key=lambda name: fit[name], default="")


def with_ratings_of(panel: Panel, whole: Panel, by: str, *, most: int) -> WithRatings | None:
    """By the attribute that is asked for, or the one that suits these items; `whole` is the study unfiltered."""
    name = by or splitting(panel, most=most)
    return with_ratings(panel, taken(whole, name) if name else None, most=most)


def with_ratings(panel: Panel, column: TakenColumn | None, *, most: int | None = None) -> WithRatings | None:
    """Of every run with strengths; None where there is none, or nothing to hold it against.

    Published ratings come first: they are numbers, and labels made of them are not.
    """
    rated, scores = _scores(panel)
    runs = [one for one in panel.runs if np.isfinite(one.strengths).any()]
    # Where all references are one and nobody has labeled, nothing could go with anything.
    finite = scores[np.isfinite(scores)]
    if not runs or not len(finite) or (rated == REFERENCE and np.ptp(finite) == 0):
        return None
    masks = list(_masks(panel, column, most))
    rows = [
        Rated(one.key, one.name, condition, *_three(one.strengths[mask], scores[mask], panel, mask))
        for one in runs
        for condition, mask in masks
    ]
    rows += [Rated("", "", condition, *_among_people(panel, rated, mask)) for condition, mask in masks]
    names = tuple(condition for condition, _ in masks if condition != ALL)
    return WithRatings(rated, column.name if column else "", names, tuple(rows))


def _scores(panel: Panel) -> tuple[str, Floats]:
    if panel.has_published:
        return PUBLISHED, panel.published
    if panel.has_labels:
        return LABELS, people_score(panel.counts, ordered=panel.ordered)
    return REFERENCE, reference_score(panel.truth, ordered=panel.ordered)


def _masks(panel: Panel, column: TakenColumn | None, most: int | None) -> Iterator[tuple[str, Mask]]:
    yield ALL, np.ones(len(panel.items), dtype=bool)
    if column is not None:
        texts, values = values_of(column.of(panel), order=column.order, most=most)
        if len(values) > 1:
            yield from ((value, np.asarray(texts == value)) for value in values if value != WITHOUT)


def _three(strengths: Floats, scores: Floats, panel: Panel, mask: Mask) -> Iterator[Estimate]:
    both, sample = pairs(strengths, scores, first="the score", second="the rating"), panel.sample.where(mask)
    yield Estimate.none(both.undefined, n=both.n) if both.undefined else spearman(strengths, scores, sample=sample)
    yield pearson(both, sample=sample)
    yield kendall(both, sample=sample)


def _among_people(panel: Panel, rated: str, mask: Mask) -> Sequence[Estimate]:
    if rated != LABELS:
        return 3 * [Estimate.none(NO_LABELS if rated == PUBLISHED else NO_ORDER)]
    labels = coded(panel.people, items=list(panel.items[mask]), values=panel.values)
    numbers = points_of(len(panel.values), ordered=panel.ordered)[labels.labels]
    sample = panel.sample.where(mask)
    return [*split_half(labels.items, numbers, sample=sample), Estimate.none(NO_HALVES)]


def _answer(chosen: Selected) -> str | None:
    ratings = RATINGS.read(chosen)
    if ratings is None:
        return None
    share_of = chosen.share_of if ratings.rated == LABELS else ""
    whom = rated_words(TARGETS[ratings.rated], chosen.study.people, share_of=share_of)
    of_all = f"with {whom}: {spread(_of_runs(ratings), decimals=2)}"
    by = _of_runs(ratings, *ratings.conditions) if ratings.conditions else []
    if all(one.value is None for one in by):
        return f"ρ {of_all}."
    return f"ρ by {ratings.by}: {spread(by, decimals=2)}; over all items {of_all}."


def _of_runs(ratings: WithRatings, *conditions: str) -> list[Estimate]:
    return [row.spearman for row in ratings.rows if row.key and row.condition in (conditions or (ALL,))]


def _state(chosen: Selected) -> State | None:
    """As the verdict has it; none where this check takes other ratings than the verdict, which tests those alone."""
    ratings = RATINGS.read(chosen)
    if ratings is None or chosen.selection.no_nearest or TARGETS[ratings.rated] != chosen.strength_target:
        return None
    signs, keys = directions(chosen.verdict), {row.key for row in ratings.rows if row.key}
    present = [one for key, one in signs.items() if key in keys]
    return rising(present) if present else None


def _lines(chosen: Selected) -> Iterator[Row]:
    """By the attribute that is named (`condition`), or by all; every value, however rare. People's halves come last."""
    panel, request = chosen.rows, chosen.asked
    names = [request.condition] if request.condition else ["", *panel.attributes]
    for place, name in enumerate(names):
        ratings = with_ratings(panel, taken(chosen.whole, name) if name else None)
        for row in ratings.rows if ratings else ():
            if place and not row.condition:
                continue  # All items stand once in the file.
            rater = row.name if row.key else f"{chosen.study.people.many}, split halves"
            line = [rater, ratings.rated if ratings else "", name if row.condition else "", row.condition]
            yield [*line, "spearman", *estimated(row.spearman)]
            yield [*line, "pearson", *estimated(row.pearson)]
            yield [*line, "kendall", *estimated(row.kendall)]


RATINGS: Figure[WithRatings | None] = Figure(
    key="with-ratings",
    part="models",
    title="Correlations by condition",
    shape=TypeAdapter(WithRatings | None),
    rests_on=lambda chosen: (chosen.selection.condition,),
    compute=lambda chosen, asked: with_ratings_of(chosen.panel, chosen.whole, asked, most=SHOWN_CONDITIONS),
    answer=_answer,
    state=_state,
    download=Download(
        key="ratings",
        title="Ratings",
        says="correlations of scores with human responses",
        line="a correlation of a run's scores with people's ratings, or of split halves of people",
        columns=("rater", "against", "attribute", "condition", "statistic", *CELLS),
        lines=_lines,
        of_rows=True,
    ),
)
