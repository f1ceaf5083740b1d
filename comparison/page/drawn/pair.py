"""Two estimates in each row, on one scale: filled and hollow."""

from collections.abc import Iterable
from dataclasses import dataclass

from comparison.page.drawn.axis import Axis, Mark
from comparison.statistics.estimate import Estimate

SHARE = Axis()


@dataclass(frozen=True, slots=True)
class PairRow:
    key: str
    name: str
    small: str
    title: str
    filled: Mark | None
    hollow: Mark | None
    numbers: tuple[str, str]
    said: str
    small_number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """`names` are what filled and hollow stand for, `sizes` how many items each rests on at most."""

    axis: Axis
    rows: tuple[PairRow, ...]
    names: tuple[str, str]
    sizes: tuple[int, int]
    constant: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Both:
    """Two estimates; `small_number` is printed below theirs. Without a `key` the row leads nowhere."""

    key: str
    name: str
    small: str
    title: str
    filled: Estimate
    hollow: Estimate
    small_number: str = ""


def pairs(
    rows: Iterable[Both],
    *,
    names: tuple[str, str],
    constant: float | None = None,
    sentence: str = "",
    axis: Axis = SHARE,
) -> Pairs | None:
    """None where no row has both: nothing would be beside anything."""
    every = list(rows)
    if not any(one.filled.value is not None and one.hollow.value is not None for one in every):
        return None
    return Pairs(
        axis=axis,
        rows=tuple(_row(one, axis, names) for one in every),
        names=names,
        sizes=(max(one.filled.n for one in every), max(one.hollow.n for one in every)),
        constant="" if constant is None else axis.at(constant),
        sentence=sentence,
    )


def _row(one: Both, axis: Axis, names: tuple[str, str]) -> PairRow:
    both = tuple(zip(names, (one.filled, one.hollow), strict=True))
    filled, hollow = (axis.mark(estimate, called=f"{one.title}, {name}") for name, estimate in both)
    description = f"{one.title}: " + ", ".join(f"{name} {estimate}" for name, estimate in both)
    numbers = (one.filled.aligned[0] or "–", one.hollow.aligned[0] or "–")
    return PairRow(one.key, one.name, one.small, one.title, filled, hollow, numbers, description, one.small_number)
