"""Whether runs are as often right on every value of an attribute: each over all values, and one over every two."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from comparison.frame.filters.columns import Taken
from comparison.frame.panel import Panel, RunColumn
from comparison.statistics.between_runs.mcnemar import p_in_words
from comparison.statistics.by_attribute.between_values import BetweenValues, between_values
from comparison.statistics.counts import MISSING
from comparison.statistics.resampling.holm import held_down
from comparison.statistics.values import WITHOUT, values_of

# Values of which every two are tested: 66 pairs at most, or 12 against one another.
MOST_VALUES = 12


@dataclass(frozen=True, slots=True)
class Tested:
    """One test; `held` is its p after Holm's correction over all tests of its table, None where it has none."""

    name: str
    other: str
    found: BetweenValues
    held: float | None

    @property
    def test_words(self) -> str:
        found = self.found
        said = found.test if found.statistic is None else f"{found.test}({found.degrees}) = {found.statistic:.2f}"
        return f"{said}; {found.by_groups}" if found.by_groups else said

    @property
    def p_words(self) -> str:
        return "" if self.found.p is None else p_in_words(self.found.p)

    @property
    def held_words(self) -> str:
        return "" if self.held is None else p_in_words(self.held)


@dataclass(frozen=True, slots=True)
class Differences:
    """`runs`: each run, over all `values` at once. `pairs`: the run that is looked at, over every two of them."""

    values: tuple[str, ...]
    runs: tuple[Tested, ...]
    pairs: tuple[Tested, ...]


def differences(panel: Panel, column: Taken, *, target: str, run: str) -> Differences:
    """Of the values that are most frequent (or of all bins); items without the attribute are in no test."""
    asked = _Asked(panel, column, target)
    return Differences(asked.values, asked.over_all(), asked.over_two(run))


def every_difference(panel: Panel, column: Taken, *, target: str) -> dict[str, Differences]:
    """The same for each run that is looked at in turn, by its key. The tests over all values are done once."""
    asked = _Asked(panel, column, target)
    over_all = asked.over_all()
    return {run.key: Differences(asked.values, over_all, asked.over_two(run.key)) for run in asked.deciding}


class _Asked:
    """The items by their value, and the runs that name labels."""

    def __init__(self, panel: Panel, column: Taken, target: str) -> None:
        self.texts, values = values_of(column.of(panel), order=column.order)
        self.values = tuple([value for value in values if value != WITHOUT][:MOST_VALUES])
        self.truth, self.sample = panel.true(target), panel.sample
        self.deciding = [one for one in panel.runs if (one.decided != MISSING).any()]

    def over_all(self) -> tuple[Tested, ...]:
        return _held({(run.title, ""): self._test(run, self.values) for run in self.deciding})

    def over_two(self, key: str) -> tuple[Tested, ...]:
        """Of two values there is nothing more to say than of all."""
        looked = [run for run in self.deciding if run.key == key and len(self.values) > 2]
        return _held({pair: self._test(run, pair) for run in looked for pair in combinations(self.values, 2)})

    def _test(self, run: RunColumn, values: Sequence[str]) -> BetweenValues:
        return between_values(self.texts, run.decided, self.truth, values, sample=self.sample)


def _held(found: dict[tuple[str, str], BetweenValues]) -> tuple[Tested, ...]:
    held = held_down({names: one.p for names, one in found.items() if one.p is not None})
    return tuple(Tested(*names, one, held.get(names)) for names, one in found.items())
