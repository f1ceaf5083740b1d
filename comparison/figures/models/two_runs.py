"""Two runs side by side: figures, who is right where, and the items where they differ most."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy as sp
from pydantic import TypeAdapter

from annotation.models.study import Measure
from comparison.figures.figure import Figure
from comparison.figures.findings import REFERENCE
from comparison.figures.table import BOTH, COUNTS, Cell, Column, Linked, Table
from comparison.frame.filters.selection import RIGHT, WRONG
from comparison.frame.judging import measured, rated_as, strength_target
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.statistics.accuracy.hits import kappa
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, signed
from comparison.statistics.pairs import Alike, Paired, alike, paired
from comparison.statistics.strengths.correlation import of_two, run_score, spearman
from comparison.statistics.strengths.cut_points import names_labels
from comparison.statistics.verdict.measure import ACCURACY, RHO, measure_of
from comparison.statistics.verdict.odds import LEVEL
from comparison.statistics.verdict.pair import Two, two, two_ranked
from corpus.errors import counted

SHOWN = 50
LABELS, STRENGTHS = "labels", "strengths"
EXACT, MEASURE = "exact agreement, not ρ", "right and wrong answers, not this measure"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two. `kappa` and `strength` are against what is taken as true, on its own items."""

    name: str
    short: str
    is_baseline: bool
    how: str
    kappa: Estimate
    strength: Estimate
    labeled: int
    unscored: int
    waiting: int

    @property
    def title(self) -> str:
        return f"{self.name} (baseline)" if self.is_baseline else self.name

    @property
    def labeled_words(self) -> str:
        unscored = f"; {self.unscored:,} unscored" if self.unscored else ""
        return f"{self.labeled:,}{unscored}{f'; {self.waiting:,} waiting' if self.waiting else ''}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one of the two says about an item, in words."""

    run: str
    decided: int
    said: str
    strength: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class Apart:
    """One item on which they differ."""

    item: str
    text: str
    counts: tuple[int, ...]
    true: int
    sides: tuple[Answer, Answer]


@dataclass(frozen=True, slots=True)
class TwoRuns:
    """`items` have something to compare with; `apart` are the first of `apart_count` items, told apart `by`.

    `reached` is by the study's measure; `exact`, where that is ρ, by accuracy, which stands beside it.
    `is_grouped`: items that share a group are drawn together.
    """

    measure: str
    items: int
    is_grouped: bool
    sides: tuple[Side, Side]
    reached: Two
    exact: Two | None
    paired: Paired
    alike: Alike
    strengths: Estimate | None
    apart: tuple[Apart, ...]
    apart_count: int
    by: str

    @property
    def is_accuracy(self) -> bool:
        return self.measure == ACCURACY

    @property
    def is_ranked(self) -> bool:
        return self.measure == RHO

    @property
    def compared(self) -> int:
        """On how many items the two are compared."""
        return self.items - self.reached.left_out

    @property
    def better(self) -> Side | None:
        """The one that is shown to be nearer: by its interval and, of accuracy, by the test too."""
        if not self.reached.leads or (self.is_accuracy and (self.paired.p is None or self.paired.p > LEVEL)):
            return None
        return self.sides[0 if self.reached.leads > 0 else 1]


def two_runs(panel: Panel, one: str, other: str, *, target: str, measure: str, rated: Floats) -> TwoRuns | None:
    """Two runs by their keys, against `target`; None where one of them is not there.

    `rated` is what scores are compared with, NaN where there is none.
    """
    first, second = panel.run(one), panel.run(other)
    if first is None or second is None:
        return None
    truth, size = panel.true(target), len(panel.values)
    is_ranked, by = measure == RHO, measure_of(measure, ordered=panel.ordered)
    labels = two(first.decided, second.decided, truth, by=by, values=size, sample=panel.sample)
    ranked = two_ranked((_scores(first), rated), (_scores(second), rated), sample=panel.sample)
    order, told_by = _order(panel, first, second, is_ranked=is_ranked)
    return TwoRuns(
        measure=measure,
        items=panel.sample.size(np.isfinite(rated) if is_ranked else truth != MISSING),
        is_grouped=panel.sample.clusters is not None,
        sides=(
            _side(panel, first, rated, target, is_ranked=is_ranked),
            _side(panel, second, rated, target, is_ranked=is_ranked),
        ),
        reached=ranked if is_ranked else labels,
        exact=labels if is_ranked else None,
        paired=paired(first.decided, second.decided, truth, sample=panel.sample),
        alike=alike({one: first.decided, other: second.decided}, values=size, sample=panel.sample)[0],
        strengths=_strengths(panel, first, second),
        apart=tuple(_apart(panel, first, second, truth, int(row)) for row in order[:SHOWN]),
        apart_count=len(order),
        by=told_by,
    )


