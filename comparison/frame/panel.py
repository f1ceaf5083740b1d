"""Everything that was said about a study's items, lined up: one row an item, one column a rater. Free of Django."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from comparison.frame.coded import coded
from comparison.statistics.aggregation import kinds, no_majority, settled
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.divergence import among_people, from_people
from comparison.statistics.resampling.sample import Sample, grouped
from comparison.statistics.strengths.cut_points import Cuts, marked
from comparison.statistics.verdict.evidence import REFERENCE, Voices
from comparison.statistics.verdict.words.wording import CUT

if TYPE_CHECKING:
    import pandas as pd

Mask = NDArray[np.bool_]
Texts = NDArray[np.object_]


def run_name(model: str, metric: str) -> str:
    return f"{model} · {metric}"


@dataclass(frozen=True, kw_only=True)
class NamedRun:
    """Which run it is, and how it is named beside figures; `short` is its name where there is little room."""

    key: str
    short: str
    model: str
    metric: str
    family: str
    is_baseline: bool
    state: str
    cuts: Cuts | None = None
    # Of a run that answers with one label always: with which, and why that one.
    always: str = ""

    def named(self) -> dict[str, Any]:
        """These fields: of what is said of a run, which it is."""
        return {one.name: getattr(self, one.name) for one in fields(NamedRun)}

    @property
    def name(self) -> str:
        return run_name(self.model, self.metric)

    @property
    def is_cut(self) -> bool:
        """Whether its codes are degrees by cut points and not its own decisions."""
        return self.cuts is not None and not self.cuts.undefined

    @property
    def marked_metric(self) -> str:
        """What stands below its short name: the metric, with † where its labels are by cut points."""
        return f"{self.metric} {CUT}" if self.is_cut else self.metric

    @property
    def title(self) -> str:
        return marked(self.name, self.cuts)


@dataclass(frozen=True, kw_only=True)
class RunColumn(NamedRun):
    """What one run says: codes and strengths (NaN where none) and reasons ('' where scored), shape (items,).

    Where there are `cuts`, the run names no labels: its codes are degrees that its strengths were cut into.
    """

    decided: Ints
    strengths: Floats
    unscored: Texts
    scored: Mask

    def where(self, mask: Mask) -> "RunColumn":
        return replace(
            self,
            decided=self.decided[mask],
            strengths=self.strengths[mask],
            unscored=self.unscored[mask],
            scored=self.scored[mask],
        )


@dataclass(frozen=True)
class Probabilities:
    """A run's, of shape (items, values): rows add up to 1, or are NaN where it has none. `how` says what they are."""

    given: Floats
    how: str


