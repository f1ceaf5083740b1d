"""500 sentences: those of the sample studies, made ones, and some where conventions part."""

import json
from collections.abc import Iterator

from django.conf import settings

from stimuli.constructions.agreement.build import generate
from stimuli.constructions.agreement.constructions import CONSTRUCTIONS

LONGEST_WORDS = 40


def sample_sentences() -> Iterator[str]:
    for path in sorted((settings.BASE_DIR / "stimuli" / "samples").glob("*/items.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for value in json.loads(line)["content"].values():
                texts = value.values() if isinstance(value, dict) else [value]
                yield from (text for text in texts if 2 < len(text.split()) <= LONGEST_WORDS and "____" not in text)


# Words of many pieces, digits, quotation marks and a single letter: where conventions part.
EXTRA = [
    "Antidisestablishmentarianism confuses the hippopotamuses.",
    "In 1871, the lighthouse-keeper's wife paid $3.50 for it!",
    "“Why?” she asked; nobody (not even Zbigniew) knew.",
    "I ran.",
]
MADE = [text for row in generate(CONSTRUCTIONS, per_cell=1, seed=7) for text in row.content["options"].values()]
SENTENCES = list(dict.fromkeys([*sample_sentences(), *MADE, *EXTRA]))
