"""What can be scored of some requests, and batches of it under a budget of tokens: of one length, or filled up."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from annotation.tasktypes.contract import Result, Unscored

Row = TypeVar("Row")
Asked = TypeVar("Asked")
# Tokens to a batch: a number, or one that is asked for at every batch, because it grows and shrinks.
Budget = int | Callable[[], int]


def split_scorable(
    requests: Iterable[tuple[int, Asked]], prepare: Callable[[Asked], Row | Unscored]
) -> tuple[dict[int, Row], dict[int, Result]]:
    """By number, the requests that can be scored, as they are read; and those left unscored, with the reason."""
    ready: dict[int, Row] = {}
    refused: dict[int, Result] = {}
    for number, request in requests:
        prepared = prepare(request)
        if isinstance(prepared, Unscored):
            refused[number] = prepared
        else:
            ready[number] = prepared
    return ready, refused


def by_length(rows: Sequence[tuple[Row, Sequence[int]]], *, budget: Budget) -> Iterator[list[Row]]:
    """The rows grouped by length, short ones first, each group of at most `budget` tokens or one row."""
    groups: defaultdict[int, list[Row]] = defaultdict(list)
    for row, tokens in rows:
        groups[len(tokens)].append(row)
    for length in sorted(groups):
        group = groups[length]
        start = 0
        while start < len(group):
            size = max(1, _now(budget) // length)
            yield group[start : start + size]
            start += size


def nearly_by_length(rows: Sequence[tuple[Row, Sequence[int]]], *, budget: Budget) -> Iterator[list[Row]]:
    """The rows by the length of their tokens, each group, filled up to its longest, at most `budget` or one row."""
    group: list[Row] = []
    for row, tokens in sorted(rows, key=lambda pair: len(pair[1])):
        if group and (len(group) + 1) * len(tokens) > _now(budget):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _now(budget: Budget) -> int:
    return budget if isinstance(budget, int) else budget()
