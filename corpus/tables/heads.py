"""Where a table begins in its file: lines above the head are told apart from it, and columns get their names."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from corpus.errors import Remark

# Rows that are looked at for where the head is, and cells of one that are names.
LOOKED_AT = 40
LONGEST_NAME = 80
NAMELESS = re.compile(r"(unnamed: \d+)?", re.IGNORECASE)
SENTENCE = re.compile(r"\S++\s++(.*\S)?[.!?…][\"”»’']?", re.DOTALL)
# What columns are called, of whatever table of items, labels or scores.
KNOWN = frozenset((
    "id", "item", "itemid", "itemnumber", "itemno", "sentid", "sentence", "sentences", "text", "stimulus", "stimuli",
    "condition", "cond", "group", "label", "labels", "annotator", "participant", "subject", "worker", "rating",
    "answer", "response", "reference", "score", "logprob", "question", "premise", "hypothesis", "first", "second",
    "good", "bad", "satz", "bedingung", "phrase", "freq", "frequency", "gloss", "word", "target", "prompt", "seconds",
))  # fmt: skip
NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")
# What `named` calls a column without a name.
BY_NUMBER = re.compile(r"column \d+( \(without a name\))?")
# Between the head and the rows of a table in Markdown.
DASHES = re.compile(r":?-{3,}:?")


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
    top_rows = rows[:LOOKED_AT]
    width = _most_common([_filled(row) for row in top_rows])
    cells = _most_common([len(row) for row in top_rows])
    for place, row in enumerate(top_rows):
        rest = [one for one in top_rows[place + 1 :] if _filled(one) >= min(width, 2) and not is_comment(one)]
        if not rest or looks_like_data(rest[0]):
            return place
        if not _is_beside(row, width, cells, rest[0]) and not _is_over(row, rest[0], rest[1:]):
            return place
    return 0


def head_cells(rows: Sequence[Sequence[str]], place: int) -> tuple[list[str], bool]:
    """The names in the head's row, and whether the row above names columns that it leaves without a name."""
    cells, below = rows[place], rows[place + 1 : LOOKED_AT]
    if not place or not _is_over(rows[place - 1], cells, below):
        return [*cells], False
    names = _completed(rows[place - 1], cells)
    return names, _filled(names) > _filled(cells)


def _completed(over: Sequence[str], head: Sequence[str]) -> list[str]:
    """A head of two rows, as merged cells leave it: what the second does not name, the first does."""
    names = [name if name.strip() else above for above, name in zip_longest(over, head, fillvalue="")]
    while names and not names[-1].strip():
        names.pop()
    return names


def is_known(name: str) -> bool:
    """Whether columns are often called that, in any table."""
    return "".join(filter(str.isalnum, name.casefold())) in KNOWN


