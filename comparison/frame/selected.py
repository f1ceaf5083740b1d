"""What a reader has selected of a study: its figures by name, and the panel that they are computed from."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from pydantic import TypeAdapter

from annotation.adjudicating import newest_decision
from annotation.models import Study
from annotation.models.study import Measure
from comparison.frame.assessors import Assessor
from comparison.frame.cache.gathered import Gathered, read_one
from comparison.frame.cache.remembered import each_remembered, known, remembered
from comparison.frame.filters.address import fitted, merging, refuse, refuse_unmerged
from comparison.frame.filters.selection import Selection
from comparison.frame.judging import (
    panel_verdict,
    rated_words,
    strength_words,
    suppress_selected,
    target_of_strengths,
)
from comparison.frame.names import named_runs, read_assessors, read_attributes
from comparison.frame.outline import OUTLINE, Attribute, Offer, Outline, outline
from comparison.frame.panel import Panel, run_name
from comparison.frame.probabilities import read_number, run_numbers
from comparison.statistics.counts import Floats
from comparison.statistics.verdict.evidence import held_against
from comparison.statistics.verdict.measure import ACCURACY, KEYS, RHO
from comparison.statistics.verdict.parts import Verdict

VERDICT = TypeAdapter(Verdict)
ATTRIBUTES = TypeAdapter(tuple[Attribute, ...])
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

        return read_panel(self.study, coarse=self.asked.coarse, adjudicated=self.asked.adjudicated)

    @cached_property
    def panel(self) -> Panel:
        """The items that pass the filters."""
        return self._narrowed(self.selection)

    def numbers(self) -> dict[str, Floats]:
        """Those that the address asks for, by name, of the items that pass the filters."""
        chosen = self.selection
        numbers = self._numbers(chosen, chosen.numbers)
        mask = chosen.mask(self.whole, numbers) if numbers and chosen.narrows else slice(None)
        return {name: column[mask] for name, column in numbers.items()}

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

    def refuse(self) -> None:
        """SelectionError if the address names what the study lacks.

        It takes no figure: an address is answered alike before any is kept and after.
        """
        request = self.asked
        if not request.query():
            return
        refuse(request, self.offer)
        names = merging(request, self.offer) if request.merged else []
        if not all(self.offer.choices(name) for name in names):
            every = read_attributes(self.study)
            refuse_unmerged(request, [every[name] for name in names])
        if request.assessors:
            self._assessors(few=())

    @cached_property
    def offer(self) -> Offer:
        """What the address may name."""
        return self._kept or self._offer()

    def _offer(self) -> Offer:
        scale, runs = self.study.task.scale, named_runs(self.study)
        return Offer(
            values=scale.coarse_values if self.asked.coarse else scale.values,
            # They take a second in a large study, and are asked for again at every new label.
            attributes=remembered(ATTRIBUTES, ["attributes", self.study.pk, self.study.content_hash], self._attributes),
            numeric=tuple(self.study.numbers),
            run_names={str(run.pk): run_name(model, run.metric_shown) for run, model in runs},
            numbers=run_numbers(self.study),
            measures=KEYS if scale.ordered else (ACCURACY,),
        )

    def _attributes(self) -> tuple[Attribute, ...]:
        return tuple(Attribute.of(name, counts) for name, counts in read_attributes(self.study).items())

    @cached_property
    def rows(self) -> Panel:
        """The panel for files of rows: nothing is computed first or remembered, and no run is nearer than another."""
        self.refuse()
        against = held_against(self.whole.counts, self.whole.truth)
        return self._narrowed(fitted(self.asked, outline(self.whole, None, against=against, offer=self.offer)))

    @cached_property
    def outline(self) -> Outline:
        return self._kept or self.remembered(OUTLINE, self._outline_parts, self._outline)

    @property
    def _outline_parts(self) -> list[object]:
        return ["outline", self.asked.classes, self.asked.adjudicated, self.measure]

    @cached_property
    def _kept(self) -> Outline | None:
        return self.known(OUTLINE, {"": self._outline_parts}).get("")

    def _outline(self) -> Outline:
        against = held_against(self.whole.counts, self.whole.truth)
        ties = self.asked.ties if self.asked.adjudicated else ""
        everything = Selection(classes=self.asked.classes, against=against, ties=ties)
        reached = self._verdict(everything, lambda: self.whole)
        return outline(self.whole, reached, against=against, offer=self.offer)

    @cached_property
    def selection(self) -> Selection:
        """What was asked, with the page's own choices filled in; SelectionError if it names what the study lacks."""
        self.refuse()
        return fitted(self.asked, self.outline)

    @cached_property
    def assessors(self) -> tuple[Assessor, ...]:
        """The annotators who are shown one by one: those asked for, or all of a small study; SelectionError."""
        return self._assessors(few=() if self.asked.assessors else self.outline.assessors)

    def _assessors(self, *, few: Sequence[str]) -> tuple[Assessor, ...]:
        return read_assessors(self.study, self.asked.assessors, few=few, anonymous=bool(self.asked.anonymous))

    @property
    def words(self) -> str:
        """The filters in words, for headings and downloads."""
        return self.selection.words()

    # --- What runs are held against, and how that is called ---------------------------------------------

    @property
    def strength_target(self) -> str:
        """What strengths are held against: published numbers where a study has nothing else."""
        outline = self.outline
        return target_of_strengths(
            has_labels=outline.has_labels,
            has_references=outline.has_references,
            has_published=outline.has_published,
            against=self.selection.against,
        )

    @property
    def strength_words(self) -> str:
        return strength_words(self.strength_target, self.study.people, share_of=self.share_of)

    @property
    def share_of(self) -> str:
        """Of labels without an order, the one whose share scores are compared with."""
        outline = self.outline
        return "" if self.study.task.scale.ordered or not outline.values else outline.words[outline.values[0]]

    @property
    def strength_compared(self) -> str:
        """What of labels and references a strength is set against."""
        people, values = self.study.people, self.outline.values
        if self.study.task.scale.ordered:
            return f"the mean of {people.labels} and the reference, each from “{values[0]}” to “{values[-1]}”"
        return f"the share of {people.labels}, and of references, that are “{values[0]}”"

    @property
    def rated_words(self) -> str:
        """What scores are correlated with."""
        return rated_words(self.strength_target, self.study.people, share_of=self.share_of)

    @property
    def has_truth(self) -> bool:
        """Whether there is anything to hold a run against."""
        return self.outline.has_labels or self.outline.has_references or self.outline.has_published

    @property
    def target_words(self) -> str:
        if self.selection.against == "reference":
            return "the reference"
        return "the majority or adjudicated label" if self.selection.adjudicated else "the majority label"

    @property
    def measure(self) -> str:
        """By what runs are to be compared: the study's own measure, or another that a reader asks for."""
        return self.asked.measure or self.study.measure

    @property
    def is_averaged(self) -> bool:
        """Whether labels are ratings with whose means runs are compared: an exact match says little of these."""
        return self.verdict.measure == RHO and self.study.task.scale.ordered

    @property
    def other_measure(self) -> str:
        """That a reader has chosen another measure than the study's, in a sentence; empty where it is the study's."""
        if self.measure == self.study.measure:
            return ""
        chosen, own = Measure(self.measure).label, Measure(self.study.measure).label
        return f"Measure chosen here: {chosen}. The study’s own: {own}."

    @property
    def measure_words(self) -> str:
        """What nearness is measured by."""
        return str(Measure(self.verdict.measure).label)

    @property
    def measured_against(self) -> str:
        return self.rated_words if self.verdict.measure == RHO else self.target_words

    @property
    def compared_with(self) -> str:
        """As a chip says it: of scores it is ratings, whatever label is taken for the truth."""
        return self.rated_words if self.measure == RHO else self.target_words

    @property
    def of_people(self) -> str:
        """What of people's can be compared with."""
        return f"{self.study.people.theirs} mean ratings" if self.measure == RHO else "the majority label"

    @property
    def exactly(self) -> str:
        """What accuracy is agreement with, beside ρ."""
        return "the reference" if self.selection.against == "reference" else "the most common rating"

    # --- Figures, computed once for each state of the data ----------------------------------------------

    @cached_property
    def verdict(self) -> Verdict:
        """Who is nearest, in the selected part; nothing, where items were chosen by a result."""
        return suppress_selected(self._verdict(self.selection, lambda: self.panel), self.selection)

    def _verdict(self, selection: Selection, panel: Callable[[], Panel]) -> Verdict:
        def compute() -> Verdict:
            return panel_verdict(
                panel(),
                against=selection.against,
                measure=self.measure,
                people=self.study.people,
                share_in=self.gathered.share_in,
            )

        return self.remembered(VERDICT, ["verdict", selection.of_items, selection.against, self.measure], compute)

    def of_items(self, name: str, *choices: object) -> list[object]:
        """The parts of a figure's key that rests on the selected items and on these choices."""
        return [name, self.selection.of_items, *choices]

    def once(self, name: Hashable, read: Callable[[], T]) -> T:
        """What `read` gives, asked once for this selection, however many places show it."""
        if name not in self._once:
            self._once[name] = read()
        stored: T = self._once[name]
        return stored

    @cached_property
    def _once(self) -> dict[Hashable, Any]:
        return {}

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
        return [*parts, self.gathered.version, *([self._last_decision] if self.asked.adjudicated else [])]

    @cached_property
    def _last_decision(self) -> int | None:
        """Decisions are no part of what a study has gathered: they change only figures that take them for the truth."""
        return newest_decision(self.study)

    def _allowed(self, compute: Callable[[], T]) -> Callable[[], T]:
        def allowed() -> T:
            if not self.is_quick:
                raise NotComputed
            return compute()

        return allowed


def select(study: Study, selection: Selection, *, waits: bool = True) -> Selected:
    return Selected(study=study, asked=selection, gathered=read_one(study), waits=waits)
