"""From a sentence with its adverb to an item, and what annotators of such a study read, in our own words."""

import re
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.contract import SLOT
from annotation.tasktypes.forced_choice import ForcedChoice
from stimuli.constructions.intensifiers.negation import NATURAL
from stimuli.constructions.intensifiers.options import CLASS_OF, NEGATION
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


def item(
    *,
    identity: str,
    context: str,
    sentence: str,
    at: int,
    adverb: str,
    adjective: str,
    negation: str,
    attributes: dict[str, str],
    adverb_class: str = "",
) -> ItemRow:
    """One forced choice: the adverb that stands at `at` in `sentence`, or "not"; the adverb is the reference.

    `neutral` is the same slot without a context ("is ____ scary."), for the prior of a model; people never see it.
    `adverb_class` is that of a list of one's own; an adverb without a class has no such attribute.
    `negation` is NATURAL, or what speaks against "not": then a person should look at the item.
    """
    before, after = sentence[:at], sentence[at + len(adverb) :]
    options = dict(zip(ROLES, (adverb, NEGATION), strict=True))
    if not re.search(r"\w", before):
        options = {role: word.capitalize() for role, word in options.items()}
    content: dict[str, object] = {"context": context} if context else {}
    content |= {"sentence": before + SLOT + after, "options": options, "neutral": f"is {SLOT} {adjective}."}
    own = {"adverb": adverb, "class": adverb_class or CLASS_OF.get(adverb, ""), "adjective": adjective}
    own = {name: value for name, value in own.items() if value} | {"negation": negation}
    return ItemRow(
        id=identity,
        content=content,
        reference=ROLES[0],
        attributes=own | attributes,
        revise="" if negation == NATURAL else f'"{NEGATION}" might not sound natural: {negation}',
    )


def intensifier_settings(slug: str, title: str) -> dict[str, Any]:
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
