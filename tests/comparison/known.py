"""What may be undefined, where a test knows that it is not: the test fails if it is, and the types know it too."""

from typing import TypeVar

from comparison.statistics.estimate import Estimate

T = TypeVar("T")


def known(value: T | None) -> T:
    assert value is not None
    return value


def ends(estimate: Estimate) -> tuple[float, float]:
    """Both ends of its interval."""
    return known(estimate.low), known(estimate.high)


def width(estimate: Estimate) -> float:
    low, high = ends(estimate)
    return high - low
