"""Files of text that must be read whole: as UTF-8, as JSON by lines, or as rows of cells; what is wrong is a Fault."""

import codecs
import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from corpus.bounds import MOST_COLUMNS, MOST_DEPTH, fault_of_columns
from corpus.characters import unstorable, unstorable_within
from corpus.errors import Fault, SourceError


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line that is not blank: the object it holds, or what is wrong with it."""

    number: int
    value: dict[str, Any]
    fault: Fault | None = None

    @classmethod
    def holding(cls, number: int, value: dict[str, Any]) -> Self:
        """The line that holds this object, with a fault where it has too much or a text in it cannot be stored."""
        wrong = fault_of_columns(len(value)) or unstorable_within(value)
        return cls(number, value, Fault(f"line {number}", wrong) if wrong else None)

    @property
    def where(self) -> str:
        return f"line {self.number}"


def json_lines(text: str, *, lax: bool = False) -> Iterator[JsonLine]:
    """The objects of a JSON-lines text, with their line numbers from 1. Where it is `lax`, NaN is null."""
    # Not splitlines(): a text may hold a Unicode line separator inside its quotes.
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            # A file that ends in a line break has an empty string after it.
            yield _parsed(number, line, last=number == len(lines), lax=lax)


def _parsed(number: int, line: str, *, last: bool, lax: bool) -> JsonLine:
    where = f"line {number}"
    constant = as_null if lax else _refused_constant
    try:
        value = json.loads(line, object_pairs_hook=without_repeats, parse_constant=constant)
    except json.JSONDecodeError as error:
        cut_off = last and not line.rstrip().endswith("}")
        wrong = "the file is cut off here" if cut_off else f"is not JSON: {error.msg} at column {error.colno}"
        return JsonLine(number, {}, Fault(where, wrong))
    except (ValueError, RecursionError) as error:
        return JsonLine(number, {}, Fault(where, f"is not readable JSON: {error}"))
    if not isinstance(value, dict):
        return JsonLine(number, {}, Fault(where, f"must be a JSON object, not {type(value).__name__}"))
    # Only an escape brings a character into JSON that UTF-8 text cannot hold, or NUL; and only brackets nest.
    is_doubtful = "\\u" in line or line.count("[") + line.count("{") > MOST_DEPTH or line.count(":") > MOST_COLUMNS
    return JsonLine.holding(number, value) if is_doubtful else JsonLine(number, value)


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's fields; ValueError where one is given twice."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    times = Counter(name for name, _ in pairs)
    repeated = sorted(name for name, many in times.items() if many > 1)
    raise ValueError(f"{', '.join(repeated[:10])} is given twice")


def as_null(_: str) -> None:
    """What NaN and Infinity are in JSON that others write."""


def _refused_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


class NotText(ValueError):
    """Bytes that are no text in an encoding, from `line` on. str() says which, as the end of a sentence."""

    def __init__(self, line: int, byte: int, encoding: str = "UTF-8") -> None:
        self.line = line
        super().__init__(f"is not {encoding} text (byte 0x{byte:02x}); save the file as UTF-8")


def source_bytes(path: Path, *, refused: type[SourceError] = SourceError) -> bytes:
    """The file's bytes; `refused` is what is raised if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise refused(path, [Fault("file", f"cannot be read: {error.strerror}")]) from None


def read_text(path: Path, *, refused: type[SourceError] = SourceError) -> str:
    """The whole file as text; `refused` is raised, with the line, if it cannot be read or is not UTF-8."""
    try:
        return decoded(source_bytes(path, refused=refused))
    except NotText as error:
        raise refused(path, [Fault(f"line {error.line}", str(error))]) from None


def decoded(data: bytes) -> str:
    """The bytes as text, without a BOM; NotText if they are not UTF-8."""
    # Not by the codec utf-8-sig, whose errors count from behind the BOM.
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotText(data[: error.start].count(b"\n") + 1, data[error.start]) from None


def rows(data: bytes, *, delimiter: str = ",", quoted: bool = True) -> Iterator[tuple[int, list[str] | Fault]]:
    """The rows that are not blank; a Fault, and then nothing more, where the bytes or the quotes are wrong.

    Lines end in LF or CRLF. `quoted` is False where a quotation mark is a character like any other.
    """
    try:
        decoded(data)
    except NotText as error:
        yield error.line, Fault("", str(error))
        return
    reader = csv.reader(
        # Decoded line by line: a text that is kept whole takes four bytes a character.
        io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=True,
    )
    # No other character that UTF-8 has is refused.
    doubtful = b"\0" in data
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield line, Fault("", f"cannot be read: {_in_our_words(error)}")
            return
        if cells is None:
            return
        wrong = unstorable("".join(cells)) if doubtful else ""
        if cells:
            yield line, Fault("", wrong) if wrong else cells


def _in_our_words(error: csv.Error) -> str:
    if "field limit" in str(error):
        return f"a cell has more than {csv.field_size_limit():,} characters; is a quotation mark left open?"
    return str(error)
