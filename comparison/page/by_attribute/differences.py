"""Whether runs are as often right on every value of an attribute: each over all values, and one over every two."""

from dataclasses import dataclass
from itertools import combinations

from comparison.frame.filters.columns import Taken
from comparison.frame.panel import Panel
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
    texts, values = values_of(column.of(panel), order=column.order)
    values = [value for value in values if value != WITHOUT][:MOST_VALUES]
    truth, sample = panel.true(target), panel.sample
    deciding = [one for one in panel.runs if (one.decided != MISSING).any()]
    over_all = {(one.title, ""): between_values(texts, one.decided, truth, values, sample=sample) for one in deciding}
    looked = [one for one in deciding if one.key == run and len(values) > 2]
    over_two = {
        pair: between_values(texts, one.decided, truth, pair, sample=sample)
        for one in looked
        for pair in combinations(values, 2)
    }
    return Differences(tuple(values), _held(over_all), _held(over_two))


def _held(found: dict[tuple[str, str], BetweenValues]) -> tuple[Tested, ...]:
    held = held_down({names: one.p for names, one in found.items() if one.p is not None})
    return tuple(Tested(*names, one, held.get(names)) for names, one in found.items())
