"""Ways that are learned, learned at once: crowd-kit takes seconds for anything, and has tests of its own."""

import pytest

from comparison.frame import crowd
from comparison.statistics.aggregation import Aggregate, ties_shared

LEARNED = tuple(crowd.MODELS)


def learn_at_once(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each of them votes, but for MACE, which is undefined. The list says, in order, which were asked."""
    asked: list[str] = []

    def learned(key: str, *labels, size: int, values: int, people: int) -> Aggregate:
        asked.append(key)
        if key == "mace":
            return Aggregate.none("mace was asked", size=size, values=values, raters=people)
        return ties_shared(*labels, size=size, values=values, people=people)

    monkeypatch.setattr(crowd, "learned", learned)
    return asked
