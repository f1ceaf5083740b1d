"""What a Breakdown page reads of an attribute, each figure remembered by itself."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from pydantic import TypeAdapter

from comparison.frame.outline import Outline
from comparison.frame.panel import NamedRun, Panel
from comparison.frame.selected import Selected
from comparison.page.by_attribute.differences import Differences, differences
from comparison.page.by_attribute.label_shares import Labeler, labelers, shares_figure, shares_of
from comparison.page.by_attribute.number_figure import number_figure
from comparison.page.by_attribute.regression import Predictors, predictors_of, regression_of, remarks
from comparison.page.by_attribute.two_attributes import grid_of, heatmap
from comparison.page.by_attribute.with_number import ACCURACY, WithNumber, with_number
from comparison.page.drawn import DRAWN_GROUPS
from comparison.pictures.charts import Spec
from comparison.statistics.accuracy.breakdown import Group
from comparison.statistics.accuracy.hits import Hits
from comparison.statistics.between_runs.all_pairs import LEVEL
from comparison.statistics.by_attribute.grid import Grid
from comparison.statistics.by_attribute.label_shares import LabelShare, ValueShares
from comparison.statistics.by_attribute.logistic import Regression
from comparison.statistics.estimate import counted
from comparison.statistics.values import WITHOUT

SHARES = TypeAdapter(tuple[ValueShares, ...])
NUMBER = TypeAdapter(WithNumber)
REGRESSION = TypeAdapter(Regression)
DIFFERENCES = TypeAdapter(Differences)
GRID = TypeAdapter(Grid)
NAMES = TypeAdapter(tuple[str, ...])
# More values than this are in the download.
SHOWN_VALUES = 25

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The choices of an address that the items of one group are found by; None of those that it goes without."""

    attribute: list[str]
    value: list[str]
    by: str | None = None
    within: str | None = None


