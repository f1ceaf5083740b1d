"""Cells that a spreadsheet opens as what they are, and lines of CSV."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

# What spreadsheets take as the start of a formula (OWASP, "CSV Injection").
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
STARTS = frozenset(FORMULA_STARTS)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")

# Lines that are written at once.
PIECE = 1_000


def cell(value: Any) -> str:
    """A value as the text of one cell. Nothing is empty; text that would run as a formula gets an apostrophe."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.10g}"
    text = str(value)
    if text.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def lines(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """CSV (RFC 4180), in pieces of many lines, made as they are asked for."""
    rows = iter(rows)
    while piece := list(islice(rows, PIECE)):
        out = io.StringIO(newline="")
        csv.writer(out).writerows(map(_cells, piece))
        yield out.getvalue()


def _cells(row: Iterable[Any]) -> list[Any]:
    """Each value as `cell` writes it; what csv writes so by itself is left as it is, for there are millions."""
    return [
        value
        if value is None or type(value) is int or (type(value) is str and value[:1] not in STARTS)
        else cell(value)
        for value in row
    ]
