"""Whether runs are as often right on every value of an attribute: each over all values, and one over every two."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from comparison.figures.findings import MAJORITY, REFERENCE
from comparison.frame.filters.columns import Taken
from comparison.frame.panel import Panel, RunColumn
from comparison.statistics.between_runs.mcnemar import p_in_words
from comparison.statistics.by_attribute.between_values import BetweenValues, between_values
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.resampling.holm import held_down
from comparison.statistics.values import WITHOUT, values_of

# Values of which every two are tested: 66 pairs at most, or 12 against one another.
MOST_VALUES = 12


@dataclass(frozen=True, slots=True)
class Tested:
    """One test; `held` is its p after Holm's correction over the `of` tests of its table that have one."""

    name: str
    other: str
    found: BetweenValues
    held: float | None
    of: int

    @property
    def family(self) -> str:
        """The tests that the correction is over, in words; empty where there is no p."""
        if self.held is None:
            return ""
        return f"every two values of this run: {self.of}" if self.other else f"runs, over all values: {self.of}"

    @property
    def values(self) -> tuple[str, ...]:
        """Those that are tested against one another."""
        return (self.name, self.other) if self.other else self.found.values

    @property
    def test_words(self) -> str:
        found = self.found
        said = found.test if found.statistic is None else f"{found.test}({found.degrees}) = {found.statistic:.2f}"
        yates = "" if found.yates is None else f"χ² by Yates {found.yates:.2f}"
        return "; ".join(part for part in (said, yates, found.by_groups) if part)

    @property
    def p_words(self) -> str:
        return "" if self.found.p is None else p_in_words(self.found.p, least=self.found.least)

    @property
    def held_words(self) -> str:
        return "" if self.held is None else p_in_words(self.held, least=self.found.least)


@dataclass(frozen=True, slots=True)
class Differences:
    """`runs`: each run, over all `values` at once. `pairs`: the run that is looked at, over every two of them.

    `people` is people's majority over all values, where references are what is held true; not one of the runs' tests.
    `absent` are values of which no item is in any test: nothing is held true of them, or no run names a label.
    """

    values: tuple[str, ...]
    absent: tuple[str, ...]
    runs: tuple[Tested, ...]
    pairs: tuple[Tested, ...]
    people: Tested | None

    @property
    def are_cut(self) -> bool:
        """Whether there may be more values than are tested."""
        return len(self.values) == MOST_VALUES

    @property
    def of_runs(self) -> int:
        """How many tests p is corrected for, run by run."""
        return max((one.of for one in self.runs), default=0)

    @property
    def of_pairs(self) -> int:
        return max((one.of for one in self.pairs), default=0)


def differences(panel: Panel, column: Taken, *, target: str, run: str) -> Differences:
    """Of the values that are most frequent (or of all bins); items without the attribute are in no test."""
    asked = _Asked(panel, column, target)
    return Differences(asked.values, asked.absent, asked.over_all(), asked.over_two(run), asked.of_people())


def every_difference(panel: Panel, column: Taken, *, target: str) -> dict[str, Differences]:
    """The same for each run that is looked at in turn, by its key. The tests over all values are done once."""
    asked = _Asked(panel, column, target)
    over_all, people = asked.over_all(), asked.of_people()
    return {
        run.key: Differences(asked.values, asked.absent, over_all, asked.over_two(run.key), people)
        for run in asked.deciding
    }


class _Asked:
    """The items by their value, and the runs that name labels."""

    def __init__(self, panel: Panel, column: Taken, target: str) -> None:
        self.majority = panel.majority if target == REFERENCE else None
        self.texts, values = values_of(column.of(panel), order=column.order)
        self.truth, self.sample = panel.true(target), panel.sample
        self.deciding = [one for one in panel.runs if (one.decided != MISSING).any()]
        compared = [self._there(run) for run in self.deciding]
        there = set().union(*compared)
        named = [value for value in values if value != WITHOUT]
        self.values = tuple([value for value in named if value in there][:MOST_VALUES])
        self.absent = tuple(value for value in named if value not in there)

    def over_all(self) -> tuple[Tested, ...]:
        return _held({(run.title, ""): self._test(run.decided, self.values) for run in self.deciding})

    def of_people(self) -> Tested | None:
        """None where nobody has labeled such items, or the majority is what runs are held against."""
        if self.majority is None or not ((self.majority != MISSING) & (self.truth != MISSING)).any():
            return None
        return Tested(MAJORITY, "", self._test(self.majority, self.values), None, 0)

    def over_two(self, key: str) -> tuple[Tested, ...]:
        """Of two values there is nothing more to say than of all."""
        found: dict[tuple[str, str], BetweenValues] = {}
        for run in (one for one in self.deciding if one.key == key):
            there = self._there(run)
            values = [value for value in self.values if value in there]
            if len(values) > 2:
                found |= {pair: self._test(run.decided, pair) for pair in combinations(values, 2)}
        return _held(found)

    def _there(self, run: RunColumn) -> set[str]:
        """The values of the items that the run can be right or wrong on."""
        return set(self.texts[(run.decided != MISSING) & (self.truth != MISSING)].tolist())

    def _test(self, decided: Ints, values: Sequence[str]) -> BetweenValues:
        return between_values(self.texts, decided, self.truth, values, sample=self.sample)


def _held(found: dict[tuple[str, str], BetweenValues]) -> tuple[Tested, ...]:
    held = held_down({names: one.p for names, one in found.items() if one.p is not None})
    return tuple(Tested(*names, one, held.get(names), len(held)) for names, one in found.items())
