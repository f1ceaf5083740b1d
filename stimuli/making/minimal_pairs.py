"""What all studies of minimal pairs share: two options, of which one is grammatical."""

from collections.abc import Sequence
from typing import Any

ROLES = ("grammatical", "ungrammatical")
METRICS = ("cloze", "pll", "pll_within_word_l2r", "causal")
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


def settings(*, slug: str, title: str, whole_sentences: bool, metrics: Sequence[str] = METRICS) -> dict[str, Any]:
    """study.toml as nested tables. Published pairs bring no checks: add some before opening the study."""
    return {
        "slug": slug,
        "title": title,
        "instructions": SENTENCES if whole_sentences else WORDS,
        "task": {
            "type": "forced_choice",
            "question": QUESTION_SENTENCES if whole_sentences else QUESTION_WORDS,
            "options": list(ROLES),
        },
        "collection": {
            "labels_per_item": 3,
            "sitting_length": 30,
            "gold_per_sitting": 0,
            "attention_per_sitting": 0,
            "max_items_per_annotator": 150,
        },
        "quality": {"max_attention_failures": 0, "gold_tolerance": 0.10, "gold_distance": 1},
        "scoring": {"metrics": list(metrics)},
    }