def _is_over(row: Sequence[str], head: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a row is a first line of a head of two, or a title in as many cells as there are columns.

    The next row has a name for every column that the row leaves without one, and one that columns are often called; the
    row has gaps, or no such name.
    """
    names = [name.strip() for name in _completed(row, head)]
    filled = [place for place, cell in enumerate(row) if cell.strip()]
    if not below or len(set(names)) < len(names) or not all(names):
        return False
    if not any(map(is_known, head)) or any(len(name.split()) > 3 for name in names):
        return False
    if not any(_are_data(name, [one[place] for one in below if place < len(one)]) for place, name in enumerate(names)):
        return False
    return len(filled) < len(names) or not any(map(is_known, row))


def _are_data(name: str, cells: Sequence[str]) -> bool:
    """Whether cells are numbers or several words under a name that is neither."""
    is_word = len(name.split()) == 1 and not any(map(str.isdigit, name))
    return is_word and bool(cells) and all(NUMBER.fullmatch(cell.strip()) or " " in cell.strip() for cell in cells)


def is_comment(row: Sequence[str]) -> bool:
    """`# exported on …`; a column may be called `#`."""
    first = row[0].lstrip() if row else ""
    return first.startswith("#") and first != "#"


def no_row(cells: Sequence[str], head: Sequence[str], *, is_alone: bool) -> str:
    """Why a row below the head is left out: it is the head again, a comment, or dashes; else empty.

    `#` before a sentence says that it is odd: a comment `is_alone`, on a line without a delimiter.
    """
    texts = [cell.strip() for cell in cells]
    filled = [*filter(None, texts)]
    if texts == [*map(str.strip, head)]:
        return "left out, as the header again"
    if is_alone and is_comment(texts) and len(head) > 1:
        return "left out, as a comment"
    return "left out, as dashes between rows" if len(filled) > 1 and all(map(DASHES.fullmatch, filled)) else ""


def no_rows_of_sheet(rows: Mapping[int, Sequence[str]], head: Sequence[str]) -> dict[int, str]:
    """The same by row. A sentence may stand alone in its row too: a comment is one where other rows begin with ids."""
    first = [cells[0].strip() for cells in rows.values() if cells and not is_comment(cells)]
    are_ids = any(first) and not any(" " in one for one in first)
    why = {at: no_row(cells, head, is_alone=are_ids and not any(cells[1:])) for at, cells in rows.items()}
    return {at: one for at, one in why.items() if one}


def named(
    cells: Sequence[str],
    filled: Sequence[bool],
    *,
    where: str,
    below: Sequence[Sequence[str]] = (),
    row_names: bool = False,
) -> Head:
    """The names of a head's cells. `filled` says of each place whether any row has something there; `below` are some.

    With `row_names`, the rows have one cell more than the head, their first, as R writes it.
    """
    width = max([len(cells), *(place + 1 for place, is_there in enumerate(filled) if is_there)])
    # A name may be written with other code points than elsewhere: é is one, or two.
    stripped = [unicodedata.normalize("NFC", cell.strip()) for cell in cells] + [""] * (width - len(cells))
    is_filled = [*filled, *([False] * (width - len(filled)))]
    remarks = []
    if row_names:
        stripped = ["", *stripped[:-1]]
        remarks.append(Remark(where, "has one column name fewer than cells per row; the first cells are row names"))
    # Without a head columns go by number, and none is left out.
    places = tuple(
        place for place in range(width) if not cells or not NAMELESS.fullmatch(stripped[place]) or is_filled[place]
    )
    numbered = {place: f"column {place + 1}" for place in places if NAMELESS.fullmatch(stripped[place])}
    free = {place: name if name not in stripped else f"{name} (without a name)" for place, name in numbered.items()}
    names = [free.get(place, stripped[place]) for place in places]
    times = Counter(names)
    names = [f"{one} (column {at + 1})" if times[one] > 1 else one for at, one in zip(places, names, strict=True)]
    for one in (name for name, many in times.items() if many > 1):
        remarks.append(Remark(where, f"{times[one]} columns are called “{one}”; each has its number behind it here"))
    nameless = list(free.values())
    if nameless and cells:
        are = "a column has no name; it is" if len(nameless) == 1 else "columns have no name; they are"
        remarks.append(Remark(where, f"{are} called {', '.join(f'“{name}”' for name in nameless)} here"))
    if cells and (looks_like_data(names) or _goes_on(cells, below)):
        sample = " · ".join(name[:LONGEST_NAME] for name in names[:4])
        remarks.append(Remark(where, f"is read as the header, but looks like data: {sample}"))
    return Head(tuple(names), places, width, tuple(remarks))


def looks_like_data(names: Sequence[str]) -> bool:
    """Whether what should be names are sentences or numbers."""
    filled = [name for name in names if name]
    return any(SENTENCE.fullmatch(name.strip()) for name in filled) or (
        any(NUMBER.fullmatch(name.strip()) for name in filled) and len(filled) > 1
    )


def _goes_on(cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether what should be names goes on below: s1 over s2 and s3, or several words over several."""
    if any(map(is_known, cells)):
        return False
    for place, name in enumerate(map(str.strip, cells)):
        under = [one[place].strip() for one in below if place < len(one) and one[place].strip()]
        if not under:
            continue
        if any(map(str.isdigit, name)) and {_form(one) for one in (name, *under)} == {_form(name)}:
            return True
        is_text = len(name.split()) > 2 and "?" not in name and not any("_" in one for one in cells)
        if is_text and all(len(one.split()) > 1 for one in under):
            return True
    return False


def _form(cell: str) -> str:
    return re.sub(r"\d+", "0", cell)


def is_title(line: str, below: Sequence[str]) -> bool:
    """Whether a line with one cell can be a title over a head of these cells, and not the name of the one column."""
    if looks_like_data(below) or not all(cell.strip() for cell in below):
        return False
    return len(line.split()) > 1 or all(len(cell.split()) == 1 for cell in below)


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _most_common(numbers: Sequence[int]) -> int:
    """The number that is there most often; of several, the greatest."""
    times = Counter(numbers)
    return max(times, key=lambda one: (times[one], one), default=0)


def _is_beside(row: Sequence[str], width: int, cells: int, below: Sequence[str]) -> bool:
    """Whether a row may stand above the head: a comment, or a title with fewer cells than a table's rows.

    A title that does not stand in the first column is over names that columns are often called.
    """
    if is_comment(row):
        return True
    if width < 2 or not row or not (row[0].strip() or sum(map(is_known, below)) > 1):
        return False
    return _filled(row) <= max(1, (width - 1) // 2) or len(row) < cells
