"""A setting of a study, declared once: study.toml, the fields of Setup, the API's schema and docs/studies.md follow it.

Free of Django. The kinds below say what a value must be, in words, as a test and as JSON Schema. As an attribute of a
class a setting is also how its value is read, of whatever holds `declared`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar, overload

from corpus.bounds import LONGEST_NOTE, LONGEST_TEXT, MOST_LISTED, fault_of_text
from corpus.errors import Fault

# The longest part of a refused value that a message quotes.
LONGEST_SHOWN = 200
# What a column of a small whole number can hold.
LARGEST_SMALL = 32_767
# Since when a setting cannot change: as its description says it, and as the sentence begins that says why.
OPENED, BEGUN = "the study has opened", "someone has started"
SINCE = {OPENED: "The study has opened", BEGUN: "People have started"}
# Annotates a setting that queries ask for: the model has a column of its name, and hides it.
Column: TypeAlias = Any
V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """When a setting stops changing, OPENED or BEGUN, and why: `because` goes on after `SINCE` and an `and`."""

    when: str
    because: str

    def __str__(self) -> str:
        return in_words([self])[0]


def in_words(reasons: Iterable[Fixed]) -> list[str]:
    """A sentence for each time that something stops changing, with all that stops then."""
    because: dict[str, list[str]] = {}
    for one in dict.fromkeys(reasons):
        because.setdefault(one.when, []).append(one.because)
    return [f"{SINCE[when]}, and {'; '.join(said)}." for when, said in because.items()]


@dataclass(frozen=True, slots=True)
class Warned:
    """What should be looked at before people come: in six words and in a sentence or two.

    `about` is the path of the setting that mends it, empty where none does. `stops`: until then Setup does not open the
    study.
    """

    about: str
    title: str
    says: str
    stops: bool = False

    def __str__(self) -> str:
        return self.says


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(ABC):
    """One value of a table of study.toml. Without a default the file must say it.

    `label` and `help`, 12 words at most, stand on the page of Setup; `empty` says what holds where nothing is said (or
    0, of a number); `more` is for those who write the file or call the API. `of_items`: its value is checked against
    the items, or decides something of each.
    """

    label: str
    help: str = ""
    empty: str = ""
    more: str = ""
    default: Any = None
    fixed: Fixed | None = None
    of_items: bool = False
    nothing: ClassVar[str] = "Empty"

    @property
    @abstractmethod
    def must_be(self) -> str:
        """In words, to go on after `must be`."""

    @abstractmethod
    def holds(self, value: Any) -> bool: ...

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""

    @property
    def hint(self) -> str:
        """The sentences below its field."""
        return " ".join(part for part in (self.help, self.empty and f"{self.nothing}: {self.empty}.") if part)

    @property
    def explained(self) -> str:
        """All that is said of it."""
        fixed = self.fixed and f"Fixed once {self.fixed.when}."
        return " ".join(part for part in (f"{self.label}.", self.hint, self.more, fixed) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value(Setting, Generic[V]):
    """A setting that can be an attribute: it gives what is declared under its name, or else its default."""

    name: str = field(init=False, default="", compare=False)

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name)

    @overload
    def __get__(self, holder: None, owner: type) -> Self: ...
    @overload
    def __get__(self, holder: object, owner: type) -> V: ...
    def __get__(self, holder: Any, owner: type) -> Self | V:
        return self if holder is None else self.declared_in(holder.declared, self.name)

    def __set__(self, holder: Any, value: V) -> None:
        holder.declared[self.name] = value

    def declared_in(self, declared: Mapping[str, Any], name: str) -> V:
        """A copy: changing a list that was read changes no study. KeyError where one without a default is not there."""
        found: V = declared[name] if name in declared or self.default is None else self.default
        return copy(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole(Value[int]):
    least: int = 0
    most: int = LARGEST_SMALL
    unit: str = ""
    nothing: ClassVar[str] = "0"

    @property
    def must_be(self) -> str:
        return f"a whole number{self.unit and f' of {self.unit}'} from {self.least} to {self.most}"

    def holds(self, value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Value[float]):
    least: float = 0
    most: float = 1
    noun: str = "number"

    @property
    def must_be(self) -> str:
        return f"a {self.noun} from {self.least:g} to {self.most:g}"

    def holds(self, value: Any) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and self.least <= value <= self.most

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.least, "maximum": self.most}

    def declared_in(self, declared: Mapping[str, Any], name: str) -> float:
        """TOML and JSON may say it without a point."""
        return float(super(Number, self).declared_in(declared, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(Value[bool]):
    default: Any = False

    @property
    def must_be(self) -> str:
        return "true or false"

    def holds(self, value: Any) -> bool:
        return isinstance(value, bool)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Value[str]):
    """One of the keys of `choices`, which have their words. `side_by_side`: the page shows all of them at once."""

    choices: Mapping[str, str]
    side_by_side: bool = False

    @property
    def must_be(self) -> str:
        return f"one of {', '.join(filter(None, self.choices))}"

    def holds(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.choices

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.choices)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Several(Value[list[str]]):
    """A list of keys of `choices`, each once."""

    choices: Mapping[str, str]

    @property
    def must_be(self) -> str:
        return f"a list of {', '.join(self.choices)}"

    def holds(self, value: Any) -> bool:
        known = is_list_of(value, lambda one: isinstance(one, str) and one in self.choices)
        return known and len(set(value)) == len(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"enum": list(self.choices)}, "uniqueItems": True}


def is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def any_text(value: str) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Value[str]):
    """A text of at most `most` characters that passes `test`; empty where that is its default. `like` says it in words.

    On the page it has so many `rows`, and is shown as it will be read if it is `markdown`. An `amount` may be typed
    there with a comma, as much of the world writes it; `signs` are other spellings of whole values, such as £ for GBP.
    """

    most: int = LONGEST_TEXT
    amount: bool = False
    signs: Mapping[str, str] = field(default_factory=dict)
    test: Callable[[str], bool] = any_text
    like: str = ""
    rows: int = 1
    markdown: bool = False

    @property
    def must_be(self) -> str:
        return self.like or f"text of at most {self.most:,} characters"

    def holds(self, value: Any) -> bool:
        if isinstance(value, str) and value == self.default == "":
            return True
        return is_text(value) and len(value) <= self.most and self.test(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.most}


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts(Value[list[str]]):
    """A list of texts that pass `test`, each once unless they may `repeat`; `like` says in words what they are."""

    like: str
    test: Callable[[str], bool] = any_text
    least: int = 0
    most: int = MOST_LISTED
    repeat: bool = False

    @property
    def must_be(self) -> str:
        return f"a list of {self.like}"

    def holds(self, value: Any) -> bool:
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            return False
        if not all(is_text(one) and len(one) <= LONGEST_NOTE and self.test(one) for one in value):
            return False
        return self.repeat or len(set(value)) == len(value)

    def schema(self) -> dict[str, Any]:
        text = {"type": "string", "maxLength": LONGEST_NOTE}
        found = {"type": "array", "items": text, "minItems": self.least, "maxItems": self.most}
        return found | {"uniqueItems": not self.repeat}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows(Setting):
    """A list of tables, each with the settings of `row`; at least one of them. No part of it is ever fixed."""

    row: Mapping[str, Setting]
    most: int

    def __post_init__(self) -> None:
        if self.fixed or any(one.fixed for one in self.row.values()):
            raise TypeError("A list of tables has pages of its own, which cannot be shut.")

    @property
    def must_be(self) -> str:
        return f"a list of at most {self.most} tables"

    def holds(self, value: Any) -> bool:
        return is_list_of(value, lambda one: isinstance(one, dict)) and 0 < len(value) <= self.most

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": object_schema(self.row), "minItems": 1, "maxItems": self.most}


def settings_in(table: type) -> dict[str, Setting]:
    """Those that a class has as attributes, in their order."""
    return {name: one for name, one in vars(table).items() if isinstance(one, Setting)}


def matching(pattern: str) -> Callable[[str], bool]:
    """Whether a text is of the pattern from its first character to its last."""
    return lambda value: re.fullmatch(pattern, value, re.ASCII) is not None


def is_list_of(value: Any, test: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(test(one) for one in value)


def object_schema(settings: Mapping[str, Setting], *, or_null: bool = False) -> dict[str, Any]:
    """A table as JSON Schema: what it may have, with the words of each; null leaves a value to its default."""
    described = {
        name: ({"anyOf": [one.schema(), {"type": "null"}]} if or_null else one.schema())
        | {"description": one.explained}
        for name, one in settings.items()
    }
    needed = [name for name, one in settings.items() if one.default is None and not or_null]
    return {"type": "object", "properties": described, "additionalProperties": False, "required": needed}


def read_table(table: Mapping[str, Any], settings: Mapping[str, Setting]) -> tuple[dict[str, Any], list[Fault]]:
    """The values of a table with defaults filled in, and what is wrong with it."""
    faults = [
        Fault(name, f"is not recognized; use one of: {', '.join(settings)}") for name in table if name not in settings
    ]
    values = {}
    for name, setting in settings.items():
        if name not in table and setting.default is None:
            faults.append(Fault(name, f"is missing; it must be {setting.must_be}"))
            continue
        values[name] = table.get(name, setting.default)
        if not setting.holds(values[name]):
            faults.append(Fault(name, _too_long(setting, values[name]) or _other(setting, values[name])))
    return values, faults


def _too_long(setting: Setting, value: Any) -> str:
    """What is wrong with a long text that is longer still: it is no use to say it again."""
    if isinstance(setting, Text) and isinstance(value, str) and setting.most >= LONGEST_NOTE:
        return fault_of_text(value, most=setting.most)
    return ""


def _other(setting: Setting, value: Any) -> str:
    return f"must be {setting.must_be}, not {_short(value)}"


def _short(value: Any) -> str:
    """As it stands in Python; of a long text, how it begins."""
    try:
        said = repr(value)
    except ValueError:
        # Python writes no whole number of more than 4,300 digits.
        return "a number of thousands of digits"
    return said if len(said) <= LONGEST_SHOWN else f"{said[:LONGEST_SHOWN]}…"
