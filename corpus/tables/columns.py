"""How `--map WHAT=COLUMN` names a column: by name, by number from 1, by names inside a record, or put together.

`score`, `3`, `answer.text`, `choices.0`, `{adverb}-{idx}`.
"""

import json
import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

MAP = "WHAT=COLUMN"
NAMING = (
    "COLUMN is a name, a number from 1, a path in a JSON record (answer.text, choices.0), or a combination: {a}-{b}"
)
# What Excel writes in a cell whose formula failed, but for #N/A, which people write themselves.
# It writes them in its own language.
ERRORS = frozenset((
    "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#GETTING_DATA", "#SPILL!", "#CALC!", "#FIELD!",
    "#WERT!", "#BEZUG!", "#ZAHL!", "#VALEUR!", "#NOM?", "#NOMBRE!", "#NUL!", "#¡VALOR!", "#¡REF!", "#¡DIV/0!",
    "#¿NOMBRE?", "#¡NUM!", "#VALORE!", "#RIF!", "#NOME?", "#VALOR!", "#NÚM!", "#WAARDE!", "#VERW!", "#NAAM?",
    "#GETAL!", "#ARG!", "#ADR!", "#NAZWA?", "#LICZBA!", "#ЗНАЧ!", "#ССЫЛКА!", "#ДЕЛ/0!", "#ИМЯ?", "#ЧИСЛО!",
))  # fmt: skip
PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


class MapError(ValueError):
    """A text that names no column. str() says what it should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What a kind of file says in a column: its name in a map, its label and help on a page, other people's names."""

    name: str
    label: str
    help: str = ""
    also_called: tuple[str, ...] = ()


def bare(name: str) -> str:
    """A column's name as names are compared: its letters and digits, whatever their case."""
    return "".join(filter(str.isalnum, name.casefold()))


def guess_by_name(names: Sequence[str], columns: Iterable[Column]) -> dict[str, str]:
    """Which of a file's columns is what, by its name or what others call it; each is one thing, the first that fits."""
    called = {bare(name): name for name in reversed(names)}
    mapping: dict[str, str] = {}
    for one in columns:
        column = next((called[name] for name in (one.name, *one.also_called) if name in called), "")
        if column and column not in mapping.values():
            mapping[one.name] = column
    return mapping


def read_pairs(pairs: Iterable[str]) -> list[tuple[str, str]]:
    """`WHAT=COLUMN` texts, parted; MapError for one that is not."""
    parted = []
    for pair in pairs:
        what, equals, column = pair.partition("=")
        if not equals or not what.strip() or not column.strip():
            raise MapError(f"{pair!r} is not {MAP}, such as score=3 or rank.negation=rank_not.")
        parted.append((what.strip(), unicodedata.normalize("NFC", column.strip())))
    return parted


def mapped(pairs: Iterable[str]) -> dict[str, str]:
    """`WHAT=COLUMN` texts as a dictionary; MapError where something is mapped twice."""
    mapping: dict[str, str] = {}
    for what, column in read_pairs(pairs):
        if what in mapping:
            raise MapError(f"{what} is mapped twice.")
        mapping[what] = column
    return mapping


def meanings_of(pairs: Iterable[str]) -> dict[str, str]:
    """`WORDS=LABEL` texts as a dictionary; with nothing behind the sign, the words mean no label. MapError."""
    texts = [pair.strip() for pair in pairs]
    none = [pair[:-1].strip() for pair in texts if pair.endswith("=") and pair[:-1].strip()]
    return mapped(pair for pair in texts if pair[:-1].strip() not in none) | dict.fromkeys(none, "")


def named_in(column: str) -> list[str]:
    """The columns that a mapped text speaks of: one, or those that it is put together from."""
    return PLACEHOLDER.findall(column) or [column]


def split(column: str, header: Sequence[str]) -> list[str]:
    """Texts and columns by turns, a text first: `{a}-{b}` is `["", "a", "-", "b", ""]`."""
    parts = PLACEHOLDER.split(column)
    return ["", column, ""] if column in header or len(parts) == 1 else parts


def place_of(column: str, header: Sequence[str], width: int) -> int | None:
    """Where a column stands, from 0; None if it is not there. A name goes before a number."""
    if column in header:
        return header.index(column)
    # Ten digits would be no column of any file.
    if not column.isascii() or not column.isdecimal() or len(column) > 9:
        return None
    place = int(column) - 1
    return place if 0 <= place < width else None


