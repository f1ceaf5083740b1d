"""How far raters agree two by two, as the lower half of a table: rows are named, columns numbered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from comparison.statistics.estimate import Estimate, plain


@dataclass(frozen=True, slots=True)
class PairCell:
    """`level`, 0 to 10, is how dark it is; `hue` a class of figures.css: people's column, or runs'."""

    text: str
    level: int
    hue: str
    said: str


@dataclass(frozen=True, slots=True)
class PairRow:
    """`key` is a run's, empty of people."""

    key: str
    name: str
    title: str
    cells: tuple[PairCell, ...]


@dataclass(frozen=True, slots=True)
class Triangle:
    """`left` is how many raters are not drawn."""

    rows: tuple[PairRow, ...]
    left: int
    sentence: str

    @property
    def columns(self) -> range:
        """The numbers of the columns: the last row has none."""
        return range(1, len(self.rows))


@dataclass(frozen=True, slots=True)
class Rater:
    key: str
    name: str
    title: str


def triangle(
    raters: Sequence[Rater], found: Mapping[tuple[str, str], Estimate], *, left: int, sentence: str
) -> Triangle:
    """`found` by the keys of two raters, in either order."""
    rows = tuple(
        PairRow(
            one.key,
            one.name,
            one.title,
            tuple(_cell(one, other, found.get((one.key, other.key)) or found.get((other.key, one.key)))
                  for other in raters[:place]),
        )
        for place, one in enumerate(raters)
    )  # fmt: skip
    return Triangle(rows, left, sentence)


def _cell(one: Rater, other: Rater, found: Estimate | None) -> PairCell:
    names = f"{one.title} and {other.title}"
    hue = "hm-m" if one.key and other.key else "hm-p"
    if found is None or found.value is None:
        return PairCell("–", 0, hue, f"{names}: {found or 'no item in common'}")
    return PairCell(plain(found.value, decimals=2), level(found.value), hue, f"{names}: κ = {found}")


def level(value: float) -> int:
    """
    >>> level(-0.1), level(0.52), level(1.0)
    (0, 5, 10)
    """
    return round(10 * min(1.0, max(0.0, value)))
