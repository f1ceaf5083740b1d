"""Exact-length batches: rows of one length together, no padding, under a budget of tokens."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar

Row = TypeVar("Row")


def by_length(rows: Sequence[tuple[Row, Sequence[int]]], *, budget: int) -> Iterator[list[Row]]:
    """The rows, grouped by the length of their tokens, each group at most `budget` tokens or one row.

    Short ones come first. Every row comes out once.
    """
    groups: defaultdict[int, list[Row]] = defaultdict(list)
    for row, tokens in rows:
        groups[len(tokens)].append(row)
    for length in sorted(groups):
        size = max(1, budget // length)
        group = groups[length]
        for start in range(0, len(group), size):
            yield group[start : start + size]
