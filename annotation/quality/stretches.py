"""Stretches of answers that repeat what came before, and how probable one is of an attentive annotator. Pure.

A stretch of period 1 is the same answer again and again; of period 2, two in turn. How probable: the first `period`
answers are free; each further one repeats what was said with the probability that others say so of that item. All
beginnings are counted, so that it is a bound from above (Boole's inequality).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.quality.answers import Given

# An attentive annotator gives a check its reference: as if so many had said so.
SURE = 10


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
    shares = _shares(given)
    by_place = len({one.shown for one in given}) > 1
    for part in _by_sitting(given):
        for period in periods:
            yield from _of_series([one.answer for one in part], part, period, shares)
            if by_place:
                yield from _of_series([one.place for one in part], part, period, None)


def _of_series(
    said: Sequence[str | int], part: Sequence[Given], period: int, shares: dict[str, float] | None
) -> Iterator[Stretch]:
    begins = 0
    for end in range(period, len(said) + 1):
        if end < len(said) and said[end] == said[end - period]:
            continue
        # A longer period is of several answers: one again and again is a stretch of period 1.
        if end - begins > period and (period == 1 or len(set(said[begins:end])) > 1):
            found = tuple(part[begins:end])
            chance = _chance(found, period, shares) * (len(part) - len(found) + 1)
            yield Stretch(found, "place" if shares is None else "label", period, min(1.0, chance))
        begins = end - period + 1


def _chance(found: Sequence[Given], period: int, shares: dict[str, float] | None) -> float:
    chance = 1.0
    for one in found[period:]:
        chance *= 1 / len(one.shown) if shares is None else _said_by_others(one, shares)
    return chance


def _said_by_others(one: Given, shares: dict[str, float]) -> float:
    """How often others give the item this label; where few have, it leans towards what they say of all the items."""
    others = {one.reference or "": SURE} if one.is_check else one.others
    return (others.get(one.answer, 0) + shares[one.answer]) / (sum(others.values()) + 1)


def _shares(given: Sequence[Given]) -> dict[str, float]:
    """Of every label among what others said of these items; equal where they said nothing."""
    said: Counter[str] = Counter()
    for one in given:
        said.update(one.others)
    values = {value for one in given for value in one.shown}
    return {value: (said[value] + 1) / (said.total() + len(values)) for value in values}


def _by_sitting(given: Sequence[Given]) -> list[list[Given]]:
    parts: dict[int, list[Given]] = {}
    for one in given:
        parts.setdefault(one.sitting, []).append(one)
    return list(parts.values())
