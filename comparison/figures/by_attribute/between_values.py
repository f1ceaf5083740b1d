"""Whether runs are as often right on every value of an attribute: each over all values, and one over every two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pydantic import TypeAdapter

from comparison.figures.by_attribute.attribute import ByAttribute, columns, deciding
from comparison.figures.figure import Figure
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.findings import MAJORITY, REFERENCE
from comparison.figures.table import DRAWN, Cell, Column, Number, Rater, Table
from comparison.frame.filters.columns import TakenColumn
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.statistics.by_attribute.between_values import BetweenValues, between_values
from comparison.statistics.chance import holm
from comparison.statistics.counts import MISSING, WITHOUT, Ints, values_of
from comparison.statistics.pairs import LEVEL, p_in_words
from corpus.errors import counted

COLUMNS = (
    "attribute", "run", "against", "values", "test", "chi_squared", "degrees", "p", "p_holm", "holm_over",
    "chi_squared_yates", "p_yates", *CELLS,
)  # fmt: skip
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
        return f"pairs of values of this run: {self.of}" if self.other else f"runs, over all values: {self.of}"

    @property
    def values(self) -> tuple[str, ...]:
        """Those that are tested against one another."""
        return (self.name, self.other) if self.other else self.found.values

    @property
    def test_words(self) -> str:
        between = self.found
        statistic = (
            between.test
            if between.statistic is None
            else f"{between.test}({between.degrees}) = {between.statistic:.2f}"
        )
        yates = "" if between.yates is None else f"χ² with Yates’ correction {between.yates:.2f}"
        return "; ".join(part for part in (statistic, yates, between.by_groups) if part)

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
    def of_runs(self) -> int:
        """How many tests p is corrected for, run by run."""
        return max((one.of for one in self.runs), default=0)

    @property
    def of_pairs(self) -> int:
        return max((one.of for one in self.pairs), default=0)


def differences(panel: Panel, column: TakenColumn, *, target: str, run: str) -> Differences:
    """Of the values that are most frequent (or of all bins); items without the attribute are in no test."""
    items = _ByValue(panel, column, target)
    return Differences(items.values, items.absent, items.over_all(), items.over_two(run), items.of_people())


def every_difference(panel: Panel, column: TakenColumn, *, target: str) -> dict[str, Differences]:
    """The differences for each run, by its key. The tests over all values are done once."""
    items = _ByValue(panel, column, target)
    over_all, people = items.over_all(), items.of_people()
    return {
        run.key: Differences(items.values, items.absent, over_all, items.over_two(run.key), people)
        for run in items.deciding
    }


class _ByValue:
    """The items by their value, and the runs that name labels."""

    def __init__(self, panel: Panel, column: TakenColumn, target: str) -> None:
        self.majority = panel.majority if target == REFERENCE else None
        self.texts, values = values_of(column.of(panel), order=column.order)
        self.truth, self.sample = panel.true(target), panel.sample
        self.deciding = [one for one in panel.runs if (one.decided != MISSING).any()]
        compared = [self._there(run) for run in self.deciding]
        present = set().union(*compared)
        actual = [value for value in values if value != WITHOUT]
        self.values = tuple([value for value in actual if value in present][:MOST_VALUES])
        self.absent = tuple(value for value in actual if value not in present)

    def over_all(self) -> tuple[Tested, ...]:
        """Models first. Baselines, which know nothing of the items, are no part of the correction nor of the answer."""
        models = [run for run in self.deciding if not run.is_baseline] or self.deciding
        tests = _held({(run.title, ""): self._test(run.decided, self.values) for run in models})
        apart = [run for run in self.deciding if run.is_baseline] if len(models) < len(self.deciding) else []
        return (*tests, *(Tested(run.title, "", self._test(run.decided, self.values), None, 0) for run in apart))

    def of_people(self) -> Tested | None:
        """None where nobody has labeled such items, or the majority is what runs are held against."""
        if self.majority is None or not ((self.majority != MISSING) & (self.truth != MISSING)).any():
            return None
        return Tested(MAJORITY, "", self._test(self.majority, self.values), None, 0)

    def over_two(self, key: str) -> tuple[Tested, ...]:
        """Of two values there is nothing more to say than of all."""
        tests: dict[tuple[str, str], BetweenValues] = {}
        for run in (one for one in self.deciding if one.key == key):
            present = self._there(run)
            values = [value for value in self.values if value in present]
            if len(values) > 2:
                tests |= {pair: self._test(run.decided, pair) for pair in combinations(values, 2)}
        return _held(tests)

    def _there(self, run: RunColumn) -> set[str]:
        """The values of the items that the run can be right or wrong on."""
        return set(self.texts[(run.decided != MISSING) & (self.truth != MISSING)].tolist())

    def _test(self, decided: Ints, values: Sequence[str]) -> BetweenValues:
        return between_values(self.texts, decided, self.truth, values, sample=self.sample)


def _held(tests: dict[tuple[str, str], BetweenValues]) -> tuple[Tested, ...]:
    p_values = {names: one.p for names, one in tests.items() if one.p is not None}
    held = dict(zip(p_values, holm(p_values.values()), strict=True))
    return tuple(Tested(*names, one, held.get(names), len(held)) for names, one in tests.items())


# --- The figure -------------------------------------------------------------------------------------


def _compute(chosen: Selected, taking: tuple[object, ...], against: str, run: str) -> Differences | None:
    if not against or not run or not chosen.selection.by or ByAttribute(chosen).size < 2:
        return None
    return differences(chosen.panel, chosen.selection.taken(chosen.whole), target=against, run=run)


def _answer(chosen: Selected) -> str | None:
    between = BETWEEN_VALUES.read(chosen)
    if between is None or not between.runs:
        return None
    tested = [(one.name, one.held) for one in between.runs if one.held is not None]
    apart = [name for name, held in tested if held < LEVEL]
    if not tested:
        return "not testable"
    if len(tested) == 1:
        return "yes" if apart else "not shown"
    whom = f"{apart[0]}," if len(apart) == 1 else f"{len(apart):,}"
    return f"{f'yes, for {whom}' if apart else 'not shown for any'} of {counted(len(tested), 'run')} (Holm)"


def _tables(chosen: Selected) -> Iterator[Table]:
    """Every run over all values, and the run that is looked at over every two."""
    between, by, people = BETWEEN_VALUES.read(chosen), ByAttribute(chosen), chosen.study.people
    if between is None or not between.runs or by.run is None:
        return
    has_more = by.size > len(between.values) == MOST_VALUES and by.is_plain
    rests_on = f"{f'Of the {MOST_VALUES} most frequent values. ' if has_more else ''}n is that of V; p is by Holm"
    majority = Rater(name=f"Majority of {people.many}", kind="people")
    yield Table(
        name="between-values",
        title=f"Accuracy of each run, all values of {by.name}",
        columns=_columns("Run", counted(between.of_runs, "run")),
        rows=(
            *([_row(majority, between.people)] if between.people else []),
            *(_row(Rater(name=one.name), one) for one in between.runs),
        ),
        rests_on=rests_on,
        method=DRAWN,
    )
    if between.pairs:
        yield Table(
            name="between-two-values",
            title=f"Accuracy of {by.run.title}, pairs of values of {by.name}",
            columns=_columns("Values", counted(between.of_pairs, "pair")),
            rows=tuple(_row(f"{one.name} and {one.other}", one) for one in between.pairs),
            rests_on=rests_on,
            method=DRAWN,
        )


def _columns(of: str, tests: str) -> tuple[str | Column, ...]:
    v = Column("Cramér’s V", term="cramer")
    return (of, Column("Test", is_text=True), "p", f"p for {tests} (Holm)", v)


def _row(of: Cell, one: Tested) -> tuple[Cell, ...]:
    if one.found.undefined:
        return (of, f"undefined: {one.found.undefined}", "", "", "")
    return (of, one.test_words, Number(one.found.p, one.p_words), Number(one.held, one.held_words), one.found.v)


def _lines(chosen: Selected) -> Iterator[Row]:
    """Of the attribute that is named, or of all: every run over all values, and over every two."""
    against = chosen.selection.against
    for name, column in columns(chosen, chosen.selection, chosen.outline.names):
        every = every_difference(chosen.panel, column, target=against)
        people = next((one.people for one in every.values()), None)
        if people is not None and not chosen.asked.run:
            yield [name, people.name, against, *_tested(people)]
        for run in deciding(chosen):
            between = every[run.key]
            for one in (*(one for one in between.runs if one.name == run.title), *between.pairs):
                yield [name, run.title, against, *_tested(one)]


def _tested(one: Tested) -> Row:
    between = one.found
    cells = estimated(between.v, how=between.by_groups)
    values = " | ".join(one.values)
    test = [values, between.test, between.statistic, between.degrees or None, between.p, one.held, one.family]
    return [*test, between.yates, between.p_yates, *cells]


BETWEEN_VALUES = Figure(
    key="between-values",
    part="breakdown",
    title="Does the attribute matter?",
    shape=TypeAdapter(Differences | None),
    rests_on=lambda chosen: (chosen.selection.taking, ByAttribute(chosen).against, ByAttribute(chosen).run_key),
    compute=_compute,
    answer=_answer,
    tables=_tables,
    download=Download(
        title="Tests by attribute",
        says="tests of whether accuracy differs between values",
        line="a test of a run's accuracy over all values of an attribute, or for each pair if there are three or more",
        columns=COLUMNS,
        lines=_lines,
    ),
)
