"""Rows with the texts of another: which of them stands for all, and where their answers contradict one another.

No text is lost by leaving repeats out, nor an answer: of rows with the same texts, one with an answer stays, and one
whose ID is free. Rows that give the same texts different answers all stay, and each is a fault: nobody but the
researcher knows which is right.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotation.itemfile import ItemRow
from corpus.errors import Fault
from stimuli.datasets.table.remarking import as_one

# Rows with their places in the file.
Placed = tuple[str, ItemRow]


@dataclass(frozen=True, slots=True)
class Repeats:
    """`dropped`: the place of each row that may be left out, and of the one that stands for it. `faults` by place."""

    dropped: dict[str, str]
    faults: list[tuple[str, Fault]]


@dataclass(slots=True)
class _Kept:
    """The row that stands for its texts, as far as the file was read, and which IDs are used."""

    of: dict[tuple[str, ...], Placed] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)

    def take(self, key: tuple[str, ...], place: str, row: ItemRow) -> None:
        """Let the row stand for its texts, where its ID is free and it says more than the one that did."""
        before = self.of.get(key)
        if before is not None and not _says_more(row, before[1]):
            return
        if row.id in self.used and (before is None or row.id != before[1].id):
            return
        if before is not None:
            del self.used[before[1].id]
        self.of[key] = place, row
        self.used[row.id] = place


def repeats_of(rows: Sequence[Placed], *, column: str = "") -> Repeats:
    """Of rows that are sound by themselves; `column` is where their answers stand.

    >>> made = [ItemRow(one, {"text": text}, reference=said) for one, text, said in
    ...     [("1", "A", "yes"), ("1", "B", None), ("3", "B", "yes"), ("4", "A", "no"), ("5", "B", "yes")]]
    >>> found = repeats_of([(f"line {place}", row) for place, row in enumerate(made, start=2)], column="right")
    >>> found.dropped
    {'line 3': 'line 4', 'line 6': 'line 4'}
    >>> [fault.field for _, fault in found.faults]
    ["line 2, column 'right'", "line 5, column 'right'"]
    """
    same: dict[tuple[str, ...], list[Placed]] = defaultdict(list)
    for place, row in rows:
        same[_key(row)].append((place, row))
    faults = [one for some in same.values() for one in _contradictions(some, column)]
    contradict, retained = {place for place, _ in faults}, _Kept()
    for place, row in rows:
        if place in contradict:
            retained.used.setdefault(row.id, place)
        else:
            retained.take(_key(row), place, row)
    dropped = {}
    for place, row in rows:
        stands = retained.of.get(_key(row))
        # A row with the only answer whose ID is used stays: its ID is a fault that is told.
        if stands and place != stands[0] and place not in contradict and not _says_more(row, stands[1]):
            dropped[place] = stands[0]
    return Repeats(dropped, faults)


def _key(row: ItemRow) -> tuple[str, ...]:
    """A check is no repeat of an item."""
    return (row.kind, *as_one(row.content))


def _says_more(row: ItemRow, other: ItemRow) -> bool:
    return row.reference is not None and other.reference is None


def _contradictions(rows: Sequence[Placed], column: str) -> list[tuple[str, Fault]]:
    """Each row with an answer, where not all say the same."""
    answered = [(place, row.reference) for place, row in rows if row.reference is not None]
    faults = []
    for place, reference in answered:
        other = next(((where, one) for where, one in answered if one != reference), None)
        if other is None:
            return []
        where = f"{place}, column {column!r}" if column else f"{place}, reference"
        faults.append(
            (place, Fault(where, f"is “{reference}”, but “{other[1]}” on {other[0]}, which has the same text"))
        )
    return faults
