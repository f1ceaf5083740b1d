"""What a study's results are about, in brief: what filters and headings name, without a row for each item."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from pydantic import TypeAdapter

from comparison.frame.assessors import few_assessors
from comparison.frame.filters.columns import numbers as read_numbers
from comparison.frame.filters.ranges import JENSEN_SHANNON
from comparison.frame.panel import NamedRun, Panel
from comparison.statistics.counts import MISSING
from comparison.statistics.divergence import most
from comparison.statistics.verdict.measure import ACCURACY
from comparison.statistics.verdict.parts import Verdict

# As many values of an attribute as a list to choose from can hold.
MOST_VALUES = 100
# Fewer items a value than these say nothing of it.
FEW_EACH = 3
# Words in names of attributes that say where an item is from, not what it is like; in English and German.
PROVENANCE = {
    *("source", "origin", "author", "annotator", "url", "link", "reference", "citation", "paper", "license", "date"),
    *("note", "notes", "comment", "comments", "remark", "remarks", "quelle", "herkunft", "autor", "notiz", "kommentar"),
}
# An attribute of more values would have a figure for each in a regression.
MOST_CLASSES = 12


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: how many values it has, and the most frequent of them with their items."""

    name: str
    size: int
    values: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, name: str, counts: Counter[str]) -> "Attribute":
        return cls(name, len(counts), tuple(counts.most_common(MOST_VALUES)))

    @property
    def is_listed(self) -> bool:
        """Whether the values are all there are."""
        return len(self.values) == self.size

    @property
    def is_provenance(self) -> bool:
        """Whether its name says that it tells where items come from, or is a remark on them."""
        return bool(PROVENANCE.intersection(re.findall(r"[^\W\d_]+", self.name.lower())))

    @property
    def is_scattered(self) -> bool:
        """Whether its values have hardly more than an item each, as free text has."""
        return sum(items for _, items in self.values) < FEW_EACH * len(self.values)


@dataclass(frozen=True, slots=True)
class RunNumbers:
    """What a run's scores hold besides decisions and strengths.

    `shares` says what its probabilities of the labels are, and is empty where it gives none; `options` are the names
    of the texts that it gives a log-probability; `has_ranks`: it ranks the scale's values.
    """

    shares: str
    options: tuple[str, ...]
    has_ranks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What an address may name. None of it is a figure, so that it is known before any is computed.

    `values` are the labels as they are shown, `numeric` the attributes that are numbers, `run_names` the runs by key,
    `measures` those by which runs can be compared.
    """

    values: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    numeric: tuple[str, ...]
    run_names: Mapping[str, str]
    numbers: Mapping[str, RunNumbers]
    measures: tuple[str, ...] = (ACCURACY,)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the attributes."""
        return tuple(one.name for one in self.attributes)

    @property
    def predicting(self) -> tuple[str, ...]:
        """The attributes that a regression can take: numbers, and those of few values."""
        return tuple(one.name for one in self.attributes if one.name in self.numeric or 2 <= one.size <= MOST_CLASSES)

    @property
    def keys(self) -> tuple[str, ...]:
        """Of the runs."""
        return tuple(self.run_names)

    @property
    def ranking(self) -> tuple[str, ...]:
        """The keys of the runs that give ranks."""
        return tuple(key for key in self.keys if self.numbers[key].has_ranks)

    def choices(self, attribute: str) -> tuple[str, ...]:
        """Every value of an attribute, if they are few enough to be listed."""
        one = next(one for one in self.attributes if one.name == attribute)
        return tuple(value for value, _ in one.values) if one.is_listed else ()

    def giving(self, number: str, run: str) -> bool:
        """Whether a run has that number of items."""
        one = self.numbers[run]
        return bool(one.shares if number == JENSEN_SHANNON else one.options)

    @property
    def telling(self) -> str:
        """The attribute that is looked at first: of the fewest values, at least two, that each have several items."""
        several = [one for one in self.attributes if one.size > 1]
        return min(several, key=lambda one: (one.is_provenance, one.is_scattered, one.size)).name if several else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline(Offer):
    """`runs` are in the panel's order, `nearest` their keys from the nearest to the furthest, models first."""

    items: int
    words: Mapping[str, str]
    runs: tuple[NamedRun, ...]
    deciding: tuple[str, ...]
    compared: tuple[str, ...]
    nearest: tuple[str, ...]
    against: str
    has_labels: bool
    has_references: bool
    has_published: bool
    no_majority: str
    # Of the attributes that are numbers, how many items lack one, where any does.
    lacked: Mapping[str, int]
    # The numbers of all who labeled, where they are few enough to be shown one by one.
    assessors: tuple[str, ...] = ()

    def run(self, key: str) -> NamedRun | None:
        return next((run for run in self.runs if run.key == key), None)

    @property
    def titles(self) -> dict[int, str]:
        """The runs' whole names, as files have them: a verdict calls runs by their short ones."""
        return {int(run.key): run.title for run in self.runs}

    @property
    def entropy_most(self) -> float:
        """The highest entropy that an item's labels can have, in bits."""
        return most(len(self.values))


OUTLINE = TypeAdapter(Outline)


def outline(panel: Panel, reached: Verdict | None, *, against: str, offer: Offer) -> Outline:
    """Of a whole panel; `reached` is the verdict on it, `against` what its runs are held against by default.

    Without a verdict, models stand before baselines and no nearer to people than one another.
    """
    return Outline(
        **{one.name: getattr(offer, one.name) for one in fields(Offer)},
        items=len(panel.items),
        words=panel.words,
        runs=tuple(NamedRun(**run.named()) for run in panel.runs),
        deciding=tuple(run.key for run in panel.runs if (run.decided != MISSING).any()),
        compared=panel.compared_keys,
        nearest=_nearest(panel, reached),
        against=against,
        has_labels=panel.has_labels,
        has_references=panel.has_references,
        has_published=panel.has_published,
        no_majority=panel.no_majority,
        lacked=_lacked(panel),
        assessors=few_assessors(panel),
    )


def _lacked(panel: Panel) -> dict[str, int]:
    missing = {name: int(np.isnan(read_numbers(panel, name)).sum()) for name in panel.numeric}
    return {name: items for name, items in missing.items() if items}


def _nearest(panel: Panel, reached: Verdict | None) -> tuple[str, ...]:
    """Those that the verdict places, then those it hears by their strength, then the rest as they stand."""
    placed = sorted(reached.runs.placed, key=lambda one: one.is_baseline) if reached else []
    rest = [*panel.compared_keys, *(run.key for run in panel.runs if not run.is_baseline)]
    return tuple(dict.fromkeys([*(str(one.run) for one in placed), *rest, *(run.key for run in panel.runs)]))