def _side(panel: Panel, run: RunColumn, rated: Floats, target: str, *, is_ranked: bool) -> Side:
    truth, words = panel.true(target), [panel.words[label] for label in panel.values]
    called = "references" if target == REFERENCE else "majority labels"
    return Side(
        name=run.name if is_ranked else run.title,
        short=run.short,
        is_baseline=run.is_baseline,
        how=run.cuts.words if run.cuts is not None and run.is_cut else "",
        kappa=kappa(run.decided, truth, values=len(words), words=words, called=called, sample=panel.sample),
        strength=spearman(run.strengths, rated, sample=panel.sample),
        labeled=int((run.decided != MISSING).sum()),
        unscored=int((run.unscored != "").sum()),
        waiting=int((~run.scored).sum()),
    )


def _scores(run: RunColumn) -> Floats:
    return run_score(run.decided, run.strengths)


def _strengths(panel: Panel, one: RunColumn, other: RunColumn) -> Estimate | None:
    """None where one of them gives none."""
    if not (np.isfinite(one.strengths).any() and np.isfinite(other.strengths).any()):
        return None
    return of_two(one.strengths, other.strengths, sample=panel.sample)


def _order(panel: Panel, one: RunColumn, other: RunColumn, *, is_ranked: bool) -> tuple[Ints, str]:
    """The rows on which they differ, the most first, and by what; of equals, where people are surest."""
    if is_ranked:
        far, told_by = _ranks_apart(_scores(one), _scores(other)), STRENGTHS
    elif names_labels(one.decided) and names_labels(other.decided):
        both = (one.decided != MISSING) & (other.decided != MISSING)
        steps = np.abs(one.decided - other.decided) if panel.ordered else one.decided != other.decided
        far, told_by = np.where(both, steps, 0).astype(np.float64), LABELS
    else:
        far, told_by = _ranks_apart(one.strengths, other.strengths), STRENGTHS
    unsure = np.nan_to_num(panel.among_people, nan=1.0)
    order = np.lexsort((np.arange(len(far)), unsure, -far))
    return order[far[order] > 0], told_by


def _ranks_apart(one: Floats, other: Floats) -> Floats:
    """How many places apart two strengths stand among the items that have both; 0 for the others."""
    both = np.isfinite(one) & np.isfinite(other)
    far = np.zeros(len(one))
    if both.any():
        far[both] = np.abs(sp.stats.rankdata(one[both]) - sp.stats.rankdata(other[both]))
    return far


def _apart(panel: Panel, one: RunColumn, other: RunColumn, truth: Ints, row: int) -> Apart:
    true = int(truth[row])
    return Apart(
        item=str(panel.items[row]),
        text=str(panel.texts[row]),
        counts=tuple(panel.counts[row].tolist()),
        true=true,
        sides=(_said(panel, one, true, row), _said(panel, other, true, row)),
    )


def _said(panel: Panel, run: RunColumn, true: int, row: int) -> Answer:
    code = int(run.decided[row])
    return Answer(run.title, code, panel.word(code), _number(run.strengths[row]), is_right=code == true != MISSING)


def _number(strength: float) -> str:
    return signed(float(strength), decimals=2) if np.isfinite(strength) else ""


# --- The figure -------------------------------------------------------------------------------------


def _compute(chosen: Selected, run: str, other: str, against: str, measure_key: str) -> TwoRuns | None:
    if not run or not other or run == other:
        return None
    panel = chosen.panel
    target = strength_target(panel.counts, panel.truth, panel.published, against=against)
    measure = measured(measure_key, target, ordered=panel.ordered)
    rated = rated_as(target, panel.counts, panel.truth, panel.published, ordered=panel.ordered)
    return two_runs(panel, run, other, target=against, measure=measure, rated=rated)


def _answer(chosen: Selected) -> str | None:
    pair = TWO_RUNS.read(chosen)
    if pair is None:
        return None
    if chosen.selection.no_nearest:
        return chosen.selection.no_nearest
    if pair.better is not None:
        short = pair.better.short
        if pair.is_ranked:
            return f"{short}’s scores follow {chosen.rated_words} better."
        return f"{short} is nearer to {chosen.target_words}."
    if pair.reached.difference.value is None:
        return f"The difference is undefined: {pair.reached.difference.undefined}."
    one, other = (side.short for side in pair.sides)
    return f"No difference between {one} and {other} is shown."


