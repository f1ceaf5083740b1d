"""Where a table begins in its file: lines above the head are told apart from it, and columns get their names."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.tables.remarks import Remark

# Rows that are looked at for where the head is, and cells of one that are names.
LOOKED_AT = 40
LONGEST_NAME = 80
NAMELESS = re.compile(r"(unnamed: \d+)?", re.IGNORECASE)
SENTENCE = re.compile(r"\S+\s+(.*\S)?[.!?…][\"”»’']?", re.DOTALL)
NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Head:
    """The names of a table's columns, and the places of the cells that are kept: no empty column without a name is."""

    columns: tuple[str, ...]
    kept: tuple[int, ...]
    # How many cells a row has.
    width: int
    remarks: tuple[Remark, ...]


def head_place(rows: Sequence[Sequence[str]]) -> int:
    """Which of the rows names the columns: the first, below comments (`#`) and titles, which have fewer cells."""
    looked = rows[:LOOKED_AT]
    width = _most_common([_filled(row) for row in looked])
    cells = _most_common([len(row) for row in looked])
    for place, row in enumerate(looked):
        below = next(
            (one for one in looked[place + 1 :] if _filled(one) >= min(width, 2) and not is_comment(one)), None
        )
        if below is None or looks_like_data(below) or not _is_beside(row, width, cells):
            return place
    return 0


def is_comment(row: Sequence[str]) -> bool:
    """`# exported on …`; a column may be called `#`."""
    first = row[0].lstrip() if row else ""
    return first.startswith("#") and first != "#"


def named(cells: Sequence[str], filled: Sequence[bool], *, where: str, row_names: bool = False) -> Head:
    """The names of a head's cells. `filled` says of each place whether any row below has something there.

    With `row_names`, the rows have one cell more than the head, their first, as R writes it.
    """
    width = max([len(cells), *(place + 1 for place, is_there in enumerate(filled) if is_there)])
    given = [cell.strip() for cell in cells] + [""] * (width - len(cells))
    is_filled = [*filled, *([False] * (width - len(filled)))]
    remarks = []
    if row_names:
        given = ["", *given[:-1]]
        remarks.append(Remark(where, "names one column less than the rows have; their first cells are row names"))
    # Without a head columns go by number, and none is left out.
    kept = tuple(
        place for place in range(width) if not cells or not NAMELESS.fullmatch(given[place]) or is_filled[place]
    )
    names = [given[place] if not NAMELESS.fullmatch(given[place]) else _free(place, given) for place in kept]
    nameless = [name for name, place in zip(names, kept, strict=True) if NAMELESS.fullmatch(given[place])]
    if nameless and cells:
        are = "a column has no name; it is" if len(nameless) == 1 else "columns have no name; they are"
        remarks.append(Remark(where, f"{are} called {', '.join(f'“{name}”' for name in nameless)} here"))
    if cells and looks_like_data(names):
        shown = " · ".join(name[:LONGEST_NAME] for name in names[:4])
        remarks.append(Remark(where, f"is taken for the names of the columns, but looks like data: {shown}"))
    return Head(tuple(names), kept, width, tuple(remarks))


def looks_like_data(names: Sequence[str]) -> bool:
    """Whether what should be names are sentences or numbers."""
    given = [name for name in names if name]
    return any(SENTENCE.fullmatch(name.strip()) for name in given) or (
        any(NUMBER.fullmatch(name.strip()) for name in given) and len(given) > 1
    )


def is_title(line: str, below: Sequence[str]) -> bool:
    """Whether a line with one cell can be a title over a head of these cells, and not the name of the one column."""
    if looks_like_data(below) or not all(cell.strip() for cell in below):
        return False
    return len(line.split()) > 1 or all(len(cell.split()) == 1 for cell in below)


def _free(place: int, given: Sequence[str]) -> str:
    name = f"column {place + 1}"
    return name if name not in given else f"{name} (without a name)"


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _most_common(numbers: Sequence[int]) -> int:
    """The number that is there most often; of several, the greatest."""
    times = Counter(numbers)
    return max(times, key=lambda one: (times[one], one), default=0)


def _is_beside(row: Sequence[str], width: int, cells: int) -> bool:
    """Whether a row may stand above the head: a comment, or a title with fewer cells than a table's rows."""
    if is_comment(row):
        return True
    if width < 2 or not row or not row[0].strip():
        return False
    return _filled(row) <= max(1, (width - 1) // 2) or len(row) < cells
