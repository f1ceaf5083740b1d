"""Two runs side by side: figures, who is right where, and the items where they differ most. A panel in; no Django."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from comparison.figures.findings import REFERENCE
from comparison.frame.panel import Panel, RunColumn
from comparison.page.item_table import Bar, bar
from comparison.statistics.accuracy.hits import kappa
from comparison.statistics.between_runs.all_pairs import Alike, alike
from comparison.statistics.between_runs.mcnemar import Paired, paired
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate, signed
from comparison.statistics.strengths.correlation import of_two, run_score, spearman
from comparison.statistics.strengths.cut_points import names_labels
from comparison.statistics.verdict.measure import ACCURACY, RHO, measure_of
from comparison.statistics.verdict.odds import LEVEL
from comparison.statistics.verdict.pair import Two, two, two_ranked

SHOWN = 50
LABELS, STRENGTHS = "labels", "strengths"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two. `kappa` and `strength` are against what is taken as true, on its own items."""

    key: str
    name: str
    is_baseline: bool
    how: str
    kappa: Estimate
    strength: Estimate
    labeled: int
    unscored: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What one of the two says about an item, in words."""

    run: str
    said: str
    strength: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class Apart:
    """One item on which they differ."""

    item: str
    text: str
    people: Bar
    reference: str
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
        key=run.key,
        name=run.name if is_ranked else run.title,
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
        far[both] = np.abs(rankdata(one[both]) - rankdata(other[both]))
    return far


def _apart(panel: Panel, one: RunColumn, other: RunColumn, truth: Ints, row: int) -> Apart:
    true = int(truth[row])
    return Apart(
        item=str(panel.items[row]),
        text=str(panel.texts[row]),
        people=bar(panel.counts[row], [panel.words[value] for value in panel.values]),
        reference=_word(panel, int(panel.truth[row])),
        sides=(_answer(panel, one, true, row), _answer(panel, other, true, row)),
    )


def _answer(panel: Panel, run: RunColumn, true: int, row: int) -> Answer:
    said = int(run.decided[row])
    return Answer(run.title, _word(panel, said), _number(run.strengths[row]), is_right=said == true != MISSING)


def _word(panel: Panel, code: int) -> str:
    return panel.words[panel.values[code]] if code != MISSING else ""


def _number(strength: float) -> str:
    return signed(float(strength), decimals=2) if np.isfinite(strength) else ""
