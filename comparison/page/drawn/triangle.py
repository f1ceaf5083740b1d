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
    raters: Sequence[Rater], kappas: Mapping[tuple[str, str], Estimate], *, remaining: int, sentence: str
) -> Triangle:
    """`kappas` by the keys of two raters, in either order."""
    rows = tuple(
        PairRow(
            one.key,
            one.name,
            one.title,
            tuple(_cell(one, other, kappas.get((one.key, other.key)) or kappas.get((other.key, one.key)))
                  for other in raters[:place]),
        )
        for place, one in enumerate(raters)
    )  # fmt: skip
    return Triangle(rows, remaining, sentence)


def _cell(one: Rater, other: Rater, kappa: Estimate | None) -> PairCell:
    names = f"{one.title} and {other.title}"
    hue = "hm-m" if one.key and other.key else "hm-p"
    if kappa is None or kappa.value is None:
        return PairCell("–", 0, hue, f"{names}: {kappa or 'no item in common'}")
    return PairCell(plain(kappa.value, decimals=2), level(kappa.value), hue, f"{names}: κ = {kappa}")


def level(value: float) -> int:
    """
    >>> level(-0.1), level(0.52), level(1.0)
    (0, 5, 10)
    """
    return round(10 * min(1.0, max(0.0, value)))
