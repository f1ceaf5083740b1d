"""Comprehension: questions about the instructions, and so many tries. Whoever fails is screened out, never rejected."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext

from annotation.assignment import finish
from annotation.models import ComprehensionTry, Sitting
from annotation.models.sitting import SittingStage as Stage
from annotation.platforms.contract import Outcome
from annotation.stages.declared import Comprehension
from annotation.stages.walking import NotHere, advance


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody is: the number of the try before them, and whether one has passed."""

    number: int
    tries: int
    last: ComprehensionTry | None

    @property
    def passed(self) -> bool:
        return self.last is not None and self.last.passed

    @property
    def is_last(self) -> bool:
        return self.number >= self.tries

    def given(self, question: str) -> str:
        """What was answered to this question in the try before; empty where it was not asked."""
        answers = self.last.answers if self.last is not None else []
        return next((one["given"] for one in answers if one["question"] == question), "")


def standing(sitting: Sitting, asked: Comprehension) -> Standing:
    last = sitting.comprehension.last()
    return Standing((last.number if last else 0) + 1, asked.tries, last)


def attempt(sitting: Sitting, asked: Comprehension, number: int, given: Sequence[str]) -> None:
    """Store the try of this number, and go on, or end behind the last. The same try sent twice is one.

    `given` are the answers in the order of the questions. Raises NotHere, and what `reach_items` raises: then the try
    is stored, and nobody has to answer again.
    """
    with transaction.atomic():
        row = Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
        if row.stage != Stage.COMPREHENSION or row.is_over:
            if row.comprehension.filter(number=number).exists():
                # Sent again, since the reply was lost.
                return
            raise NotHere(gettext("You are past these questions, so nothing was changed."))
        now = standing(row, asked)
        if number == now.number and not now.passed and number <= asked.tries:
            _store(row, asked, number, given)
    go_on(sitting, asked)


def go_on(sitting: Sitting, asked: Comprehension) -> None:
    """On from the questions, if they were answered right; to the end, if there is no try left."""
    now = standing(sitting, asked)
    if now.passed:
        advance(sitting, past=Stage.COMPREHENSION)
    elif now.number > asked.tries:
        finish(sitting, Outcome.SCREENED_OUT)


def _store(sitting: Sitting, asked: Comprehension, number: int, given: Sequence[str]) -> None:
    answers = [
        {"question": one.question, "right": one.answer, "given": answer}
        for one, answer in zip(asked.questions, given, strict=True)
    ]
    passed = all(one["right"] == one["given"] for one in answers)
    ComprehensionTry.objects.create(sitting=sitting, number=number, answers=answers, passed=passed)
