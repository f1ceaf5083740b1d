"""Labels for the tests of agreement: tables of items by raters, as counts and one by one."""

from typing import Any

import numpy as np

from comparison.statistics.counts import MISSING, count
from comparison.statistics.estimate import Estimate


def one_by_one(table: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Items, raters and codes of a table (items, raters) with MISSING where there is no label."""
    items, raters = np.nonzero(table != MISSING)
    return items, raters, table[items, raters]


def counted(table: np.ndarray, *, values: int) -> np.ndarray:
    items, _, labels = one_by_one(table)
    return count(items, labels, size=len(table), values=values)


def crowd(rng: np.random.Generator, *, items: int, raters: int, each: int, values: int, right: float = 0.7) -> Any:
    """A table in which `each` raters, drawn by chance, label every item, and are right with this probability."""
    truth = rng.integers(values, size=items)
    said = np.where(rng.random((items, raters)) < right, truth[:, None], rng.integers(values, size=(items, raters)))
    there = rng.random((items, raters)).argsort(axis=1) < each
    return np.where(there, said, MISSING)


def ends(found: Estimate) -> tuple[float, float, float]:
    """Low, value and high of an estimate that has an interval."""
    assert found.low is not None
    assert found.value is not None
    assert found.high is not None
    return found.low, found.value, found.high


def width(found: Estimate) -> float:
    low, _, high = ends(found)
    return high - low


def value(found: Estimate) -> float:
    assert found.value is not None
    return found.value
