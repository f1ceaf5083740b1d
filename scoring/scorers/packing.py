"""Texts that begin alike in one row of tokens: the beginning once, then what is left of each. Without torch.

No part that follows the beginning sees another one, so that each text has the numbers it has alone (the tree attention
of speculative decoding: Miao et al. 2024, arXiv:2305.09781).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.scorers.prefixes import Family, TokenRow

# The branch of what all rows share; the rests are numbered from the next.
TRUNK = 0


@dataclass(frozen=True, slots=True)
class Pack:
    """A family as one row. The last token of each rest is only asked for, so it is not among `ids`.

    `positions` and `branches` belong to `ids`; `reads` are (place in `ids`, token asked for after it), first those of
    the shared beginning, then those of each rest.
    """

    family: Family
    ids: tuple[int, ...]
    positions: tuple[int, ...]
    branches: tuple[int, ...]
    reads: tuple[tuple[int, int], ...]

    @property
    def is_plain(self) -> bool:
        """One text, as it stands."""
        return not self.family.shared

    def by_row(self, values: Sequence[float]) -> Iterator[tuple[TokenRow, list[float]]]:
        """The values of `reads` as values of every token of each row after its first."""
        shared = self.family.shared
        start = max(0, shared - 1)
        common = list(values[:start])
        for row in self.family.rows:
            end = start + len(row.ids) - max(1, shared)
            yield row, [*common, *values[start:end]]
            start = end


def packed(family: Family) -> Pack:
    """The family in one row of at most `shared` and all the rests' tokens."""
    shared = family.shared
    ids, branches = list(family.prefix), [TRUNK] * shared
    positions = list(range(shared))
    reads = [(place, ids[place + 1]) for place in range(shared - 1)]
    for branch, rest in enumerate(family.rests, start=TRUNK + 1):
        start = len(ids)
        ids += rest[:-1]
        positions += range(shared, shared + len(rest) - 1)
        branches += [branch] * (len(rest) - 1)
        # The first token is asked for where the beginning ends; a text that shares nothing begins with it.
        first = [(shared - 1, rest[0])] if shared else []
        reads += first + [(start + before, token) for before, token in enumerate(rest[1:])]
    return Pack(family, tuple(ids), tuple(positions), tuple(branches), tuple(reads))


def pieces(family: Family, *, budget: int) -> Iterator[Family]:
    """The family in parts of at most `budget` tokens, or of one row."""
    rows: list[TokenRow] = []
    tokens = family.shared
    for row in family.rows:
        rest = len(row.ids) - family.shared
        if rows and tokens + rest > budget:
            yield _part(family, rows)
            rows, tokens = [], family.shared
        rows.append(row)
        tokens += rest
    yield _part(family, rows)


def _part(family: Family, rows: Sequence[TokenRow]) -> Family:
    return Family(family.shared if len(rows) > 1 else 0, tuple(rows))
