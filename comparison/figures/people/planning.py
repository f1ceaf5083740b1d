"""How many more items and labels: what is known for it, whether collecting may stop, and what to label next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from pydantic import TypeAdapter

from annotation.models import Study
from comparison.figures.figure import Figure
from comparison.figures.file import ORIGIN, Download, Row, origin
from comparison.figures.people.plan_ground import (
    PlannedRatings,
    in_front,
    known,
    planned_ratings,
    read_ground,
    read_own_ground,
)
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Mask, Panel, RunColumn
from comparison.frame.selected import Selected, select
from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.planning.plan import Design, Planned, planned
from comparison.statistics.planning.rating_power import AssumedRatings
from comparison.statistics.planning.stopping import (
    ERROR,
    AnytimeTest,
    always_valid,
    anytime_comparison,
    narrowing,
    narrowing_of_means,
)
from comparison.statistics.verdict.measure import ACCURACY
from corpus.errors import counted

ONE_EACH = "the first item of each group"
NO_RUN = "no run gives labels"
NONE_FINISHED = "no item has all its labels yet"
SHOWN_NEXT = 10
HEADER = [
    *ORIGIN, "items_selected", "part", "items", "labels_per_item", "labels", "run", "other_run", "statistic",
    "estimate", "low", "high", "n", "n_counts", "undefined", "note",
]  # fmt: skip
NEXT_HEADER = [*ORIGIN, "items_selected", "place", "item", "text", "labels", "narrows"]
STUDIES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    """Where collecting stands, by figures that may be looked at as often as one likes.

    `finished` items have all the labels that the study wants of them: `labels` each, or what was imported, where that
    is 0; `given` in all. `groups`: how many the items are in, those that stand for themselves too; 0 where none are
    shared. `is_cut`: the first names no label, and its degrees by cut points are above 1 / options where they know
    nothing of the items.
    """

    finished: int
    items: int
    first: str
    second: str
    chance: float
    accuracy: Estimate
    told: AnytimeTest | None
    groups: int = 0
    is_cut: bool = False
    labels: int = 0
    given: int = 0

    @property
    def complete_words(self) -> str:
        """What it takes to be among the finished."""
        if not self.labels:
            return "complete as imported"
        return f"with {counted(self.labels, 'label')}{'' if self.labels == 1 else ' each'}"

    @property
    def counted_once(self) -> str:
        """Why the figures here are of fewer than items elsewhere; empty where no items share a group."""
        if not self.groups:
            return ""
        return (
            f"Here a group of items counts once ({counted(self.groups, 'group')} and single items): by its first item "
            "for accuracy, and for two runs by the run that is right on more of its items. Elsewhere every item counts."
        )

    @property
    def above_chance(self) -> bool:
        return not self.is_cut and self.accuracy.low is not None and self.accuracy.low > self.chance

    @property
    def words(self) -> str:
        """May it stop, in a sentence or two."""
        if not self.finished:
            return f"Not yet: {NONE_FINISHED}."
        if not self.first:
            return "No run gives labels, so there is nothing to compare."
        sentences = [f"{self.first} {self._against_chance}"]
        if self.told is not None:
            if self.told.apart:
                ahead = self.first if self.told.only_one > self.told.only_other else self.second
                sentences.append(f"{self.first} and {self.second} differ: {ahead} is right more often")
            else:
                sentences.append(f"{self.first} and {self.second} are not shown to differ yet")
        return ". ".join(sentences) + "."

    @property
    def _against_chance(self) -> str:
        if self.accuracy.value is None:
            return f"is not tested against chance: {self.accuracy.undefined}"
        if self.is_cut:
            return "is not tested against chance: its labels come from cut points"
        if self.above_chance:
            return f"is above chance ({plain(self.chance, decimals=2)})"
        return f"is not shown to beat chance ({plain(self.chance, decimals=2)}) yet"


@dataclass(frozen=True, slots=True)
class NextItem:
    """An item, the labels that it has, and how much one more takes off, the first in the list being 1."""

    item: str
    text: str
    labels: int
    share: float


def designs(panel: Panel, labels: int) -> tuple[Design, ...]:
    """This study's own design, and what twice and four times the items, and twice the labels, would be."""
    items = int((panel.counts.sum(axis=1) > 0).sum())
    return tuple(Design(times * items, more * labels) for more in (1, 2) for times in (1, 2, 4)) if items else ()


