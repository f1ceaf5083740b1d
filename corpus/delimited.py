"""Delimited text (CSV, TSV), row by row, each with the line it begins on. What cannot be read is a Fault."""

import csv
import io
from collections.abc import Iterator

from corpus.characters import unstorable
from corpus.errors import Fault
from corpus.source_text import NotText, decoded


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
        return f"a cell has more than {csv.field_size_limit():,} characters; is a quotation mark never closed?"
    return str(error)
