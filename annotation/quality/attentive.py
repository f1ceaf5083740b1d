"""How probable an answer is of an attentive annotator, from what else is known of it. Pure.

What is known are the annotator's own other answers and what several others said. One person's word is not as many
words as there are items: who shares all items of a sitting with somebody careless disagrees with them on each. So
where one other person labeled an item, nothing is known of it; where several did, one label against the answer is
left out.
"""

from collections import Counter
from collections.abc import Sequence

from annotation.quality.answers import Given

# An attentive annotator gives a check its reference: as if so many had said so.
SURE = 10


class Attentive:
    """Of one annotator's answers, all that are known."""

    def __init__(self, given: Sequence[Given]) -> None:
        self._values = len({value for one in given for value in one.shown})
        self._targets = [one for one in given if not one.is_check]
        self._own = Counter(one.answer for one in self._targets)
        self._heard: dict[str, tuple[int, int]] = {}

    def chance(self, row: Sequence[Given], period: int) -> float:
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

    def _says(self, one: Given, known: Counter[str]) -> float:
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


def _heard(one: Given, answer: str) -> tuple[int, int]:
    """How many others agree with this answer to the item, of how many that are heard."""
    agree, others = one.others.get(answer, 0), sum(one.others.values())
    return (agree, max(agree, others - 1)) if others > 1 else (0, 0)
