"""What annotators of an intensifier study read, and the settings that go with it. Our own words."""

from typing import Any

from annotation.tasktypes.forced_choice.task import ForcedChoice
from stimuli.making.settings import SLOT_METRICS, study_settings

ROLES = ("intensifier", "negation")
QUESTION = "Which word fits the blank better?"
TASK: dict[str, Any] = {"type": ForcedChoice.key, "question": QUESTION, "options": list(ROLES)}
INSTRUCTIONS = """\
You will read one or two sentences. In the last one a word is missing, and two words are offered for the blank.

Choose the word that fits better with everything you have read. Both are possible English; \
we want the one that makes better sense here.

The sentences come from real texts and some are clumsy. Read each to its end, then choose: \
your first thought is usually the one we want.
"""


def settings(slug: str, title: str) -> dict[str, Any]:
    """study.toml as nested tables."""
    return study_settings(
        slug=slug,
        title=title,
        instructions=INSTRUCTIONS,
        task=TASK,
        metrics=SLOT_METRICS,
        sitting_length=40,
        most_items=200,
    )
