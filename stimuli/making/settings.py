"""study.toml as nested tables, with what all importers and builders say in it written once."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes import task_type
from annotation.tasktypes.forced_choice import ForcedChoice
from corpus.arguments import LONGEST, LONGEST_TITLE

ROLES = ("grammatical", "ungrammatical")
QUESTION_SENTENCES = "Which of the two would a native speaker say?"
QUESTION_WORDS = "Which word would a native speaker put here?"
SENTENCES = """\
You will see two sentences that are nearly the same. One is a sentence that a native speaker of \
English would say; in the other, something is wrong. Choose the one that sounds right.

Some sentences say odd things. Judge only their grammar.
"""
WORDS = """\
You will see a sentence with a blank and two words. Choose the one that a native speaker of English \
would use.

Some sentences say odd things, and they are in lower case. Judge only which word fits.
"""

LABELS = 3
# For items with a slot, and sentences that differ in a word.
SLOT_METRICS = ("cloze", "pll", "pll_within_word_l2r", "causal")
# A far answer on gold is two degrees off, where the scale has as many.
FAR = 2


def study_settings(
    *,
    slug: str,
    title: str,
    instructions: str,
    task: Mapping[str, Any],
    metrics: Sequence[str],
    labels_per_item: int = LABELS,
    sitting_length: int = 20,
    gold: int = 0,
    attention: int = 0,
    most_items: int = 100,
    nonsubsective: Sequence[str] | None = None,
) -> dict[str, Any]:
    """`task` is the [task] table, its type included; `gold` and `attention` are so many checks in each sitting.

    The quality policy is ADEPT's: a failed attention check excludes, and so do far answers on more than 10 % of the
    gold. Most sources bring no checks: add some before opening the study.
    """
    settings = {name: value for name, value in task.items() if name != "type"}
    scale = task_type(task["type"]).configured(settings).scale
    return {
        "slug": slug,
        "title": title,
        "instructions": instructions,
        "task": dict(task),
        "collection": {
            "labels_per_item": labels_per_item,
            "sitting_length": sitting_length,
            "gold_per_sitting": gold,
            "attention_per_sitting": attention,
            "max_items_per_annotator": most_items,
        },
        "quality": {
            "max_attention_failures": 0,
            "gold_tolerance": 0.10,
            "gold_distance": min(FAR, scale.greatest_distance),
        },
        "scoring": {"metrics": list(metrics)} | ({} if nonsubsective is None else {"nonsubsective": [*nonsubsective]}),
    }


def renamed(settings: Mapping[str, Any], *, slug: str, title: str) -> dict[str, Any]:
    """Settings of a study made from another: `slug` and `title` end its names, which are cut to the longest allowed.

    >>> renamed({"slug": "adept", "title": "ADEPT"}, slug="sample-100", title="100 items at random")
    {'slug': 'adept-sample-100', 'title': 'ADEPT, 100 items at random'}
    """
    of_slug, of_title = f"-{slug}", f", {title}"
    return {
        **settings,
        "slug": settings["slug"][: LONGEST - len(of_slug)].rstrip("-") + of_slug,
        "title": settings["title"][: LONGEST_TITLE - len(of_title)] + of_title,
    }


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
