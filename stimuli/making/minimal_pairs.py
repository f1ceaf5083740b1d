"""What all studies of minimal pairs share: two options, of which one is grammatical."""

from typing import Any

from annotation.tasktypes.forced_choice.task import ForcedChoice
from stimuli.making.settings import SLOT_METRICS, study_settings

ROLES = ("grammatical", "ungrammatical")
QUESTION_SENTENCES = "Which of the two would a native speaker say?"
QUESTION_WORDS = "Which word would a native speaker put here?"

SENTENCES = """\
You will see two sentences that are nearly the same. One of them is said as native speakers of English say it, and in \
the other something is wrong. Choose the one that sounds right.

Some sentences are odd in what they say. Judge only how they are put together.
"""

WORDS = """\
You will see a sentence with a blank and two words. Only one of them fits, as native speakers of English speak. \
Choose that one.

Some sentences are odd in what they say, and they are written in small letters. Judge only which word fits.
"""


def settings(*, slug: str, title: str, whole_sentences: bool, gold: int = 0, attention: int = 0) -> dict[str, Any]:
    """study.toml as nested tables."""
    return study_settings(
        slug=slug,
        title=title,
        instructions=SENTENCES if whole_sentences else WORDS,
        task={
            "type": ForcedChoice.key,
            "question": QUESTION_SENTENCES if whole_sentences else QUESTION_WORDS,
            "options": list(ROLES),
        },
        metrics=SLOT_METRICS,
        sitting_length=30,
        gold=gold,
        attention=attention,
        most_items=150,
    )
