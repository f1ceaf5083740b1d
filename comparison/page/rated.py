"""The pictures of the Breakdown of ratings: the mean of each value along the scale, and ρ of runs within it."""

from dataclasses import dataclass, replace

from comparison.figures.by_attribute.mean_ratings import MEAN_RATINGS, followed_apart, ordered_alike, rated_apart
from comparison.figures.models.score_ratings import mean_words
from comparison.frame.panel import NamedRun
from comparison.frame.selected import Selected
from comparison.page.breakdown import DRAWN, MANY, SHOWN, ByValue, DrawnValue, query_of, shown_runs
from comparison.page.drawn.axis import Axis
from comparison.page.drawn.dots import BASELINE, NEAREST, PEOPLE, Row, axis_of, row_of, row_of_people, written
from comparison.statistics.by_attribute.mean_ratings import Gap, RatedValue, RatedValues
from comparison.statistics.estimate import counted
from comparison.statistics.verdict.measure import RHO

# A scale of so many points has a number below each.
MOST_POINTS = 12
# Differences beside the picture; the table has all.
LISTED = 4
# Of more values, ρ within them is as long as the page and as wide.
BESIDE = 2


@dataclass(frozen=True, slots=True)
class DrawnMean:
    """One value's mean; `query` is the address of its items."""

    row: Row
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """`ends` are the words of the scale's first and last point, empty of published numbers."""

    head: str
    axis: Axis
    ends: tuple[str, ...]
    means: tuple[DrawnMean, ...]
    more: str
    apart: str
    gaps: tuple[Gap, ...]
    followed: str
    ordered: str
    rho: ByValue | None

    @property
    def width(self) -> str:
        """Of the card of ρ and the one after it: a class of layout.css."""
        return "c6" if len(self.means) <= BESIDE else "c12"


def read_rated(chosen: Selected) -> Rated | None:
    """None where runs are not compared with mean ratings."""
    found = MEAN_RATINGS.read(chosen)
    if found is None or not found.values:
        return None
    drawn, axis = found.values[:DRAWN], Axis(*found.ends, most=MOST_POINTS)
    words = [chosen.outline.words[value] for value in chosen.outline.values]
    runs = {run.key: run for run in chosen.outline.runs}
    return Rated(
        head=mean_words(chosen).capitalize(),
        axis=axis,
        ends=(words[0], words[-1]) if chosen.strength_target != "published" else (),
        means=tuple(DrawnMean(_mean(one, axis), query_of(chosen, one)) for one in drawn),
        more=f"First {DRAWN} values; the table has all." if len(found.values) > DRAWN else "",
        apart=rated_apart(found.gaps, mean=mean_words(chosen)) if found.gaps else "",
        gaps=tuple(sorted(found.gaps, key=lambda one: 2.0 if one.p is None else one.p))[:LISTED],
        followed=followed_apart(found.same_rho, runs),
        ordered=ordered_alike(found, next(iter(shown_runs(chosen)), None)),
        rho=_rho(chosen, found, runs),
    )


def _mean(one: RatedValue, axis: Axis) -> Row:
    ratings = counted(one.ratings, "rating") if one.ratings else ""
    small = (counted(one.items, "item"), ratings, one.mean.note)
    return written("", one.value, " · ".join(filter(None, small)), one.value, one.mean, axis, PEOPLE)


def _rho(chosen: Selected, found: RatedValues, runs: dict[str, NamedRun]) -> ByValue | None:
    if not runs:
        return None
    drawn = found.values[:DRAWN]
    nearest = [run for run in shown_runs(chosen) or tuple(runs.values()) if run.key in runs]
    shown = nearest[: SHOWN if len(drawn) <= MANY else 1]
    axis = axis_of(RHO, [one.runs[run.key] for one in drawn for run in shown])
    values = tuple(
        DrawnValue(one.value, one.items, query_of(chosen, one), tuple((row, 0, "") for row in _rows(one, shown, axis)))
        for one in drawn
    )
    return ByValue(axis, values, any(one.halves.value is not None for one in drawn), "")


def _rows(one: RatedValue, shown: list[NamedRun], axis: Axis) -> list[Row]:
    people = row_of_people(axis, one.halves, "Split halves", "", ())
    of_runs = [row_of(run, one.runs[run.key], axis, BASELINE if run.is_baseline else NEAREST) for run in shown]
    return [*([people] if people else []), *(replace(row, small="") for row in of_runs)]