def _tables(chosen: Selected) -> Iterator[Table]:
    pair = TWO_RUNS.read(chosen)
    if pair is not None:
        yield _figures(chosen, pair)
        if pair.paired.n:
            yield _right(chosen, pair)
        yield _alike(pair)


def _figures(chosen: Selected, pair: TwoRuns) -> Table:
    one, other = pair.sides
    verb = "score" if pair.is_ranked else "label"
    against = chosen.rated_words if pair.is_ranked else chosen.target_words
    measure = str(Measure(pair.measure).label)
    heading = f"{measure[0].upper()}{measure[1:]}{f' with {against}' if pair.is_ranked else ''}"
    rows: list[tuple[Cell, ...]] = [(f"{heading}, on the items that both {verb}", *_both(pair.reached))]
    if pair.exact:
        exact = f"Accuracy: exact agreement with {chosen.exactly}, on the items that both label"
        rows.append((exact, *_both(pair.exact)))
    rows.append(("κ, on each run’s own items", one.kappa, other.kappa, ""))
    if not pair.is_ranked:
        rows.append((f"ρ of scores with {chosen.strength_words}", one.strength, other.strength, ""))
    rows.append(("Items labeled", one.labeled_words, other.labeled_words, ""))
    left_out = pair.reached.left_out
    grouped = "; items of a group are drawn together" if pair.is_grouped else ""
    test = "" if pair.is_accuracy else f"McNemar’s test compares {EXACT if pair.is_ranked else MEASURE}. "
    cut = "".join(f". The labels of {side.name} are {side.how}" for side in pair.sides if side.how)
    return Table(
        name="two-runs",
        title="Both runs and their difference",
        columns=("Figure", one.title, other.title, Column("Difference", "difference")),
        rows=tuple(rows),
        rests_on=f"Of {counted(pair.items, 'item')} that {'has' if pair.items == 1 else 'have'} {against}, "
        f"both {verb} {pair.compared:,}; {left_out:,} {'is' if left_out == 1 else 'are'} left out",
        method="Brackets are 95 % intervals. The difference is the first run’s value minus the second’s, "
        f"with the same items drawn for both (paired bootstrap){grouped}. {test}{pair.paired.test}: "
        f"{pair.paired.p_words}, for this pair alone{cut}",
        is_sortable=False,
    )


def _both(reached: Two) -> tuple[Cell, ...]:
    return reached.one, reached.other, reached.difference


def _right(chosen: Selected, pair: TwoRuns) -> Table:
    """Every count opens its items."""
    (one, other), test, selection = pair.sides, pair.paired, chosen.selection
    of_pair = {"run": selection.run, "beside": selection.beside, "against": selection.against}

    def cell(count: int, right: str, other_right: str) -> Cell:
        return Linked(cell=count, query=of_pair | {"right": right, "beside_right": other_right}) if count else count

    exact = f"Right means exact agreement with {chosen.exactly}, which ρ does not need"
    return Table(
        name="two-runs-right",
        title="Which run is right?",
        columns=("", f"{other.name} right", f"{other.name} wrong"),
        rows=(
            (f"{one.name} right", cell(test.both, RIGHT, RIGHT), cell(test.only_one, RIGHT, WRONG)),
            (f"{one.name} wrong", cell(test.only_other, WRONG, RIGHT), cell(test.neither, WRONG, WRONG)),
        ),
        rests_on=exact if pair.is_ranked else f"n = {counted(test.n, 'item')}",
        method=COUNTS,
        is_sortable=False,
    )


def _alike(pair: TwoRuns) -> Table:
    strengths = [("ρ of their scores", pair.strengths)] if pair.strengths else []
    return Table(
        name="two-runs-alike",
        title="Do the two runs agree with each other?",
        columns=("Figure", "Value"),
        rows=(("The same label", pair.alike.same.accuracy), ("κ between them", pair.alike.kappa), *strengths),
        rests_on="n counts items that both runs label; for ρ, items that both score",
        method=BOTH,
        is_sortable=False,
    )


TWO_RUNS: Figure[TwoRuns | None] = Figure(
    key="two-runs",
    part="beside",
    title="Compare two runs",
    shape=TypeAdapter(TwoRuns | None),
    rests_on=lambda chosen: (chosen.selection.run, chosen.selection.beside, chosen.selection.against, chosen.measure),
    compute=_compute,
    answer=_answer,
    tables=_tables,
)
