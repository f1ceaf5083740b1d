"""Cells that a spreadsheet opens as what they are, and lines of CSV."""

import csv
import re
from collections.abc import Iterable, Iterator
from typing import Any

# What spreadsheets take as the start of a formula (OWASP, "CSV Injection").
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


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


class _Line:
    """What csv.writer writes to: it hands each line straight back."""

    def write(self, line: str) -> str:
        return line


def lines(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """CSV lines (RFC 4180), one a row, made as they are asked for."""
    writer = csv.writer(_Line())
    for row in rows:
        yield writer.writerow([cell(value) for value in row])