def text_of(record: Mapping[str, Any], column: str, columns: Sequence[str] = ()) -> str:
    """What a record says there, as text; MapError, as the end of a sentence, where it says nothing that is text.

    `columns` are those of a table, in which numbers count; records of JSON lines have none.
    """
    if there(record, column, columns):
        return plain(value_of(record, column, columns), column)
    if not PLACEHOLDER.search(column):
        raise MapError("is missing")
    parts = enumerate(PLACEHOLDER.split(column))
    # Split by the pattern's one group, every second part is the name of a column.
    return "".join(text_of(record, part, columns) if number % 2 else part for number, part in parts)


def there(record: Mapping[str, Any], column: str, columns: Sequence[str] = ()) -> bool:
    """Whether a record has that column, or that part of one."""
    try:
        value_of(record, column, columns)
    except LookupError:
        return False
    return True


def value_of(record: Mapping[str, Any], column: str, columns: Sequence[str] = ()) -> Any:
    """A column by its name; else inside a column, by names and places: `choices.0`; else by its number in `columns`."""
    if column in record:
        return record[column]
    place = place_of(column, columns, len(columns))
    if place is not None:
        return record[columns[place]]
    name, steps = _inside(record, column)
    value: Any = record[name]
    while steps:
        value, steps = _further(in_json(value), steps)
    return value


def _further(value: Any, steps: list[str]) -> tuple[Any, list[str]]:
    """What the first of the steps leads to, and the steps from there: a name may have dots; LookupError."""
    if isinstance(value, Mapping):
        for many in range(len(steps), 0, -1):
            if (name := ".".join(steps[:many])) in value:
                return value[name], steps[many:]
    if isinstance(value, list) and steps[0].isdecimal() and int(steps[0]) < len(value):
        return value[int(steps[0])], steps[1:]
    raise LookupError(steps[0])


def _inside(names: Container[str], column: str) -> tuple[str, list[str]]:
    """The column that a text leads into, by its longest name there is, and the steps from there; LookupError."""
    steps = column.split(".")
    for parts in range(len(steps) - 1, 0, -1):
        if (name := ".".join(steps[:parts])) in names:
            return name, steps[parts:]
    raise LookupError(column)


def in_json(value: Any) -> Any:
    """What JSON in a cell says; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return value


def within(column: str, header: Sequence[str]) -> str:
    """The column of a table whose cells hold what the text leads to (`answers.0.label`); empty where there is none."""
    try:
        return _inside(header, column)[0]
    except LookupError:
        return ""


def plain(value: Any, column: str = "") -> str:
    """A value as text: nothing (null) is the empty text; numbers and truth values are written as in JSON."""
    match value:
        case None:
            return ""
        case str():
            text = value.strip()
            if text in ERRORS:
                raise MapError(f"contains the error {text}")
            # People see one line break where models would read two characters.
            return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case float() if value.is_integer() and abs(value) < 2**53:
            # Spreadsheets and pandas turn whole numbers with gaps into floats.
            return str(int(value))
        case float() if value == value and abs(value) != float("inf"):
            return repr(value)
    if column.startswith(IN_BATCH) and (on := _switched_on(value)) is not None:
        return on
    inside = f"; use a part of it, such as {part_of(value, column)}" if isinstance(value, list | dict) else ""
    raise MapError(f"contains a {type(value).__name__}, which is not text{inside}")


# How columns begin in Mechanical Turk's batches, where radio buttons are written as truth values.
IN_BATCH = "Answer."
# What programs call the text of an answer.
CALLED = ("content", "text", "answer", "label", "value")
MOST_PARTS = 500


def part_of(value: Any, column: str) -> str:
    """Where a text stands inside a value, best one that is called so.

    >>> part_of({"status": 200, "choices": [{"message": {"role": "assistant", "content": "B"}}]}, "body")
    'body.choices.0.message.content'
    """
    parts = list(islice(_parts(value, column), MOST_PARTS))
    return next((part for part in parts if part.rpartition(".")[2] in CALLED), parts[0] if parts else f"{column}.0")


def _switched_on(value: Any) -> str | None:
    """Which of radio buttons is on, as forms write them (`{"1": false, "2": true}`); empty where none is."""
    if not isinstance(value, dict) or not value or not all(isinstance(one, bool) for one in value.values()):
        return None
    on = [name for name, is_on in value.items() if is_on]
    return "".join(on) if len(on) < 2 else None


def _parts(value: Any, column: str) -> Iterator[str]:
    if not isinstance(value, list | dict):
        yield column
        return
    for step, part in value.items() if isinstance(value, dict) else enumerate(value):
        path = f"{column}.{step}"
        yield from [path] if _switched_on(part) is not None else _parts(part, path)