def wanted(study: Study) -> int:
    """Labels an item; 0 where no more are wanted than were imported."""
    return 0 if study.as_imported else study.labels_per_item


def stopping(panel: Panel, labels: int) -> Stopping:
    """Of the items that have all their `labels`, and of groups whose items all have; 0: as many as were imported."""
    counts = panel.counts.sum(axis=1)
    finished = counts >= max(labels, 1)
    truth = np.where(_whole(panel, finished), panel.majority, MISSING)
    front = in_front(panel)
    # Who is in front is found by looking, so the error is shared out among all that might be.
    some = sum(1 for run in panel.runs if (run.decided != MISSING).any())
    return Stopping(
        finished=int(finished.sum()),
        items=len(panel.items),
        labels=labels,
        given=int(counts[finished].sum()),
        first=front[0].title if front else "",
        second=front[1].title if len(front) > 1 else "",
        chance=1 / len(panel.values),
        accuracy=_held(panel, front[0], truth, error=ERROR / some) if front else Estimate.none(NO_RUN),
        told=_anytime_test(panel, front, truth, pairs=some * (some - 1) // 2) if len(front) > 1 else None,
        is_cut=bool(front) and front[0].is_cut,
        groups=0 if panel.sample.clusters is None else len(np.unique(panel.sample.clusters)),
    )


def _whole(panel: Panel, finished: Mask) -> Mask:
    """The finished items of which no other item of the group is open."""
    codes = panel.sample.clusters
    if codes is None:
        return finished
    return finished & ~np.isin(codes, codes[~finished])


def _held(panel: Panel, run: RunColumn, truth: Ints, *, error: float) -> Estimate:
    """Of a group its first item counts, whatever is said of it, so that what counts is independent."""
    codes = panel.sample.clusters
    places = np.arange(len(truth)) if codes is None else np.sort(np.unique(codes, return_index=True)[1])
    hits = accuracy(run.decided[places], truth[places])
    return replace(always_valid(hits.correct, hits.compared, error=error), note="" if codes is None else ONE_EACH)


def _anytime_test(panel: Panel, runs: tuple[RunColumn, ...], truth: Ints, *, pairs: int) -> AnytimeTest:
    first, second = (run.decided for run in runs)
    return anytime_comparison(first, second, truth, panel.sample.clusters, pairs=pairs)


def next_items(
    panel: Panel, labels: int, *, is_averaged: bool = False, most: int | None = None
) -> tuple[NextItem, ...]:
    """The items that wait for labels, the one whose next label narrows the most first; of equals, in their order.

    In a study of ratings it narrows the interval of the mean rating; else that of how often people say what runs say.
    """
    counts = panel.counts.sum(axis=1)
    decided = [run.decided for run in panel.compared]
    gains = narrowing_of_means(panel.counts) if is_averaged else narrowing(panel.counts, decided)
    order = np.lexsort((np.arange(len(gains)), counts, -gains.round(12)))
    waiting = order[(counts[order] < labels) & (gains[order] > 0)][:most]
    top = float(gains[waiting].max(initial=0.0))
    return tuple(
        NextItem(str(panel.items[place]), str(panel.texts[place]), int(counts[place]), float(gains[place] / top))
        for place in waiting.tolist()
    )


# --- The figures ------------------------------------------------------------------------------------

PLANNED = TypeAdapter(Planned)


def read_plans(chosen: Selected, proposed: Sequence[Design], *, studies: int) -> list[Planned]:
    """What to expect of each design, by all items: seconds the first time, and nothing afterwards."""

    def compute(missing: list[Design]) -> dict[Design, Planned]:
        observed = known(chosen.whole).here
        return {} if observed is None else {design: planned(observed, design, studies=studies) for design in missing}

    parts = {design: ["plan", chosen.asked.classes, design.items, design.labels, studies] for design in proposed}
    computed = chosen.each_remembered(PLANNED, parts, compute)
    return [computed[design] for design in proposed if design in computed]


def labels_an_item(chosen: Selected) -> int:
    """Of a plan for this study as it is: what it asks for or, as imported, what its items have in the mean."""
    items = read_ground(chosen).labeled
    if not (chosen.study.as_imported and items):
        return chosen.study.labels_per_item
    return max(1, round(chosen.gathered.labels / items))


def _planning_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """All items, whatever the filters: a plan is for a whole study."""
    select(study, selection).refuse()  # before the first line goes out
    chosen = select(study, Selection(classes=selection.classes, against=selection.against, ties=selection.ties))
    yield HEADER
    head = [*origin(study), "all items"]
    ground = read_own_ground(chosen)
    if not ground.labeled:
        reason = Estimate.none(ground.undefined)
        yield [*head, "plan", None, None, None, ground.first, ground.second, "", *_cells(reason)]
    if study.measure != ACCURACY:
        proposed = designs(chosen.whole, labels_an_item(chosen)) if ground.labeled else ()
        for design in proposed:
            ratings = planned_ratings(ground, design)
            yield from ([*head, *line] for line in _rating_lines(ratings, ground.first, ground.second))
        return
    for one in read_plans(chosen, designs(chosen.whole, labels_an_item(chosen)), studies=STUDIES):
        yield from ([*head, *line] for line in _plan_lines(one, ground.first, ground.second))
    yield from ([*head, *line] for line in _stop_lines(STOPPING.read(chosen)))


def _next_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """The items that wait for labels, the one whose next label narrows the interval the most first."""
    chosen = select(study, selection)
    panel = chosen.rows
    yield NEXT_HEADER
    head = [*origin(study), chosen.asked.words()]
    waiting = next_items(panel, wanted(study), is_averaged=study.is_averaged)
    yield from ([*head, place, one.item, one.text, one.labels, one.share] for place, one in enumerate(waiting, 1))


def _plan_lines(one: Planned, first: str, second: str) -> Iterator[Row]:
    design = ["plan", one.design.items, one.design.labels, one.design.total]
    yield [*design, first, "", "accuracy", *_cells(one.accuracy)]
    yield [*design, "", "", "alpha", *_cells(one.alpha)]
    yield [*design, first, second, "power_apart", *_cells(one.apart)]
    yield [*design, first, "", "power_above_chance", *_cells(one.above_chance)]


def _rating_lines(one: PlannedRatings, first: str, second: str) -> Iterator[Row]:
    design = ["plan", one.design.items, one.design.labels, one.design.total]
    yield [*design, first, second, "power_apart", *_cells(one.apart)]
    yield [*design, first, "", AssumedRatings.ABOVE, *_cells(one.above_zero)]


def _stop_lines(stop: Stopping) -> Iterator[Row]:
    head = ["stopping", stop.finished, stop.labels or None, stop.given]
    yield [*head, stop.first, "", "accuracy_at_any_look", *_cells(stop.accuracy)]
    if stop.told is not None:
        test = stop.told
        value = None if test.evidence is None else min(1.0, test.pairs / test.evidence)
        counts = f"only the first is right: {test.only_one}; only the second: {test.only_other}"
        n = test.only_one + test.only_other
        yield [*head, stop.first, stop.second, "p_apart_at_any_look", value, None, None, n, "items or groups",
               test.undefined, counts]  # fmt: skip


def _cells(estimate: Estimate) -> Row:
    return [
        estimate.value,
        estimate.low,
        estimate.high,
        estimate.n,
        estimate.unit,
        estimate.undefined,
        estimate.remarks,
    ]


STOPPING = Figure(
    key="stopping",
    part="people",
    title="How many more items and labels?",
    shape=TypeAdapter(Stopping),
    rests_on=lambda chosen: (wanted(chosen.study),),
    is_whole=True,
    compute=lambda chosen, labels: stopping(chosen.whole, labels),
    download=Download(
        key="planning",
        title="Planning",
        says="what more items and labels would show, and whether collection can stop",
        line="an expected result of a planned study (`part` plan), or a test of whether collection can stop (`part` "
        "stopping)",
        rows=_planning_rows,
        is_whole=True,
        is_shared=False,
        is_in_report=False,
    ),
)
NEXT = Figure(
    key="next-items",
    part="people",
    title="Which items to label next",
    shape=TypeAdapter(tuple[NextItem, ...]),
    rests_on=lambda chosen: (wanted(chosen.study), chosen.study.is_averaged),
    is_whole=True,
    compute=lambda chosen, labels, is_averaged: next_items(
        chosen.whole, labels, is_averaged=is_averaged, most=SHOWN_NEXT
    ),
    download=Download(
        key="next-labels",
        title="Next labels",
        says="the items where one more label helps most",
        line="an item that needs labels, the one whose next label narrows the interval most first",
        rows=_next_rows,
        is_shared=False,
        is_in_report=False,
    ),
)
