"""Stretches of answers that repeat what came before, and how probable one is of an attentive annotator. Pure.

A stretch of period 1 is the same answer again and again; of period 2, two in turn. How probable: the first `period`
answers are free, and each further one is as probable as `annotation/quality/attentive.py` says; a place on the page,
as one of the places there are. All beginnings and all periods that are looked for are counted, so that it is a bound
from above (Boole's inequality).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.quality.answers import Given
from annotation.quality.attentive import Attentive


@dataclass(frozen=True, slots=True)
class Stretch:
    """`by`: whether the same label or the same place on the page was chosen. `chance` is at most that."""

    given: tuple[Given, ...]
    by: str
    period: int
    chance: float

    def __len__(self) -> int:
        return len(self.given)


def stretches(given: Sequence[Given], periods: Sequence[int]) -> Iterator[Stretch]:
    """Every stretch that can be made no longer, in one sitting; `given` has the order in which it was shown."""
    attentive = Attentive(given)
    by_place = len({one.shown for one in given}) > 1
    for part in _by_sitting(given):
        for period in periods:
            yield from _of_series([one.answer for one in part], part, period, attentive, looked_for=len(periods))
            if by_place:
                yield from _of_series([one.place for one in part], part, period, None, looked_for=len(periods))


def _of_series(
    said: Sequence[str | int], part: Sequence[Given], period: int, attentive: Attentive | None, *, looked_for: int
) -> Iterator[Stretch]:
    begins = 0
    for end in range(period, len(said) + 1):
        if end < len(said) and said[end] == said[end - period]:
            continue
        # A longer period is of several answers: one again and again is a stretch of period 1.
        if end - begins > period and (period == 1 or len(set(said[begins:end])) > 1):
            found = tuple(part[begins:end])
            chance = attentive.chance(found, period) if attentive else _by_place(found, period)
            chance *= looked_for * (len(part) - len(found) + 1)
            yield Stretch(found, "label" if attentive else "place", period, min(1.0, chance))
        begins = end - period + 1


def _by_place(found: Sequence[Given], period: int) -> float:
    return math.prod(1 / len(one.shown) for one in found[period:])


def _by_sitting(given: Sequence[Given]) -> list[list[Given]]:
    parts: dict[int, list[Given]] = {}
    for one in given:
        parts.setdefault(one.sitting, []).append(one)
    return list(parts.values())
