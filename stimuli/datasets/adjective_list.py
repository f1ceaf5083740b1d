"""A list of non-subsective adjectives: the first column of a TSV, CSV or plain text file."""

from dataclasses import dataclass
from pathlib import Path

from corpus.errors import Fault, SourceError
from corpus.source_text import rows, source_bytes

HEADINGS = ("adjective", "modifier", "word")
SUBCLASSES = ("privative", "plain")
SUBSECTIVE = "subsective"
NON_SUBSECTIVE = "non-subsective"


@dataclass(frozen=True, slots=True)
class AdjectiveList:
    """Non-subsective adjectives, normalized, each with its subclass where the file gives one."""

    subclasses: dict[str, str]

    @property
    def adjectives(self) -> list[str]:
        return sorted(self.subclasses)

    def modifier_class(self, modifier: str) -> str:
        """`subsective`, `non-subsective`, or `non-subsective, privative` (or `plain`)."""
        subclass = self.subclasses.get(normalized(modifier))
        if subclass is None:
            return SUBSECTIVE
        return f"{NON_SUBSECTIVE}, {subclass}" if subclass else NON_SUBSECTIVE


def normalized(adjective: str) -> str:
    """Lower case, without the hyphen that marks a prefix: lists have `anti-`, sentences `anti`."""
    return adjective.strip().casefold().strip("-")


def read_adjectives(path: Path, *, where: str = "") -> AdjectiveList:
    """The adjectives of a file, one a line, with or without a heading.

    `where` keeps only the lines that have a value in a named column, as in `provenance=corenlp55`.
    Raises SourceError if the file cannot be read, has no such column, or no adjective is left.
    """
    lines = _rows(path)
    heading = [cell.strip() for cell in lines.pop(0)] if lines and lines[0][0].strip().casefold() in HEADINGS else []
    if where:
        lines = _selected(path, lines, heading, where)
    if not lines:
        raise SourceError(path, [Fault("file", "contains no adjectives" + (f" with {where}" if where else ""))])
    return AdjectiveList({normalized(row[0]): _subclass(row) for row in lines})


def _rows(path: Path) -> list[list[str]]:
    faults: list[Fault] = []
    lines: list[list[str]] = []
    for line, cells in rows(source_bytes(path), delimiter="," if path.suffix.lower() == ".csv" else "\t"):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {line}"))
        elif normalized(cells[0]):
            lines.append(cells)
    if faults:
        raise SourceError(path, faults)
    return lines


def _selected(path: Path, lines: list[list[str]], heading: list[str], where: str) -> list[list[str]]:
    column, equals, value = where.partition("=")
    if not equals:
        raise SourceError(path, [Fault("selection", f"{where!r} must be written COLUMN=VALUE")])
    if column not in heading:
        hint = f"use one of: {', '.join(heading)}" if heading else "the file has no heading"
        raise SourceError(path, [Fault("selection", f"there is no column {column!r}; {hint}")])
    place = heading.index(column)
    return [row for row in lines if len(row) > place and row[place].strip() == value]


def _subclass(row: list[str]) -> str:
    return row[1].strip() if len(row) > 1 and row[1].strip() in SUBCLASSES else ""
