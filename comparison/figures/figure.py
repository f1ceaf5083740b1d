"""A figure of the results: one object that its page, file, report, API and shared link are made from."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from annotation.models.population import Words
from comparison.figures.file import Download, FigureLines, File, Row
from comparison.figures.table import Table
from comparison.frame.selected import Selected
from comparison.pictures.vega_lite import Spec

T = TypeVar("T")


@dataclass(frozen=True)
class Chart:
    """A picture, and what stands below it."""

    spec: Spec
    caption: str

    @classmethod
    def of(cls, name: str, spec: Spec | None, caption: str) -> dict[str, "Chart"]:
        """By the name that addresses have; nothing where there is nothing to draw."""
        return {} if spec is None else {name: cls(spec, caption)}


def no_answer(chosen: Selected) -> str | None:
    """Of a figure without a line that answers its title."""
    return None


@dataclass(frozen=True, slots=True)
class State:
    """How a check stands, beside its name: `look` is good, warn, tie or open, a class of parts.css."""

    look: str
    word: str

    @property
    def icon(self) -> str:
        return {"good": "check", "warn": "half", "tie": "equal"}.get(self.look, "ring")


NO_VERDICT = State("open", "No verdict")


def no_state(chosen: Selected) -> State | None:
    """Of a figure that nothing is decided by."""
    return None


@dataclass(frozen=True, kw_only=True)
class Figure(Generic[T]):
    """One result of a study.

    `key` is its id on the page, its word in the address, and what it is remembered under.
    `rests_on` gives all that it rests on besides the selected items, such as a run or what is held true: these are the
    arguments of `compute`, so that a figure which is remembered cannot depend on anything else.
    """

    key: str
    # The page of the results that it stands on, and its heading there.
    part: str
    title: str
    # None: it is made of other figures at once, and so not remembered.
    shape: TypeAdapter[T] | None
    compute: Callable[..., T]
    rests_on: Callable[[Selected], tuple[object, ...]] = lambda chosen: ()
    # It is of all items, whatever the filters.
    is_whole: bool = False
    # One line that answers its title; None where the study has nothing to show of it.
    answer: Callable[[Selected], str | None] = no_answer
    # What that line comes to, in a word or two.
    state: Callable[[Selected], State | None] = no_state
    tables: Callable[[Selected], Iterable[Table]] = lambda chosen: ()
    # Pictures by the names that addresses have.
    charts: Callable[[Selected], dict[str, Chart]] = lambda chosen: {}
    # Its lines of the report, from the section on; None: the report has nothing of it.
    lines: FigureLines | None = None
    download: Download | None = None

    @cached_property
    def file(self) -> File | None:
        """Its own download."""
        return self.download.file(self.key, self.title, self.lines) if self.download else None

    def read(self, chosen: Selected, *choices: object) -> T:
        """Computed once for each state of the data; `choices` take the place of those that the address makes."""
        rests = choices or chosen.once((self.key, "rests on"), lambda: self.rests_on(chosen))
        shape = self.shape
        whole = [self.key, chosen.asked.classes, *rests]
        parts = whole if self.is_whole else chosen.of_items(self.key, *rests)

        def compute() -> T:
            return self.compute(chosen, *rests)

        return chosen.once(
            (self.key, rests), compute if shape is None else lambda: chosen.remembered(shape, parts, compute)
        )

    def report(self, chosen: Selected) -> Iterator[Row]:
        return iter(()) if self.lines is None else self.lines(chosen)


def synthetic(people: Words) -> str:
    """What stands above a picture where labels were made by a program."""
    return f"Labels of {people.many}" if people.are_synthetic else ""
