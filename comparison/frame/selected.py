"""What a reader has selected of a study: its figures by name, and the panel that they are computed from."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from pydantic import TypeAdapter

from annotation.models import Study
from comparison.frame.asked_assessors import read_assessors
from comparison.frame.assessors import Assessor
from comparison.frame.filters.address import fitted, merging, refuse_unmerged
from comparison.frame.filters.numbers import read_number
from comparison.frame.filters.selection import Selection
from comparison.frame.judging import panel_verdict
from comparison.frame.kept.gathered import Gathered, read_one
from comparison.frame.kept.remembered import each_remembered, known, remembered
from comparison.frame.outline import OUTLINE, Outline, outline
from comparison.frame.panel import Panel
from comparison.frame.probabilities import run_numbers
from comparison.frame.withheld import withheld
from comparison.statistics.counts import Floats
from comparison.statistics.verdict.evidence import held_against
from comparison.statistics.verdict.parts import Verdict

VERDICT = TypeAdapter(Verdict)
# Labels and scores of which figures are computed while a reader waits.
QUICK = 5_000

T = TypeVar("T")
Name = TypeVar("Name", bound=Hashable)


class NotComputed(Exception):
    """A figure is not remembered, and to compute it would keep a reader waiting."""


@dataclass(frozen=True, kw_only=True)
class Selected:
    """`asked` is the address; `gathered`, what the study has. The panel is read when a figure asks for it.

    `waits` is False where a reader does: what is not remembered then raises NotComputed, if the study is large.
    """

    study: Study
    asked: Selection
    gathered: Gathered
    waits: bool = True

    @property
    def is_large(self) -> bool:
        return self.gathered.answers > QUICK

    @property
    def is_quick(self) -> bool:
        return self.waits or not self.is_large

    @cached_property
    def whole(self) -> Panel:
        """Every target item."""
        if not self.is_quick:
            raise NotComputed
        # Here and not above: frames are pandas', which a web process that only shows what is known does without.
        from comparison.frame.reading import read_panel

        return read_panel(self.study, coarse=self.asked.coarse)

    @cached_property
    def panel(self) -> Panel:
        """The items that pass the filters."""
        return self._narrowed(self.selection)

    def numbers(self) -> dict[str, Floats]:
        """Those that the address asks for, by name, of the items that pass the filters."""
        chosen = self.selection
        found = self._numbers(chosen, chosen.numbers)
        mask = chosen.mask(self.whole, found) if found and chosen.narrows else slice(None)
        return {name: column[mask] for name, column in found.items()}

    def _numbers(self, chosen: Selection, names: Sequence[str]) -> dict[str, Floats]:
        """Of all items. What no filter and no order asks for is not read; what is, once."""
        for name in names:
            if (chosen, name) not in self._read:
                self._read[chosen, name] = read_number(name, self.study, self.whole, chosen)
        return {name: self._read[chosen, name] for name in names}

    @cached_property
    def _read(self) -> dict[tuple[Selection, str], Floats]:
        return {}

    def _narrowed(self, chosen: Selection) -> Panel:
        if not chosen.narrows:
            return self.whole
        return self.whole.where(chosen.mask(self.whole, self._numbers(chosen, chosen.ranged)))

    def check(self) -> Selection:
        """Refuse an address that names what the study lacks: SelectionError. No run is nearer than another here."""
        against = held_against(self.whole.counts, self.whole.truth)
        found = outline(self.whole, None, against=against, numbers=run_numbers(self.study))
        return self._merging(fitted(self.asked, found), found)

    def _merging(self, chosen: Selection, found: Outline) -> Selection:
        """Refuse values to be taken as one that no item has, of attributes of more values than an outline lists."""
        names = merging(chosen, found) if chosen.merged and self.is_quick else []
        if not all(found.choices(name) for name in names):
            refuse_unmerged(chosen, [self.whole.attributes[name] for name in names])
        return chosen

    @cached_property
    def rows(self) -> Panel:
        """The same for files of rows, without a figure: nothing is computed first and nothing remembered."""
        return self._narrowed(self.check())

    @cached_property
    def outline(self) -> Outline:
        return self.remembered(OUTLINE, ["outline", self.asked.classes], self._outline)

    def _outline(self) -> Outline:
        against = held_against(self.whole.counts, self.whole.truth)
        everything = Selection(classes=self.asked.classes, against=against)
        reached = self._verdict(everything, lambda: self.whole)
        return outline(self.whole, reached, against=against, numbers=run_numbers(self.study))

    @cached_property
    def selection(self) -> Selection:
        """What was asked, with the page's own choices filled in; SelectionError if it names what the study lacks."""
        return self._merging(fitted(self.asked, self.outline), self.outline)

    @cached_property
    def assessors(self) -> tuple[Assessor, ...]:
        """The annotators who are shown one by one: those asked for, or all of a small study; SelectionError."""
        anonymous = bool(self.asked.anonymous)
        return read_assessors(self.study, self.asked.assessors, few=self.outline.assessors, anonymous=anonymous)

    @property
    def words(self) -> str:
        """The filters in words, for headings and downloads."""
        return self.selection.words()

    @cached_property
    def verdict(self) -> Verdict:
        """Who is nearest, in the selected part; as in the list of studies where all of it is selected.

        Every page and file has it from here: on items chosen by a result it concludes nothing from that result.
        """
        return withheld(self._verdict(self.selection, lambda: self.panel), self.selection)

    def _verdict(self, selection: Selection, panel: Callable[[], Panel]) -> Verdict:
        def compute() -> Verdict:
            return panel_verdict(
                panel(),
                against=selection.against,
                measure=self.study.measure,
                people=self.study.people,
                share_in=self.gathered.share_in,
            )

        return self.remembered(VERDICT, ["verdict", selection.of_items, selection.against], compute)

    def of_items(self, name: str, *choices: object) -> list[object]:
        """The parts of a figure's key that rests on the selected items and on these choices."""
        return [name, self.selection.of_items, *choices]

    def remembered(self, shape: TypeAdapter[T], parts: list[object], compute: Callable[[], T]) -> T:
        return remembered(shape, self._key(parts), self._allowed(compute))

    def each_remembered(
        self,
        shape: TypeAdapter[T],
        parts: Mapping[Name, list[object]],
        compute: Callable[[list[Name]], Mapping[Name, T]],
    ) -> dict[Name, T]:
        def allowed(names: list[Name]) -> Mapping[Name, T]:
            return self._allowed(lambda: compute(names))()

        return each_remembered(shape, self._keys(parts), allowed)

    def known(self, shape: TypeAdapter[T], parts: Mapping[Name, list[object]]) -> dict[Name, T]:
        """Those that somebody has had computed; nothing is computed here."""
        return known(shape, self._keys(parts))

    def _keys(self, parts: Mapping[Name, list[object]]) -> dict[Name, object]:
        return {name: self._key(own) for name, own in parts.items()}

    def _key(self, parts: list[object]) -> list[object]:
        return [*parts, self.gathered.version]

    def _allowed(self, compute: Callable[[], T]) -> Callable[[], T]:
        def allowed() -> T:
            if not self.is_quick:
                raise NotComputed
            return compute()

        return allowed


def select(study: Study, asked: Selection, *, waits: bool = True) -> Selected:
    return Selected(study=study, asked=asked, gathered=read_one(study), waits=waits)
