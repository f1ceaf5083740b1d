"""Texts that begin alike: the options of one item differ late, and what they share is computed once. Without torch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# A shorter beginning is not worth a pass of its own.
WORTH_SHARING = 4


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One text's tokens, the start token first."""

    request: int
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """Rows that have their first `shared` tokens in common. At least one token of each is left over."""

    shared: int
    rows: tuple[TokenRow, ...]

    @property
    def prefix(self) -> tuple[int, ...]:
        return self.rows[0].ids[: self.shared]

    @property
    def rests(self) -> list[tuple[int, ...]]:
        return [row.ids[self.shared :] for row in self.rows]


def families(rows: Sequence[TokenRow]) -> Iterator[Family]:
    """The rows in order, neighbors that begin alike together: an item's options stand side by side.

    A row that shares less with its neighbors than WORTH_SHARING tokens, or than half of what they share among
    themselves, begins a family of its own; alone it has nothing to share.
    """
    together: list[TokenRow] = []
    shared = 0
    for row in rows:
        common = min(_common(together[0].ids, row.ids) if together else 0, shared or len(row.ids))
        if together and common >= max(WORTH_SHARING, shared / 2):
            together.append(row)
            shared = common
            continue
        if together:
            yield _family(together, shared)
        together, shared = [row], 0
    if together:
        yield _family(together, shared)


def _family(rows: list[TokenRow], shared: int) -> Family:
    return Family(shared if len(rows) > 1 else 0, tuple(rows))


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many first tokens are the same, leaving at least one of each."""
    most = min(len(one), len(other)) - 1
    return next((place for place in range(most) if one[place] != other[place]), most)
