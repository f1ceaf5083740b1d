"""Coefficients of agreement as rows of dots, the most lenient first."""

from collections.abc import Iterable
from dataclasses import dataclass

from comparison.page.drawn.axis import Axis
from comparison.page.drawn.dots import PEOPLE, Row
from comparison.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Coefficients:
    axis: Axis
    rows: tuple[Row, ...]


def coefficients(named: Iterable[tuple[str, Estimate]]) -> Coefficients:
    """Those that are undefined last."""
    there = list(named)
    values = [end for _, found in there for end in (found.low, found.value) if end is not None]
    # Below 0 people contradict one another: the scale goes on as far as that.
    # In half of a card, “−1” and “−.50” would run into one another.
    axis = Axis(-1.0, 1.0, most=4) if min(values, default=0.0) < 0 else Axis()
    falling = sorted(there, key=lambda one: -2.0 if one[1].value is None else one[1].value, reverse=True)
    return Coefficients(axis, tuple(_row(name, found, axis) for name, found in falling))


def _row(name: str, found: Estimate, axis: Axis) -> Row:
    return Row(
        key="",
        name=name,
        small="",
        title=name,
        look=PEOPLE,
        number=found.aligned[0],
        interval=found.aligned[1],
        why_not=found.undefined,
        said=f"{name}: {found}",
        mark=axis.mark(found, called=name),
    )
