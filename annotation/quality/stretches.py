"""Stretches of answers that repeat what came before, and how probable one is of an attentive annotator. Pure.

A stretch of period 1 is the same answer again and again; of period 2, two in turn. How probable: the first `period`
answers are free, and each further one is as probable as `Attentive` says; a place on the page, as one of the places
there are. All beginnings and all periods that are looked for are counted, so that it is a bound from above (Boole's
inequality).

What is known of an answer are the annotator's own other answers and what several others said. One person's word is not
as many words as there are items: who shares all items of a sitting with somebody careless disagrees with them on each.
So where one other person labeled an item, nothing is known of it; where several did, one label against the answer is
left out.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.quality.answers import Answer

# An attentive annotator gives a check its reference: as if so many had said so.
SURE = 10


class Attentive:
    """How probable an answer is of an attentive annotator, from all of one annotator's answers that are known."""

    def __init__(self, given: Sequence[Answer]) -> None:
        self._values = len({value for one in given for value in one.shown})
        self._targets = [one for one in given if not one.is_check]
        self._own = Counter(one.answer for one in self._targets)
        self._heard: dict[str, tuple[int, int]] = {}

    def chance(self, row: Sequence[Answer], period: int) -> float:
        """That the answers of `row` repeat its first `period`, which are free.

        Each is predicted from what is known of the item, and from the answers outside of the row and before it in the
        row: a rule of succession with the weight of one label for all that is not known, so that a row of what
        somebody says often, or always, is nothing strange by itself.
        """
        known = self._own - Counter(one.answer for one in row if not one.is_check)
        chance = 1.0
        for place, one in enumerate(row):
            if place >= period:
                chance *= self._says(one, known)
            if not one.is_check:
                known[one.answer] += 1
        return chance

    def _says(self, one: Answer, known: Counter[str]) -> float:
        """How often the item is given this answer; where few have said anything, it leans towards all answers."""
        agreed, heard = self._heard_of(one.answer)
        share = (known[one.answer] + agreed + 1 / self._values) / (known.total() + heard + 1)
        agree, others = (SURE * (one.answer == one.reference), SURE) if one.is_check else _heard(one, one.answer)
        return (agree + share) / (others + 1)

    def _heard_of(self, answer: str) -> tuple[int, int]:
        """What others say of all the items, as `_heard` of each."""
        if answer not in self._heard:
            each = [_heard(one, answer) for one in self._targets]
            self._heard[answer] = (sum(agree for agree, _ in each), sum(others for _, others in each))
        return self._heard[answer]


def _heard(one: Answer, answer: str) -> tuple[int, int]:
    """How many others agree with this answer to the item, of how many that are heard."""
    agree, others = one.others.get(answer, 0), sum(one.others.values())
    return (agree, max(agree, others - 1)) if others > 1 else (0, 0)


@dataclass(frozen=True, slots=True)
class Stretch:
    """`by`: whether the same label or the same place on the page was chosen. `chance` is at most that."""

    given: tuple[Answer, ...]
    by: str
    period: int
    chance: float

    def __len__(self) -> int:
        return len(self.given)


def stretches(given: Sequence[Answer], periods: Sequence[int]) -> Iterator[Stretch]:
    """Every stretch that can be made no longer, in one sitting; `given` has the order in which it was shown."""
    attentive = Attentive(given)
    by_place = len({one.shown for one in given}) > 1
    for part in _by_sitting(given):
        for period in periods:
            yield from _of_series([one.answer for one in part], part, period, attentive, looked_for=len(periods))
            if by_place:
                yield from _of_series([one.place for one in part], part, period, None, looked_for=len(periods))


def _of_series(
    said: Sequence[str | int], part: Sequence[Answer], period: int, attentive: Attentive | None, *, looked_for: int
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


def _by_place(found: Sequence[Answer], period: int) -> float:
    return math.prod(1 / len(one.shown) for one in found[period:])


def _by_sitting(given: Sequence[Answer]) -> list[list[Answer]]:
    parts: dict[int, list[Answer]] = {}
    for one in given:
        parts.setdefault(one.sitting, []).append(one)
    return list(parts.values())
