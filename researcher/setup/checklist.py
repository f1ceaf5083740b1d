"""A checklist: what a study has, a step that sees it, and what all steps say of one study together. Steps: steps.py."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.db import transaction
from django.db.models import Max, Q

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Act, Study
from annotation.setting import Warned
from annotation.stages.declared import Information
from comparison.frame.cache.item_sums import read_kinds

# What makes an earlier preview one of something else.
CHANGES = (
    Deed.CHANGED,
    Deed.LOADED,
    Deed.GOLD_TAKEN,
    Deed.ITEMS_ADDED,
    Deed.ITEMS_REMOVED,
    Deed.ITEM_CHANGED,
    Deed.ANSWER_SET,
)
SMALL = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


@dataclass(frozen=True, slots=True, kw_only=True)
class Has:
    """What a study has, as far as a step asks. `counts` is by kind of item.

    `previewed`: somebody answered an item in the preview or came to its last page, and nothing has changed since;
    `was_previewed`: nor need that be so.
    """

    study: Study
    counts: Mapping[str, int] = field(default_factory=dict)
    previewed: bool = False
    was_previewed: bool = False
    warned: tuple[Warned, ...] = ()

    def of(self, kind: str) -> int:
        """How many items of the kind there are; `keys`: how many targets have a reference."""
        return self.counts.get(kind, 0)

    @property
    def information(self) -> Information | None:
        return self.study.path.information

    @property
    def minutes(self) -> int:
        return self.information.minutes if self.information else 0


@dataclass(frozen=True, slots=True)
class Lack:
    """What is missing, why that matters, and what to do. `is_needed`: without it the study is not ready to open."""

    says: str
    because: str
    action: str
    about: str = ""
    is_needed: bool = False


def lack_of(one: Warned) -> Lack:
    return Lack(one.title, one.says, "Fix" if one.stops else "Change", one.about, one.stops)


def nothing(has: Has) -> None:
    """A step that only warnings are about."""


def spelled(number: int) -> str:
    return SMALL[number] if number < len(SMALL) else f"{number:,}"


class State(StrEnum):
    DONE = "done"
    NEEDED = "needed"
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """`page` is the part of Setup that it is mended on, or the name of another address. `about` are the beginnings of
    the paths of settings that warnings of it are about. `for_people`: a study whose labels were all imported has none.
    `is_locked`: opening locks what it is about, or makes it idle.
    """

    key: str
    name: str
    page: str
    done: Callable[[Has], str]
    lacks: Callable[[Has], Lack | None] = field(default=nothing)
    about: tuple[str, ...] = ()
    for_people: bool = True
    is_locked: bool = False

    def of(self, has: Has) -> "Checked":
        own = self.lacks(has)
        found = [lack_of(one) for one in has.warned if one.about.startswith(self.about)] if self.about else []
        return Checked(self, tuple(filter(None, [own, *found])), "" if own else self.done(has))


@dataclass(frozen=True, slots=True)
class Checked:
    """A step of one study: what it lacks, or in a few words what is there."""

    step: Step
    lacks: tuple[Lack, ...]
    says: str

    @property
    def state(self) -> State:
        if not self.lacks:
            return State.DONE
        return State.NEEDED if any(one.is_needed for one in self.lacks) else State.OPTIONAL


@dataclass(frozen=True, slots=True)
class Steps:
    """All of one study."""

    all: tuple[Checked, ...]

    @property
    def done(self) -> list[Checked]:
        return [one for one in self.all if one.state == State.DONE]

    @property
    def lacks(self) -> list[tuple[Checked, Lack]]:
        return [(one, lack) for one in self.all for lack in one.lacks]

    @property
    def needed(self) -> int:
        """Steps without which the study is not ready to open."""
        return sum(one.state == State.NEEDED for one in self.all)

    @property
    def line(self) -> str:
        """Such as “Seven of nine steps are done.”"""
        return f"{spelled(len(self.done))} of {spelled(len(self.all)).lower()} steps are done."

    @property
    def left(self) -> str:
        """Of what is needed, such as “2 setup steps left”; empty where nothing is."""
        return f"{self.needed} setup step{'' if self.needed == 1 else 's'} left" if self.needed else ""

    def at(self, page: str) -> State | None:
        """How the first step of a page of Setup stands, or that something on it is needed; None without a step."""
        states = [one.state for one in self.all if one.step.page == page]
        return State.NEEDED if State.NEEDED in states else next(iter(states), None)


def keep_preview(study: Study) -> None:
    """Somebody has been through the pages as people will be: an act, once for what the study is now."""
    with transaction.atomic():
        if not read_has(study).previewed:
            record(study, Deed.PREVIEWED)


def read_has(study: Study, *, warnings: Iterable[Warned] = ()) -> Has:
    acts = Act.objects.filter(study_pk=study.pk, deed__in=[Deed.PREVIEWED, *CHANGES])
    is_preview = Q(deed=Deed.PREVIEWED)
    latest = acts.aggregate(seen=Max("pk", filter=is_preview), changed=Max("pk", filter=~is_preview))
    return Has(
        study=study,
        counts=dict(read_kinds(study)),
        previewed=bool(latest["seen"]) and latest["seen"] > (latest["changed"] or 0),
        was_previewed=bool(latest["seen"]),
        warned=tuple(warnings),
    )
