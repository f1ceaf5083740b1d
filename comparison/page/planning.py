"""How many more items and labels: what is known for it, whether collecting may stop, and what to label next."""

from dataclasses import dataclass, replace

import numpy as np

from comparison.frame.panel import Mask, Panel, RunColumn
from comparison.statistics.accuracy.hits import accuracy
from comparison.statistics.agreement.alpha import Level, krippendorff_alpha
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.planning.drawing import Design
from comparison.statistics.planning.next_label import narrowing
from comparison.statistics.planning.plan import Here
from comparison.statistics.planning.stopping import ERROR, Told, always_valid, told_apart

NO_LABELS = "nobody has labeled an item yet, so nothing tells how people differ"
ONE_EACH = "of each group the first item"
NO_RUN = "no run names labels"
NONE_FINISHED = "no item has all its labels yet"


@dataclass(frozen=True, slots=True)
class Known:
    """What planning rests on, or why it cannot be done; and the names of the run in front and the next."""

    here: Here | None
    first: str
    second: str
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """The same in brief, as it is remembered: how many `labeled` items there are to plan from, 0 where it cannot be."""

    labeled: int
    first: str
    second: str
    undefined: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    """Where collecting stands, by figures that may be looked at as often as one likes.

    `groups`: how many the items are in, those that stand for themselves too; 0 where none are shared. `is_cut`: the
    first names no label, and its degrees by cut points are above 1 / options where they know nothing of the items.
    """

    finished: int
    items: int
    first: str
    second: str
    chance: float
    accuracy: Estimate
    told: Told | None
    groups: int = 0
    is_cut: bool = False

    @property
    def counted_once(self) -> str:
        """Why the figures here are of fewer than items elsewhere; empty where no items share a group."""
        if not self.groups:
            return ""
        return (
            f"A group of items counts once here ({self.groups:,} groups and single items): for accuracy by its first "
            "item, between two runs by which of them is right on more of its items. Elsewhere every item counts."
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
            return "No run names labels, so there is nothing to be told apart."
        said = [f"{self.first} {self._against_chance}"]
        if self.told is not None:
            if self.told.apart:
                ahead = self.first if self.told.only_one > self.told.only_other else self.second
                said.append(f"{self.first} and {self.second} can be told apart: {ahead} is right more often")
            else:
                said.append(f"{self.first} and {self.second} cannot be told apart yet")
        return ". ".join(said) + "."

    @property
    def _against_chance(self) -> str:
        if self.accuracy.value is None:
            return f"cannot be held against chance here: {self.accuracy.undefined}"
        if self.is_cut:
            return "cannot be held against chance here: its degrees are fitted to how common each label is"
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


def in_front(panel: Panel) -> tuple[RunColumn, ...]:
    """The two runs that come nearest by accuracy: models before baselines, those that name labels before cut ones."""
    deciding = [run for run in panel.runs if (run.decided != MISSING).any()]

    def place(run: RunColumn) -> tuple[bool, bool, float]:
        found = accuracy(run.decided, panel.majority, sample=panel.sample).accuracy
        return run.is_baseline, run.is_cut, -(found.low if found.low is not None else -1.0)

    return tuple(sorted(deciding, key=place)[:2])


def known(panel: Panel) -> Known:
    """What `planned` asks for, of the items that people have labeled."""
    front = in_front(panel)
    first, second = (*(run.title for run in front), "", "")[:2]
    level: Level = "ordinal" if panel.ordered else "nominal"
    alpha = krippendorff_alpha(panel.counts, level=level)
    labeled = panel.counts.sum(axis=1) > 0
    if not labeled.any() or alpha.value is None:
        return Known(None, first, second, alpha.undefined if labeled.any() else NO_LABELS)
    codes = panel.sample.clusters
    decided = [run.decided[labeled] for run in front]
    here = Here(
        counts=panel.counts[labeled],
        level=level,
        groups=np.arange(int(labeled.sum())) if codes is None else codes[labeled],
        first=decided[0] if decided else None,
        second=decided[1] if len(decided) > 1 else None,
    )
    return Known(here, first, second)


def ground(found: Known) -> Ground:
    return Ground(0 if found.here is None else len(found.here.counts), found.first, found.second, found.undefined)


def designs(panel: Panel, labels: int) -> tuple[Design, ...]:
    """This study's own design, and what twice and four times the items, and twice the labels, would be."""
    items = int((panel.counts.sum(axis=1) > 0).sum())
    return tuple(Design(times * items, more * labels) for more in (1, 2) for times in (1, 2, 4)) if items else ()


def stopping(panel: Panel, labels: int) -> Stopping:
    """Of the items that have all their `labels`, and of groups whose items all have."""
    finished = panel.counts.sum(axis=1) >= labels
    truth = np.where(_whole(panel, finished), panel.majority, MISSING)
    front = in_front(panel)
    # Who is in front is found by looking, so the error is shared out among all that might be.
    some = sum(1 for run in panel.runs if (run.decided != MISSING).any())
    return Stopping(
        finished=int(finished.sum()),
        items=len(panel.items),
        first=front[0].title if front else "",
        second=front[1].title if len(front) > 1 else "",
        chance=1 / len(panel.values),
        accuracy=_held(panel, front[0], truth, error=ERROR / some) if front else Estimate.none(NO_RUN),
        told=_told(panel, front, truth, pairs=some * (some - 1) // 2) if len(front) > 1 else None,
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


def _told(panel: Panel, runs: tuple[RunColumn, ...], truth: Ints, *, pairs: int) -> Told:
    first, second = (run.decided for run in runs)
    return told_apart(first, second, truth, panel.sample.clusters, pairs=pairs)


def next_items(panel: Panel, labels: int, *, most: int | None = None) -> tuple[NextItem, ...]:
    """The items that wait for labels, the one whose next label narrows the most first; of equals, in their order."""
    given = panel.counts.sum(axis=1)
    gains = narrowing(panel.counts, [run.decided for run in panel.compared])
    order = np.lexsort((np.arange(len(gains)), given, -gains.round(12)))
    waiting = order[(given[order] < labels) & (gains[order] > 0)][:most]
    top = float(gains[waiting].max(initial=0.0))
    return tuple(
        NextItem(str(panel.items[place]), str(panel.texts[place]), int(given[place]), float(gains[place] / top))
        for place in waiting.tolist()
    )