@dataclass(frozen=True)
class Panel:
    """Items by raters. `counts` is (items, values); `truth` holds the references' codes.

    `decisions` are codes of what researchers decided of items without a majority, where that counts as the truth.
    `published` are the numbers that the item file gives for items, such as mean ratings; NaN where none.
    `lengths` are in words, as the task type counts them. `numeric` names the attributes that are numbers.
    `one_role`: the labels are roles of options, and one of them is right for all items of the study (`is_one_role`).
    """

    items: Texts
    texts: Texts
    lengths: Floats
    groups: Texts
    attributes: Mapping[str, Texts]
    values: tuple[str, ...]
    words: Mapping[str, str]
    ordered: bool
    people: "pd.DataFrame"
    counts: Ints
    truth: Ints
    published: Floats
    runs: tuple[RunColumn, ...]
    numeric: tuple[str, ...] = ()
    one_role: bool = False
    decisions: Ints | None = None

    @cached_property
    def majority(self) -> Ints:
        """What runs are compared with where that is people's majority; decisions stand in for it where they count."""
        nothing = np.full(len(self.items), MISSING)
        return settled(self.counts, nothing if self.decisions is None else self.decisions)

    @cached_property
    def sample(self) -> Sample:
        """The items, drawn together where they share a group; one without a group stands for itself."""
        return grouped(self.groups)

    @cached_property
    def voices(self) -> Voices:
        """People's labels one by one: who gave which."""
        labels = coded(self.people, items=list(self.items), values=self.values)
        return Voices(labels.items, labels.raters, labels.labels, labels.names)

    @property
    def repeated(self) -> int:
        """How many items have the same text as another, but for space; 0 where a study names groups."""
        if any(self.groups):
            return 0
        times = Counter(" ".join(text.split()) for text in self.texts)
        return sum(many for many in times.values() if many > 1)

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """What the labels of a numbered scale are as numbers; empty where they are words."""
        if not self.ordered or not all(value.isdecimal() for value in self.values):
            return ()
        return tuple(float(value) for value in self.values)

    @cached_property
    def kinds(self) -> NDArray[np.str_]:
        return kinds(self.counts)

    @cached_property
    def among_people(self) -> Floats:
        return among_people(self.counts)

    @cached_property
    def has_labels(self) -> bool:
        return bool(self.counts.sum())

    @cached_property
    def no_majority(self) -> str:
        """Why there are labels and no majority to hold runs against, in words; empty where that is not so."""
        return "" if (self.majority != MISSING).any() else no_majority(self.counts)

    @cached_property
    def has_references(self) -> bool:
        return bool((self.truth >= 0).any())

    @cached_property
    def has_published(self) -> bool:
        return bool(np.isfinite(self.published).any())

    @cached_property
    def target_counts(self) -> Ints:
        """People's labels; where a study has none at all, its references, each as one label."""
        if self.has_labels:
            return self.counts
        return np.where(self.truth[:, None] == np.arange(len(self.values)), 1, 0)

    def divergence(self, runs: Sequence[RunColumn]) -> Floats:
        """Each item's mean divergence of these runs from people (or references), from 0 to 1; NaN where none."""
        if not runs:
            return np.full(len(self.items), np.nan)
        return from_people(self.target_counts, np.column_stack([run.decided for run in runs]))

    @cached_property
    def compared(self) -> tuple[RunColumn, ...]:
        """What divergence is about: models with labels, or else with degrees, or else baselines."""
        deciding = tuple(run for run in self.runs if (run.decided != MISSING).any())
        models = tuple(run for run in deciding if not run.is_baseline)
        return tuple(run for run in models if not run.is_cut) or models or deciding

    @cached_property
    def answering(self) -> tuple[RunColumn, ...]:
        """The models that give labels, of their own or by cut points; no baselines."""
        return tuple(run for run in self.runs if not run.is_baseline and (run.decided != MISSING).any())

    def models_right(self, target: str) -> tuple[Ints, Ints]:
        """Of each item: how many models are right, and how many have an answer that can be right or wrong."""
        true = self.true(target)
        right, answered = np.zeros(len(self.items), dtype=np.int64), np.zeros(len(self.items), dtype=np.int64)
        for run in self.answering:
            counts = (run.decided != MISSING) & (true != MISSING)
            answered += counts
            right += counts & (run.decided == true)
        return right, answered

    @property
    def compared_keys(self) -> tuple[str, ...]:
        return tuple(run.key for run in self.compared)

    def run(self, key: str) -> RunColumn | None:
        return next((run for run in self.runs if run.key == key), None)

    def decided(self, key: str) -> Ints:
        """What the run of this key says, as codes."""
        return next(run.decided for run in self.runs if run.key == key)

    def word(self, code: int) -> str:
        """A label as it is shown; empty for MISSING."""
        return self.words[self.values[code]] if code != MISSING else ""

    def true(self, target: str) -> Ints:
        """What runs are held against: references or people's majority, as codes."""
        return self.truth if target == REFERENCE else self.majority

    def where(self, mask: Mask) -> "Panel":
        """The panel with only the items of the mask."""
        items = self.items[mask]
        return replace(
            self,
            items=items,
            texts=self.texts[mask],
            lengths=self.lengths[mask],
            groups=self.groups[mask],
            attributes={name: column[mask] for name, column in self.attributes.items()},
            people=self.people[self.people["item"].isin(set(items))],
            counts=self.counts[mask],
            truth=self.truth[mask],
            decisions=None if self.decisions is None else self.decisions[mask],
            published=self.published[mask],
            runs=tuple(run.where(mask) for run in self.runs),
        )
