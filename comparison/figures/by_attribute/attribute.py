"""The attribute that the Breakdown page is by: how its values are taken, and which run is looked at."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import TypeAdapter

from comparison.frame.filters.columns import TakenColumn
from comparison.frame.filters.selection import Selection
from comparison.frame.outline import Outline
from comparison.frame.panel import NamedRun, RunColumn
from comparison.frame.selected import Selected
from comparison.statistics.counts import MISSING, WITHOUT

NAMES = TypeAdapter(tuple[str, ...])
# More values than this are in the download, and more than that are in the table and not drawn: as many as stand on
# one screen and a half.
SHOWN_VALUES = 25
DRAWN_VALUES = 12


@dataclass(frozen=True)
class ByAttribute:
    """The attribute that a reader has chosen, or the one that says most of items."""

    chosen: Selected

    @property
    def outline(self) -> Outline:
        return self.chosen.outline

    @property
    def name(self) -> str:
        return self.chosen.selection.by

    @property
    def run(self) -> NamedRun | None:
        """The run that is looked at, if it names labels or has degrees; else the nearest that does."""
        keys = [key for key in (self.chosen.selection.run, *self.outline.nearest) if key in self.outline.deciding]
        return self.outline.run(keys[0]) if keys else None

    @property
    def run_key(self) -> str:
        return self.run.key if self.run else ""

    @property
    def against(self) -> str:
        """What answers are right or wrong by; empty where runs are compared with mean ratings (mean_ratings.py)."""
        return "" if self.chosen.is_averaged else self.chosen.selection.against

    @property
    def is_number(self) -> bool:
        return self.name in self.outline.numeric

    @cached_property
    def empty_bins(self) -> tuple[str, ...]:
        """Those of a number that hold none of the items: tables, pictures and files have no line for them."""
        if not self.is_number:
            return ()

        def compute() -> tuple[str, ...]:
            column = self.chosen.selection.taken(self.chosen.whole)
            present = set(column.of(self.chosen.panel).tolist())
            return tuple(name for name in column.order if name not in present)

        key = self.chosen.of_items("empty bins", *self.chosen.selection.taking)
        return self.chosen.remembered(NAMES, key, compute)

    @property
    def is_plain(self) -> bool:
        """Whether its values are those that items have."""
        return not self.is_number and len(set(self.chosen.selection.merged) & set(self.values)) < 2

    @property
    def values(self) -> tuple[str, ...]:
        """Those that may be merged, the most frequent first; none of a number."""
        listed = [one for one in self.outline.attributes if one.name == self.name and not self.is_number]
        return tuple(value or WITHOUT for one in listed for value, _ in one.values[:SHOWN_VALUES])

    @property
    def merged_name(self) -> str:
        selection = self.chosen.selection
        return selection.merged_as.strip() or " + ".join(value for value in selection.merged if value in self.values)

    @property
    def size(self) -> int:
        """How many values it has, whatever the filters."""
        return next((one.size for one in self.outline.attributes if one.name == self.name), 0)

    def left_out(self, values: int) -> str:
        """That a table of so many values does not have them all; empty where it does."""
        if not self.is_plain or self.size <= values:
            return ""
        return f"The {values:,} most frequent of {self.size:,} values; all are in the download"


def columns(chosen: Selected, selection: Selection, names: Iterable[str]) -> Iterator[tuple[str, TakenColumn]]:
    """For a file: the attribute that its address names, or each of these, with its values as they are taken."""
    for name in [chosen.asked.by] if chosen.asked.by else names:
        yield name, replace(selection, by=name).taken(chosen.whole)


def deciding(chosen: Selected) -> list[RunColumn]:
    """Of a file: the runs that name labels, or the one that its address names."""
    runs = [run for run in chosen.panel.runs if (run.decided != MISSING).any()]
    return [run for run in runs if chosen.asked.run in ("", run.key)]
