"""Delimited lines cut into cells, where a quotation mark may be the file's or the text's.

A cell is quoted (RFC 4180) where a mark begins it and another ends it, before a delimiter or the end of a line. Any
other mark is text. Where a quoted cell would swallow lines that are rows by themselves, they are rows, and keep their
marks. Between tabs nothing needs quotes but tabs, line breaks and quotes: there other pairs of marks are text as well,
unless the file's writer quotes its head, or every cell that has a comma.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

QUOTE = '"'
TAB = "\t"
# No cell of a table has more lines; a mark that is not closed by then is text.
MOST_LINES = 1_000


@dataclass(slots=True)
class Seen:
    """What marks were met, by line: `joined` are first and last lines of rows that quotes hold together, `apart` those
    of rows that they would have joined. `kept` have marks that are text, `unclosed` one that nothing closes, and
    `bared`, between tabs, lost marks that they did not need.
    """

    joined: list[tuple[int, int]] = field(default_factory=list)
    apart: list[tuple[int, int]] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    bared: list[int] = field(default_factory=list)
    unclosed: list[int] = field(default_factory=list)
    needed: int = 0


@dataclass(frozen=True, slots=True)
class Quotes:
    """How a file is cut. `takes_off` says whether marks come off a cell that did not need them."""

    delimiter: str
    width: int
    takes_off: bool = True

    def rows(
        self, lines: Sequence[str], *, start: int = 0, seen: Seen | None = None
    ) -> Iterator[tuple[int, list[str]]]:
        """The rows from line `start` on that are not blank, each with the number of the line that it begins on."""
        seen = Seen() if seen is None else seen
        at = start
        while at < len(lines):
            line, used = lines[at], 1
            if not line.strip():
                at += 1
                continue
            if QUOTE not in line:
                cells = line.split(self.delimiter) if self.delimiter else [line]
            else:
                cells, used = self._plainly(line, seen), 1
                if not cells:
                    cells, used = self._cut(lines, at, seen)
            yield at + 1, cells
            at += used

    def _plainly(self, line: str, seen: Seen) -> list[str]:
        """The cells of a line whose quotes are as RFC 4180 has them; none where they are not, or between tabs."""
        if self.delimiter in (TAB, "") or not self.takes_off or f'{self.delimiter} "' in line or line.startswith(" "):
            return []
        try:
            cells = next(csv.reader([line], delimiter=self.delimiter, strict=True))
        except csv.Error:
            return []
        seen.needed += QUOTE * 2 in line or len(cells) <= line.count(self.delimiter)
        return cells

    def _cut(self, lines: Sequence[str], at: int, seen: Seen) -> tuple[list[str], int]:
        """The cells of the row that begins there, and how many lines it takes."""
        cells: list[str] = []
        text, used, place = lines[at], 1, 0
        while True:
            end, begin = -1, self._past_spaces(text, place)
            if text.startswith(QUOTE, begin):
                text, used, end = self._closed(lines, at, text, used, begin, seen)
            if end >= 0:
                quoted = text[begin : end + 1]
                cells.append(quoted[1:-1].replace(QUOTE * 2, QUOTE) if self._bares(quoted, at, seen) else quoted)
                place = self._past_spaces(text, end + 1)
            else:
                if (literal := self._literal(text, place)).startswith(QUOTE):
                    seen.kept.append(at + 1)
                cells.append(literal)
                place += len(literal)
            if place >= len(text):
                return cells, used
            place += len(self.delimiter)

    def _literal(self, text: str, place: int) -> str:
        end = text.find(self.delimiter, place) if self.delimiter else -1
        return text[place:] if end < 0 else text[place:end]

    def _past_spaces(self, text: str, place: int) -> int:
        """Where a cell goes on behind spaces, which may stand around quotes; between tabs they are text."""
        if self.delimiter not in (TAB, " "):
            while text.startswith(" ", place):
                place += 1
        return place

    def _bares(self, quoted: str, at: int, seen: Seen) -> bool:
        """Whether the marks of a quoted cell come off."""
        inside = quoted[1:-1]
        if QUOTE in inside or "\n" in inside or (self.delimiter and self.delimiter in inside):
            seen.needed += 1
            return True
        (seen.bared if self.takes_off else seen.kept).append(at + 1)
        return self.takes_off

    def _closed(
        self, lines: Sequence[str], at: int, text: str, used: int, place: int, seen: Seen
    ) -> tuple[str, int, int]:
        """The text with as many lines as the quoted cell takes, and where its closing mark is; -1 where it has none."""
        grown, many = text, used
        look = place + 1
        while True:
            mark = grown.find(QUOTE, look)
            if mark < 0:
                if at + many >= len(lines) or many >= MOST_LINES:
                    seen.unclosed.append(at + 1)
                    return text, used, -1
                look = len(grown)
                grown, many = f"{grown}\n{lines[at + many]}", many + 1
            elif grown.startswith(QUOTE, mark + 1):
                look = mark + 2
            elif self._ends(grown, self._past_spaces(grown, mark + 1)):
                break
            else:
                return text, used, -1
        if many > used:
            span = (at + used, at + many)
            if self._are_rows(lines[at + used - 1 : at + many]):
                seen.apart.append(span)
                return text, used, -1
            seen.joined.append(span)
        return grown, many, mark

    def _ends(self, text: str, place: int) -> bool:
        """Whether a cell ends there."""
        return place == len(text) or bool(self.delimiter and text.startswith(self.delimiter, place))

    def _are_rows(self, lines: Sequence[str]) -> bool:
        """Whether lines that a quoted cell would hold together are rows as they stand: as many cells each as the head.

        A comma may stand in any text: between commas their first cells must be of one form as well, as ids are.
        """
        if self.width < 2:
            return False
        cut = [line.split(self.delimiter) for line in lines if line.strip()]
        if any(len(cells) != self.width for cells in cut):
            return False
        return self.delimiter == TAB or len({_form(cells[0]) for cells in cut}) == 1


def quotes_of(lines: Sequence[str], *, start: int, delimiter: str) -> tuple[Quotes, Seen]:
    """How this file is cut, whose head begins at line `start`, and what marks are met so."""
    head = next(Quotes(delimiter, 0).rows(lines, start=start), (0, []))[1]
    quotes, seen = Quotes(delimiter, len(head)), Seen()
    if not any(QUOTE in line for line in lines):
        return quotes, seen
    commas = 0
    for _, cells in quotes.rows(lines, start=start, seen=seen):
        commas += delimiter == TAB and any("," in cell for cell in cells)
    if delimiter == TAB:
        quotes_head = start < len(lines) and lines[start].startswith(QUOTE) and seen.bared[:1] == [start + 1]
        quotes_commas = 0 < len(seen.bared) == commas and not seen.kept and _have_commas(lines, seen.bared)
        takes_off = quotes_head or quotes_commas
    else:
        takes_off = bool(seen.needed) or not seen.kept
    if takes_off:
        return quotes, seen
    quotes, seen = Quotes(delimiter, len(head), takes_off=False), Seen()
    for _ in quotes.rows(lines, start=start, seen=seen):
        pass
    return quotes, seen


def _have_commas(lines: Sequence[str], numbers: Sequence[int]) -> bool:
    return all(re.search(r'(^|\t)"[^"\t]*,[^"\t]*"(\t|$)', lines[number - 1]) for number in numbers)


def _form(cell: str) -> str:
    """What a cell is like: digits are one digit, letters one letter."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", cell.strip()))
