"""What a reader asked to see: the filters and choices in the address."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

import numpy as np

from comparison.frame.filters.columns import TakenColumn, taken
from comparison.frame.filters.ranges import ENTROPY, JENSEN_SHANNON, OF_A_RUN, RANGES, SURPRISAL, Range
from comparison.frame.panel import Mask, Panel
from comparison.statistics.counts import MISSING, WITHOUT, Floats

TARGETS = ("majority", "reference")
# In the address: what researchers decided of items without a majority counts as their majority label.
ADJUDICATED = "adjudicated"
# What the truth is called in a sentence.
TRUTHS = {"": "the target", "majority": "the majority label", "reference": "the reference"}
RIGHT, WRONG = "right", "wrong"
RIGHTS = (RIGHT, WRONG)
# In the address: the run gives no label, or people have no majority.
NOTHING = "none"
# How people's majority stands to the reference, where there is one.
AGREES, DIFFERS = "agrees", "differs"
PEOPLE = {
    AGREES: "the majority label matches the reference",
    DIFFERS: "the majority label differs from the reference",
    NOTHING: "there are labels and a reference, but no majority",
}
# Whose labels shares are of, beside the runs by their keys; and what the shares of a matrix are of.
LABELS = "labels"
SHARED = (LABELS, *TARGETS)
WHOLE = "whole"
SORTS = ("divergence", "people", "position", "strength", *RANGES)
# Stands before a value of an attribute in the address that is empty or begins with it: an empty one is any value.
EXACTLY = "="
# In the address: without anything that may say who an annotator is.
ANONYMOUS = "yes"


@dataclass(frozen=True, slots=True)
class Selection:
    """The address of a study's results. Empty means: everything, or the page's own choice."""

    classes: str = ""
    agreement: str = ""
    where: tuple[tuple[str, str], ...] = ()
    people: str = ""
    q: str = ""
    true: str = ""
    given: str = ""
    right: str = ""
    entropy_min: str = ""
    entropy_max: str = ""
    jensen_shannon_min: str = ""
    jensen_shannon_max: str = ""
    surprisal_min: str = ""
    surprisal_max: str = ""
    surprisal_of: str = ""
    beside_right: str = ""
    models: str = ""
    against: str = ""
    ties: str = ""
    measure: str = ""
    run: str = ""
    beside: str = ""
    ranked: str = ""
    by: str = ""
    merged: tuple[str, ...] = ()
    merged_as: str = ""
    bins: str = ""
    within: str = ""
    shares_of: str = ""
    across: str = ""
    unit: str = ""
    predictors: tuple[str, ...] = ()
    condition: str = ""
    cells: str = ""
    sort: str = "divergence"
    runs: tuple[str, ...] = ()
    assessors: tuple[str, ...] = ()
    anonymous: str = ""
    page: int = 1

    @property
    def coarse(self) -> bool:
        return self.classes == "coarse"

    @property
    def adjudicated(self) -> bool:
        """Whether decisions stand in for a majority; references need none."""
        return self.ties == ADJUDICATED and self.against != TARGETS[1]

    @property
    def narrows(self) -> bool:
        plain = self.agreement or self.q or self.true or self.models
        return bool(plain or self.looks_at_run or self.beside_right or self.narrows_further)

    @property
    def acting(self) -> int:
        """How many filters there are."""
        of_runs = (self.given, self.right, self.beside_right, self.models)
        own = (self.agreement, self.q, self.true, self.people, self.within, *of_runs)
        return sum(map(bool, own)) + len(self.where) + len(self.ranges)

    @property
    def narrows_further(self) -> bool:
        """By what the filter bar keeps folded."""
        return bool(self.where or self.people or self.ranges or self.within)

    @property
    def ranges(self) -> tuple[Range, ...]:
        """Those that are asked for."""
        every = (Range(name, getattr(self, f"{name}_min"), getattr(self, f"{name}_max")) for name in RANGES)
        return tuple(one for one in every if not one.is_open)

    @property
    def ranged(self) -> tuple[str, ...]:
        """The numbers that items are chosen by."""
        return tuple(one.name for one in self.ranges)

    @property
    def ranged_by_run(self) -> tuple[str, ...]:
        """Those of them that are of a run."""
        return tuple(name for name in self.ranged if name in OF_A_RUN)

    @property
    def numbers(self) -> tuple[str, ...]:
        """Those, and what items are sorted by."""
        return tuple(name for name in RANGES if name in self.ranged or name == self.sort)

    @property
    def looks_at_run(self) -> bool:
        """Whether the items are chosen by what the run says of them."""
        return bool(self.given or self.right or self.ranged_by_run)

    @property
    def chosen_by_result(self) -> str:
        """What runs are judged by and items were chosen by, in words; empty where by nothing of it."""
        if self.right or self.beside_right or (self.given and self.true):
            return "whether a run is right"
        if self.models:
            return "whether the models are right"
        if self.people:
            return "whether the majority label matches the reference"
        return "a run’s distance from the labels" if JENSEN_SHANNON in self.ranged else ""

    @property
    def chosen_by_label(self) -> str:
        """What the items were chosen by that a run’s biases depend on, in words; also its labels, or what is true."""
        by_label = "a run’s answers" if self.given else TRUTHS[self.against] if self.true else ""
        return self.chosen_by_result or by_label

    @property
    def chosen_by_agreement(self) -> str:
        """What the items were chosen by that people’s agreement depends on, in words; empty where nothing is."""
        return "agreement" if self.agreement or self.people or ENTROPY in self.ranged else ""

    @property
    def no_nearest(self) -> str:
        """What is said in place of a verdict on runs; empty where there may be one."""
        by = self.chosen_by_result
        return f"These items were filtered by {by}, so no model is named nearest." if by else ""

    @property
    def no_bias(self) -> str:
        """What is said in place of what runs follow: a label that was asked for of every item is not favored."""
        by = self.chosen_by_label
        return f"These items were filtered by {by}, so no bias is reported." if by else ""

    @property
    def no_agreement(self) -> str:
        """What is said in place of figures of agreement; empty where there may be some."""
        by = self.chosen_by_agreement
        return f"These items were filtered by {by}, so no agreement is reported." if by else ""

    @property
    def of_items(self) -> tuple[object, ...]:
        """What the figures depend on, for remembering them."""
        truth = self.against if self.true or self.right or self.beside_right or self.models else ""
        run = self.run if self.looks_at_run else ""
        other = (self.beside_right, self.beside) if self.beside_right else ()
        ranges = tuple((one.name, one.least, one.most) for one in self.ranges)
        of = self.surprisal_of if self.asks_surprisal else ""
        return (
            *(self.classes, self.ties, self.agreement, self.where, self.people, self.q),
            *(self.true, self.given, self.right, self.models, truth, run, ranges, of),
            *other,
            *((self.within, *self.taking) if self.within else ()),
        )

    @property
    def taking(self) -> tuple[object, ...]:
        """What figures by the attribute depend on."""
        return (self.by, self.merged, self.merged_as, self.bins)

    def taken(self, whole: Panel) -> TakenColumn:
        """The attribute that figures are by, as it is asked for."""
        return taken(whole, self.by, bins=self.bins, merged=self.merged, merged_as=self.merged_as)

    @property
    def asks_surprisal(self) -> bool:
        return SURPRISAL in self.ranged

    def mask(self, panel: Panel, numbers: Mapping[str, Floats]) -> Mask:
        """The items that pass every filter. `numbers`: those that ranges are of, by name."""
        chosen = np.ones(len(panel.items), dtype=bool)
        if self.within:
            chosen &= self._within(panel)
        if self.agreement:
            chosen &= panel.kinds == self.agreement
        for name, value in self.where:
            chosen &= panel.attributes[name] == value
        if self.people:
            chosen &= _people(panel, self.people)
        for one in self.ranges:
            chosen &= one.holds(numbers[one.name])
        if self.q:
            needle = self.q.casefold()
            chosen &= np.array([needle in text.casefold() for text in panel.texts], dtype=bool)
        return chosen & self._by_answers(panel)

    def _by_answers(self, panel: Panel) -> Mask:
        """What is asked of the truth, and of what runs say."""
        chosen = np.ones(len(panel.items), dtype=bool)
        if self.true:
            chosen &= panel.true(self.against) == panel.values.index(self.true)
        if self.given:
            code = MISSING if self.given == NOTHING else panel.values.index(self.given)
            chosen &= panel.decided(self.run) == code
        for run, right in ((self.run, self.right), (self.beside, self.beside_right)):
            if right:
                decided, true = panel.decided(run), panel.true(self.against)
                chosen &= (decided != MISSING) & (true != MISSING) & ((decided == true) == (right == RIGHT))
        if self.models:
            hits, answered = panel.models_right(self.against)
            chosen &= (answered > 0) & (hits == (answered if self.models == RIGHT else 0))
        return chosen

    def _within(self, panel: Panel) -> Mask:
        """The items whose attribute is this, as it is taken: of a bin, or of one of the values that are merged."""
        column = self.taken(panel).of(panel)
        return np.array([(value or WITHOUT) == self.within for value in column], dtype=bool)

    def words(self) -> str:
        """The filters in words, for headings and downloads."""
        parts = [
            f"agreement is {self.agreement}" if self.agreement else "",
            *(f"{name} is {value or 'empty'}" for name, value in self.where),
            PEOPLE.get(self.people, ""),
            f"{self.by} is {self.within}" if self.within else "",
            f"text contains “{self.q}”" if self.q else "",
            f"{TRUTHS[self.against]} is {self.true}" if self.true else "",
            f"the run’s answer is {self.given if self.given != NOTHING else 'no label'}" if self.given else "",
            f"the run is {self.right}" if self.right else "",
            *(one.words() for one in self.ranges),
            f"surprisal is of “{self.surprisal_of}”" if self.asks_surprisal and self.surprisal_of else "",
            f"the second run is {self.beside_right}" if self.beside_right else "",
            f"every model is {self.models}" if self.models else "",
        ]
        chosen = ", ".join(part for part in parts if part) or "all items"
        chosen = f"{chosen}, adjudicated where there is no majority" if self.adjudicated else chosen
        return f"{chosen}, by {self.measure}" if self.measure else chosen

    def with_classes(self, classes: str) -> "Selection":
        return replace(self, classes=classes)

    def query(self, **changes: Any) -> str:
        """The query string of this selection with some choices changed; defaults are left out."""
        changed, default = replace(self, **changes), Selection()
        pairs = [(name, getattr(changed, name)) for name in PLAIN if getattr(changed, name) != getattr(default, name)]
        names, values = changed.narrowed()
        return urlencode([*pairs, ("attribute", names), ("value", values)], doseq=True)

    def narrowed(self, more: Mapping[str, str] | None = None) -> tuple[list[str], list[str]]:
        """The attributes and their values as the address has them, with these added or put in their place."""
        every = dict(self.where) | dict(more or {})
        return list(every), [spelled(value) for value in every.values()]

    def value_of(self, attribute: str) -> str:
        """What it is asked to be, as the address has it; empty where it may be anything."""
        return next((spelled(value) for name, value in self.where if name == attribute), "")


PLAIN = tuple(name for name in Selection.__dataclass_fields__ if name != "where")


def spelled(value: str) -> str:
    """An attribute's value as the address has it.

    >>> [spelled(value) for value in ("really", "", "=")]
    ['really', '=', '==']
    """
    return f"{EXACTLY}{value}" if not value or value.startswith(EXACTLY) else value


def _people(panel: Panel, choice: str) -> Mask:
    """The items with labels and a reference on which people's majority stands to it like that."""
    both = (panel.truth != MISSING) & (panel.counts.sum(axis=1) > 0)
    if choice == NOTHING:
        return np.asarray(both & (panel.majority == MISSING))
    return np.asarray(both & (panel.majority != MISSING) & ((panel.majority == panel.truth) == (choice == AGREES)))
