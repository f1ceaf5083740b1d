"""What a Breakdown page reads of an attribute, each figure remembered by itself."""

from dataclasses import dataclass
from functools import cached_property

from pydantic import TypeAdapter

from comparison.frame.selected import Selected
from comparison.page.by_attribute.label_shares import Labeler, labelers, shares_figure, shares_of
from comparison.page.charts import Spec
from comparison.page.drawn import DRAWN_GROUPS
from comparison.statistics.accuracy.breakdown import Group
from comparison.statistics.by_attribute.label_shares import LabelShare, ValueShares

SHARES = TypeAdapter(tuple[ValueShares, ...])
# More values than this are in the download.
SHOWN_VALUES = 25


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
    def name(self) -> str:
        return self.chosen.selection.by

    @property
    def is_number(self) -> bool:
        return self.name in self.chosen.outline.numeric

    @property
    def values(self) -> tuple[str, ...]:
        """Those that may be merged, the most frequent first; none of a number."""
        listed = [one for one in self.chosen.outline.attributes if one.name == self.name and not self.is_number]
        return tuple(value or "(none)" for one in listed for value, _ in one.values[:SHOWN_VALUES])

    @property
    def is_plain(self) -> bool:
        """Whether its values are those that items have."""
        asked = self.chosen.selection
        return not self.is_number and len(set(asked.merged) & set(self.values)) < 2

    @property
    def merged_name(self) -> str:
        asked = self.chosen.selection
        return asked.merged_as.strip() or " + ".join(value for value in asked.merged if value in self.values)

    def narrowed(self, group: Group) -> Narrowed:
        asked = self.chosen.selection
        if self.is_plain:
            return Narrowed(*asked.narrowed({asked.by: group.address}), within=asked.within or None)
        return Narrowed(*asked.narrowed(), by=asked.by, within=group.value)

    @cached_property
    def labelers(self) -> tuple[Labeler, ...]:
        return labelers(self.chosen.outline, self.chosen.study.people)

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

        def compute() -> tuple[ValueShares, ...]:
            column = asked.taken(self.chosen.whole)
            return shares_of(self.chosen.panel, column, labeler.key, most=SHOWN_VALUES)

        parts = self.chosen.of_items("label shares", *asked.taking, labeler.key)
        return self.chosen.remembered(SHARES, parts, compute)

    @property
    def words(self) -> tuple[str, ...]:
        """Of the scale's labels."""
        found = self.chosen.outline
        return tuple(found.words[value] for value in found.values)

    @property
    def shares_figure(self) -> Spec | None:
        people = self.chosen.study.people
        mark = f"Labels of {people.many}" if people.are_synthetic else ""
        said = f"Shares of labels by {self.name}"
        return shares_figure(self.shares[:DRAWN_GROUPS], self.words, said=said, title=mark)

    @property
    def shares_caption(self) -> str:
        name = self.labeler.name if self.labeler else ""
        more = f" The {DRAWN_GROUPS} first values are drawn." if len(self.shares) > DRAWN_GROUPS else ""
        return f"{name[:1].upper()}{name[1:]}: which labels the items with each value have; n in brackets.{more}"

    @property
    def share_rows(self) -> list[tuple[ValueShares, list[tuple[str, LabelShare]]]]:
        """Each value with its shares, and the word of each label."""
        return [(one, list(zip(self.words, one.shares, strict=True))) for one in self.shares]

    @property
    def size(self) -> int:
        """How many values it has, whatever the filters."""
        return next((one.size for one in self.chosen.outline.attributes if one.name == self.name), 0)

    def read(self) -> None:
        """Have every figure computed that the page shows."""
        _ = self.shares

    @property
    def charts(self) -> dict[str, Spec | None]:
        return {"shares": self.shares_figure}
