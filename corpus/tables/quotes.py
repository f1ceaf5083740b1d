"""Delimited lines cut into cells: by what, and where a quotation mark may be the file's or the text's.

A cell is quoted (RFC 4180) where a mark begins it and another ends it, before a delimiter or the end of a line. Any
other mark is text. Where a quoted cell would swallow lines that are rows by themselves, they are rows, and keep their
marks. Between tabs nothing needs quotes but tabs, line breaks and quotes: there other pairs of marks are text as well,
unless the file's writer quotes its head, or every cell that has a comma.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from corpus.bounds import MOST_COLUMNS
from corpus.errors import Remark, listed
from corpus.tables.heads import is_comment, is_title

QUOTE = '"'
ESCAPED = '\\"'
TAB = "\t"
# What may part cells, by its name. Where nobody says which, it is seen; a tab goes first.
DELIMITERS = {"tab": TAB, "semicolon": ";", "comma": ",", "pipe": "|"}
# A line as R writes it where nothing else is asked for: texts in quotation marks, spaces between the cells.
SPACED = re.compile(r'"[^"]*"( ("[^"]*"|[^\s"]+))+')
SEP = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
# Lines that are looked at for it.
LOOKED_AT = 60
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

    @property
    def are_odd(self) -> bool:
        """Whether some are not where RFC 4180 has them."""
        return bool(self.kept or self.apart or self.unclosed)


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
                # One more than there may be is enough to refuse it.
                cells = line.split(self.delimiter, MOST_COLUMNS) if self.delimiter else [line]
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
        if line.count(self.delimiter) > MOST_COLUMNS:
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
            if place >= len(text) or len(cells) > MOST_COLUMNS:
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


def unescaped(lines: list[str], *, start: int, delimiter: str) -> tuple[list[str], list[Remark]]:
    """The lines as RFC 4180 has them, where a backslash stands before marks; and what is said of it.

    Only where it does so inside quotes, and where so every mark is the file's, which else it is not.
    """
    if not (escaped := [at for at, line in enumerate(lines, start=1) if ESCAPED in line]):
        return lines, []
    again = _cells(delimiter).sub(_doubled, "\n".join(lines)).split("\n")
    before, after = (quotes_of(these, start=start, delimiter=delimiter)[1] for these in (lines, again))
    is_meant = before.are_odd and after.needed and not after.are_odd
    remark = Remark(listed(escaped), f"a backslash stands before quotation marks ({ESCAPED}) and is taken off")
    return (again, [remark]) if is_meant else (lines, [])


def _cells(delimiter: str) -> re.Pattern[str]:
    """A cell, quoted or not, in which a backslash may stand before marks, and what ends it."""
    sep, spaces = re.escape(delimiter), "" if delimiter == TAB else " *"
    return re.compile(rf'(?:({spaces}"(?:\\"|""|[^"])*+"{spaces})|([^{sep}\n]*))([{sep}\n]|\Z)')


def _doubled(match: re.Match[str]) -> str:
    """A cell with two marks for one behind a backslash, and quotes around it where there are none."""
    quoted, bare, end = match.groups()
    if quoted:
        return f"{quoted.replace(ESCAPED, QUOTE * 2)}{end}"
    if ESCAPED not in bare or QUOTE in bare.replace(ESCAPED, ""):
        return match[0]
    return f"{QUOTE}{bare.replace(ESCAPED, QUOTE * 2)}{QUOTE}{end}"


def _have_commas(lines: Sequence[str], numbers: Sequence[int]) -> bool:
    return all(re.search(r'(^|\t)"[^",\t]*,[^"\t]*"(\t|$)', lines[number - 1]) for number in numbers)


def _form(cell: str) -> str:
    """What a cell is like: digits are one digit, letters one letter."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", cell.strip()))


def start_of(lines: Sequence[str], delimiter: str, otherwise: str) -> tuple[int, str]:
    """Where the table begins, below Excel's line `sep=;`, and what parts its cells: asked for, said there or otherwise,
    or seen.
    """
    at = next((place for place, line in enumerate(lines) if line.strip()), 0)
    if match := SEP.fullmatch(lines[at]):
        return at + 1, delimiter or match[1]
    return 0, delimiter or otherwise or parting(lines)


def parting(lines: Sequence[str]) -> str:
    """What parts the cells: a tab anywhere, else what is there in most lines, as often in each; empty for nothing.

    Of a table under a title, the title says nothing; of one column, its name has none.
    """
    top_lines = [line for line in lines if line.strip() and not is_comment([line])][:LOOKED_AT]
    outside = ["".join(line.split('"')[::2]) for line in top_lines]
    if any(TAB in line for line in outside[:2]):
        return TAB
    best, most = "", (0.0, 0)
    for one in DELIMITERS.values():
        counts = [line.count(one) for line in outside]
        at = next((place for place, count in enumerate(counts) if count), 0)
        rest = counts[at:]
        common = max(rest, key=rest.count, default=0)
        share = rest.count(common) / len(rest) if common else 0.0
        # A name alone on its line, over texts that have commas in them, is a table of one column.
        if at and (share < 0.8 or not is_title(top_lines[0], top_lines[at].split(one))):
            continue
        if share and (share, common) > most:
            best, most = one, (share, common)
    if not best and len(top_lines) > 1 and all(map(SPACED.fullmatch, top_lines)):
        return " "
    return best