@dataclass(frozen=True)
class ByAttribute:
    """The attribute that a reader has chosen, or that of the fewest values."""

    chosen: Selected

    @property
    def found(self) -> Outline:
        return self.chosen.outline

    @property
    def name(self) -> str:
        return self.chosen.selection.by

    @property
    def run(self) -> NamedRun | None:
        """The run that is looked at, if it names labels or has degrees; else the nearest that does."""
        asked = [key for key in (self.chosen.selection.run, *self.found.nearest) if key in self.found.deciding]
        return self.found.run(asked[0]) if asked else None

    @property
    def is_number(self) -> bool:
        return self.name in self.found.numeric

    @cached_property
    def empty_bins(self) -> tuple[str, ...]:
        """Those of a number that hold none of the items: tables, pictures and files have no line for them."""
        if not self.is_number:
            return ()

        def compute(panel: Panel, whole: Panel) -> tuple[str, ...]:
            column = self.chosen.selection.taken(whole)
            there = set(column.of(panel).tolist())
            return tuple(name for name in column.order if name not in there)

        return self._read(NAMES, ("empty bins",), compute)

    @property
    def is_plain(self) -> bool:
        """Whether its values are those that items have."""
        asked = self.chosen.selection
        return not self.is_number and len(set(asked.merged) & set(self.values)) < 2

    @property
    def values(self) -> tuple[str, ...]:
        """Those that may be merged, the most frequent first; none of a number."""
        listed = [one for one in self.found.attributes if one.name == self.name and not self.is_number]
        return tuple(value or WITHOUT for one in listed for value, _ in one.values[:SHOWN_VALUES])

    @property
    def merged_name(self) -> str:
        asked = self.chosen.selection
        return asked.merged_as.strip() or " + ".join(value for value in asked.merged if value in self.values)

    @property
    def size(self) -> int:
        """How many values it has, whatever the filters."""
        return next((one.size for one in self.found.attributes if one.name == self.name), 0)

    def narrowed(self, group: Group) -> Narrowed:
        asked = self.chosen.selection
        if self.is_plain:
            return Narrowed(*asked.narrowed({asked.by: group.address}), within=asked.within or None)
        return Narrowed(*asked.narrowed(), by=asked.by, within=group.value)

    # Whose labels are which.

    @cached_property
    def labelers(self) -> tuple[Labeler, ...]:
        return labelers(self.found, self.chosen.study.people)

    @property
    def labeler(self) -> Labeler | None:
        """Whose labels are shown: who was asked for, or the first who has any."""
        asked = [one for one in self.labelers if one.key == self.chosen.selection.shares_of]
        return next(iter([*asked, *self.labelers]), None)

    @cached_property
    def shares(self) -> tuple[ValueShares, ...]:
        labeler, asked = self.labeler, self.chosen.selection
        if labeler is None or not self.name:
            return ()

        def compute(panel: Panel, whole: Panel) -> tuple[ValueShares, ...]:
            return shares_of(panel, asked.taken(whole), labeler.key, most=SHOWN_VALUES)

        return self._read(SHARES, ("label shares", labeler.key), compute)

    @property
    def words(self) -> tuple[str, ...]:
        """Of the scale's labels."""
        return tuple(self.found.words[value] for value in self.found.values)

    @property
    def share_rows(self) -> list[tuple[ValueShares, list[tuple[str, LabelShare]]]]:
        """Each value with its shares, and the word of each label."""
        return [(one, list(zip(self.words, one.shares, strict=True))) for one in self.shares]

    @property
    def shares_caption(self) -> str:
        name = self.labeler.name if self.labeler else ""
        more = f" The {DRAWN_GROUPS} first values are drawn." if len(self.shares) > DRAWN_GROUPS else ""
        return f"{name[:1].upper()}{name[1:]}: which labels the items with each value have; n in brackets.{more}"

    # How often runs are right.

    @cached_property
    def with_number(self) -> WithNumber | None:
        asked, run = self.chosen.selection, self.run
        if not self.is_number or not self.found.runs:
            return None
        key = run.key if run else ""

        def compute(panel: Panel, whole: Panel) -> WithNumber:
            return with_number(panel, asked.by, target=asked.against, run=key, unit=asked.unit)

        return self._read(NUMBER, ("with a number", asked.against, key, asked.unit), compute)

    @property
    def number_caption(self) -> str:
        unit = self.with_number.unit if self.with_number else ""
        run = self.run.title if self.run else ""
        return f"{run}: a point is the items with one {unit or self.name}; 95 % intervals (Wilson)."

    @property
    def number_answer(self) -> str:
        """The run that is looked at, by units."""
        run = self.run
        rows = self.with_number.rows if self.with_number and run else ()
        found = [one for one in rows if run and one.run == run.key and one.what == ACCURACY]
        return "; ".join(
            f"{one.name}: ρ {one.spearman.short}, n = {one.spearman.n} {one.spearman.unit}" for one in found
        )

    @property
    def differences_answer(self) -> str:
        found = self.differences
        if found is None:
            return ""
        tested = [one.held for one in found.runs if one.held is not None]
        apart = sum(held < LEVEL for held in tested)
        if not tested:
            return "cannot be tested"
        if len(found.runs) == 1:
            return "yes" if apart else "not shown"
        return f"{f'for {apart:,}' if apart else 'not shown for any'} of {counted(len(found.runs), 'run')} (Holm)"

    @property
    def offered(self) -> tuple[str, ...]:
        return self.found.predicting

    @property
    def predictors(self) -> Predictors:
        return predictors_of(self.found, self.chosen.selection)

    @cached_property
    def regression(self) -> Regression | None:
        asked, run, names = self.chosen.selection, self.run, self.predictors.names
        if run is None or not self.offered:
            return None

        def compute(panel: Panel, whole: Panel) -> Regression:
            return regression_of(panel, whole, asked, names, run=run.key)

        return self._read(REGRESSION, ("regression", asked.against, run.key, names), compute)

    @property
    def regression_remarks(self) -> tuple[str, ...]:
        return remarks(self.regression, self.predictors) if self.regression else ()

    @cached_property
    def differences(self) -> Differences | None:
        asked, run = self.chosen.selection, self.run
        if run is None or not self.name or self.size < 2:
            return None

        def compute(panel: Panel, whole: Panel) -> Differences:
            return differences(panel, asked.taken(whole), target=asked.against, run=run.key)

        return self._read(DIFFERENCES, ("differences", asked.against, run.key), compute)

    @cached_property
    def grid(self) -> Grid | None:
        asked, run = self.chosen.selection, self.run
        if run is None or not self.name:
            return None

        def compute(panel: Panel, whole: Panel) -> Grid:
            column = asked.taken(whole)
            return grid_of(panel, column, across=asked.across, target=asked.against, run=run.key)

        return self._read(GRID, ("grid", asked.against, asked.across, run.key), compute)

    @property
    def grid_rows(self) -> list[tuple[str, tuple[Hits, ...]]]:
        return list(zip(self.grid.rows, self.grid.cells, strict=True)) if self.grid else []

    @property
    def grid_caption(self) -> str:
        across = self.chosen.selection.across
        of = f"{self.run.title}, by {self.name} and {across}" if self.run and across else f"Every run, by {self.name}"
        if self.grid and self.grid.left_out:
            shown = len(self.grid.columns)
            of = f"The first {shown} of {shown + self.grid.left_out} runs, by {self.name} (the download has all)"
        return f"{of}: the share of items that are right; the darker, the more. The table has n and intervals."

    def read(self) -> None:
        """Have every figure computed that the page shows."""
        _ = self.empty_bins, self.shares, self.with_number, self.regression, self.differences, self.grid

    @property
    def charts(self) -> dict[str, Spec | None]:
        people = self.chosen.study.people
        mark = f"Labels of {people.many}" if people.are_synthetic else ""
        number, cells = self.with_number, self.grid
        said = f"Shares of labels by {self.name}"
        return {
            "shares": shares_figure(self.shares[:DRAWN_GROUPS], self.words, said=said, title=mark),
            "number": number_figure(number, self.name, title=mark) if number else None,
            "heatmap": heatmap(cells, said=f"Accuracy by {self.name}", title=mark) if cells else None,
        }

    def _read(self, shape: TypeAdapter[T], parts: tuple[object, ...], compute: Callable[[Panel, Panel], T]) -> T:
        """Of the items that pass the filters, and of all: by these choices and by how the attribute is taken."""
        chosen = self.chosen
        key = chosen.of_items(str(parts[0]), *chosen.selection.taking, *parts[1:])
        return chosen.remembered(shape, key, lambda: compute(chosen.panel, chosen.whole))
