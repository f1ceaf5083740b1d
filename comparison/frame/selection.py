"""What a reader asked to see: the filters and choices in the address."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

import numpy as np

from comparison.frame.outline import Outline
from comparison.frame.panel import Mask, Panel
from comparison.statistics.aggregation.majority import KINDS
from comparison.statistics.counts import MISSING

TARGETS = ("majority", "reference")
# What the truth is called in a sentence.
TRUTHS = {"": "the truth", "majority": "the majority label", "reference": "the reference"}
RIGHT, WRONG = "right", "wrong"
RIGHTS = (RIGHT, WRONG)
# In the address: the run gives no label.
NOTHING = "none"
SORTS = ("divergence", "people", "position", "strength")


@dataclass(frozen=True, slots=True)
class Selection:
    """The address of a study's results. Empty means: everything, or the page's own choice."""

    classes: str = ""
    agreement: str = ""
    attribute: str = ""
    value: str = ""
    q: str = ""
    true: str = ""
    given: str = ""
    right: str = ""
    against: str = ""
    run: str = ""
    beside: str = ""
    ranked: str = ""
    by: str = ""
    sort: str = "divergence"
    runs: tuple[str, ...] = ()
    page: int = 1

    @property
    def coarse(self) -> bool:
        return self.classes == "coarse"

    @property
    def narrows(self) -> bool:
        return bool(self.agreement or self.attribute or self.q or self.true or self.given or self.right)

    @property
    def looks_at_run(self) -> bool:
        """Whether the items are chosen by what the run says of them."""
        return bool(self.given or self.right)

    @property
    def of_items(self) -> tuple[str, ...]:
        """What the figures depend on, for remembering them."""
        truth = self.against if self.true or self.right else ""
        run = self.run if self.looks_at_run else ""
        return (
            *(self.classes, self.agreement, self.attribute, self.value, self.q),
            *(self.true, self.given, self.right, truth, run),
        )

    def mask(self, panel: Panel) -> Mask:
        """The items that pass every filter. What is asked of a run or of the truth is of those that are named."""
        chosen = np.ones(len(panel.items), dtype=bool)
        if self.agreement:
            chosen &= panel.kinds == self.agreement
        if self.attribute:
            chosen &= panel.attributes[self.attribute] == self.value
        if self.q:
            needle = self.q.casefold()
            chosen &= np.array([needle in text.casefold() for text in panel.texts], dtype=bool)
        if self.true:
            chosen &= panel.true(self.against) == panel.values.index(self.true)
        if self.given:
            code = MISSING if self.given == NOTHING else panel.values.index(self.given)
            chosen &= panel.decided(self.run) == code
        if self.right:
            decided, true = panel.decided(self.run), panel.true(self.against)
            chosen &= (decided != MISSING) & (true != MISSING) & ((decided == true) == (self.right == RIGHT))
        return chosen

    def words(self) -> str:
        """The filters in words, for headings and downloads."""
        parts = [
            f"agreement is {self.agreement}" if self.agreement else "",
            f"{self.attribute} is {self.value or 'empty'}" if self.attribute else "",
            f"text contains “{self.q}”" if self.q else "",
            f"{TRUTHS[self.against]} is {self.true}" if self.true else "",
            f"the run gives {self.given if self.given != NOTHING else 'no label'}" if self.given else "",
            f"the run is {self.right}" if self.right else "",
        ]
        return ", ".join(part for part in parts if part) or "all items"

    def with_classes(self, classes: str) -> "Selection":
        return replace(self, classes=classes)

    def query(self, **changes: Any) -> str:
        """The query string of this selection with some choices changed; defaults are left out."""
        changed, default = replace(self, **changes), Selection()
        pairs = [
            (name, getattr(changed, name))
            for name in self.__dataclass_fields__
            if getattr(changed, name) != getattr(default, name)
        ]
        return urlencode(pairs, doseq=True)


class SelectionError(ValueError):
    """The address asks for something that does not exist. The message says what there is."""


def read_selection(query: Mapping[str, str], runs: list[str]) -> Selection:
    """The selection of a query string (`runs` are its repeated values); SelectionError for what is not known."""
    known = {name: query[name] for name in Selection.__dataclass_fields__ if name in query and name != "runs"}
    page = known.pop("page", "1")
    if not (page.isascii() and page.isdigit() and int(page) >= 1):
        raise SelectionError("The page must be a number from 1.")
    found = Selection(**known, runs=tuple(runs), page=int(page))
    _one_of("classes", found.classes, ("", "coarse"))
    _one_of("agreement", found.agreement, ("", *KINDS))
    _one_of("against", found.against, ("", *TARGETS))
    _one_of("right", found.right, ("", *RIGHTS))
    _one_of("sort", found.sort, SORTS)
    return found


def fitted(selection: Selection, found: Outline) -> Selection:
    """The selection with the page's own choices filled in; SelectionError if it names what the study lacks.

    A run that is not named is the nearest, set beside the best baseline or else the next nearest.
    """
    _one_of("attribute", selection.attribute, ("", *found.names))
    _one_of("by", selection.by, ("", *found.names))
    _one_of("run", selection.run, ("", *found.keys))
    _one_of("beside", selection.beside, ("", *found.keys))
    _one_of("true", selection.true, ("", *found.values))
    _one_of("given", selection.given, ("", NOTHING, *found.values))
    if selection.looks_at_run and not found.keys:
        raise SelectionError("There is no run whose labels could be asked for.")
    for key in selection.runs:
        _one_of("runs", key, found.keys)
    run = selection.run or next(iter(found.nearest), "")
    return replace(
        selection,
        against=selection.against or found.against,
        run=run,
        beside=selection.beside or _another(found, run),
        by=selection.by or found.quickest,
        runs=selection.runs or found.nearest[:SHOWN_RUNS],
    )


def _another(found: Outline, run: str) -> str:
    """What to set beside a run: the best baseline, or else the nearest other run, of those that give labels."""
    others = [key for key in found.nearest if key != run and key in found.deciding]
    baselines = [one.key for one in found.runs if one.is_baseline]
    return next((key for key in others if key in baselines), next(iter(others), ""))


# As many run columns as fit a laptop beside the sentence.
SHOWN_RUNS = 3


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        choices = ", ".join(choice for choice in known if choice) or "none"
        raise SelectionError(f"{name} cannot be {value!r}; there is: {choices}.")
