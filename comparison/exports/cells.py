"""Cells that a spreadsheet opens as what they are, and lines of CSV.

And lines on their way out of a command: to a file, or to standard output, which may be closed or full.
"""

import csv
import io
import json
import os
import re
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.core.management.base import CommandError, OutputWrapper
from django.db import connection
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from corpus.characters import APOSTROPHE, FORMULA_STARTS

# With what a text begins that is looked at.
STARTS = frozenset((*FORMULA_STARTS, APOSTROPHE))
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")

# Lines that are written at once.
PIECE = 1_000


def cell(value: Any) -> str:
    """A value as the text of one cell. Nothing is empty; text that would run as a formula gets an apostrophe, and text
    that has one there already another, so that none is lost when the file comes back.
    """
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.10g}"
    text = str(value)
    if text.lstrip(APOSTROPHE).startswith(FORMULA_STARTS) and not NUMBER.fullmatch(text):
        return f"'{text}"
    return text


@lru_cache(maxsize=4096)
def cell_line(text: str | None) -> str:
    """A text, or nothing, as it stands in a line: for files of millions of lines, whose cells are mostly the same."""
    return quoted(cell(text))


def quoted(text: str) -> str:
    """The text of a cell between quotes, where csv needs them (RFC 4180)."""
    # A pattern that looks for all four takes four times as long.
    if "," in text or '"' in text or "\n" in text or "\r" in text:
        return '"' + text.replace('"', '""') + '"'
    return text


def lines(rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """CSV (RFC 4180), in pieces of many lines, made as they are asked for. A tuple's cells are `written` already."""
    rows = iter(rows)
    while piece := list(islice(rows, PIECE)):
        if all(type(row) is tuple for row in piece):
            yield "\r\n".join(map(",".join, piece)) + "\r\n"
            continue
        if len({len(row) for row in piece}) == 1 and len(piece[0]) > 1 and not any(type(row) is tuple for row in piece):
            columns = map(_column, zip(*piece, strict=True))
            yield "\r\n".join(map(",".join, zip(*columns, strict=True))) + "\r\n"
            continue
        out = io.StringIO(newline="")
        for row in piece:
            if type(row) is tuple:
                out.write(",".join(row) + "\r\n")
            else:
                csv.writer(out).writerow(_cells(row))
        yield out.getvalue()


def _column(values: Sequence[Any]) -> list[str]:
    """The cells of many lines below each other."""
    kinds = set(map(type, values)) - {type(None)}
    if kinds == {float}:
        return number_cells(values)
    if len(kinds) > 1 or not kinds <= {str, int, bool}:
        return [quoted(cell(value)) for value in values]
    return few_cells(values)


def number_cells(values: Sequence[float | None]) -> list[str]:
    return ["" if value is None else f"{value:.10g}" for value in values]


def text_cells(values: Sequence[str]) -> list[str]:
    return [quoted(text if text[:1] not in STARTS else cell(text)) for text in values]


def few_cells(values: Sequence[Any]) -> list[str]:
    """Of values of one kind, of which mostly few are unlike: each is written once."""
    by_value = {value: quoted(cell(value)) for value in set(values)}
    return list(map(by_value.__getitem__, values)) if len(by_value) > 1 else [*by_value.values()] * len(values)


def _cells(row: Iterable[Any]) -> list[Any]:
    """Each value as `cell` writes it; what csv writes so by itself is left as it is, for there are millions."""
    return [
        value
        if value is None or type(value) is int or (type(value) is str and value[:1] not in STARTS)
        else cell(value)
        for value in row
    ]


_json = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


def text_of(column: str) -> Cast:
    """A moment or a JSON value as text: most lines have the same, which is then read once."""
    return Cast(column, TextField())


def fetched(rows: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
    """All rows as the database's driver gives them, which is faster; for columns of numbers and texts."""
    try:
        sql, values = rows.query.sql_with_params()
    except EmptyResultSet:
        # Django sees that nothing can fit, and asks the database nothing.
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        records: list[tuple[Any, ...]] = cursor.fetchall()
    return records


@lru_cache(maxsize=4096)
def moment(text: str | None) -> str:
    """A moment in ISO 8601. SQLite holds it without its zone, which is UTC."""
    if text is None:
        return ""
    parsed = datetime.fromisoformat(text)
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).isoformat()


@lru_cache(maxsize=4096)
def order_shown(presentation: str) -> str:
    return cell_line(" ".join(json.loads(presentation).get("order", [])))


def read_all(texts: Sequence[str]) -> list[Any]:
    """JSON values, each of which the database holds as text."""
    values: list[Any] = json.loads(f"[{','.join(texts)}]")
    return values


def json_cell(value: Mapping[str, Any]) -> str:
    """A JSON value with its names in order."""
    return _json(value)


# How a program ends whose reader has gone: 128 and the number of SIGPIPE.
READER_GONE = 141


def write_out(lines: Iterable[str], *, out: Path | None, stdout: OutputWrapper) -> None:
    """To the file, or without one to `stdout`; CommandError, exit code 1, where they cannot be written.

    A reader who has seen enough (`| head`) is no error: the program ends there without a word.
    """
    try:
        _to_stdout(lines, stdout) if out is None else _to_file(lines, out)
    finally:
        # Lines that are read as they are written hold a cursor, which must not outlive the database's connection.
        if isinstance(lines, Generator):
            lines.close()


def _to_file(lines: Iterable[str], out: Path) -> None:
    try:
        # newline="": the lines bring their own ends, as CSV wants them.
        with out.open("w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}.") from None


def _to_stdout(lines: Iterable[str], stdout: OutputWrapper) -> None:
    try:
        for line in lines:
            stdout.write(line, ending="")
        stdout.flush()
    except OSError as error:
        _discard_rest(stdout)
        if isinstance(error, BrokenPipeError):
            sys.exit(READER_GONE)
        raise CommandError(f"Standard output cannot be written: {error.strerror}.") from None


def _discard_rest(stdout: OutputWrapper) -> None:
    """What waits in the buffer would be written once more when Python ends, and fail once more with a traceback."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stdout.fileno())
    os.close(nowhere)
