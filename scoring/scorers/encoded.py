"""A text as a model's tokenizer reads it, or the reason why the model cannot score it (docs/metrics.md, rules G)."""

import re
from typing import Any

from annotation.tasktypes.contract import Region, Unscored
from scoring.scorers.loaded import Loaded

# A word as readers see it: hyphens and apostrophes inside it belong to it.
WORD = re.compile(r"\w+(?:[-'’]\w+)*")


def encoded(loaded: Loaded, text: str) -> Any:
    """The tokenizer's encoding with start and end, or Unscored with the reason."""
    tokenizer = loaded.tokenizer
    special = loaded.special_in(text)
    if special is not None:
        return special
    encoding = tokenizer(text)
    ids: list[int] = encoding["input_ids"]
    if len(ids) > loaded.longest:
        return too_long(loaded, len(ids))
    if all(word is None for word in encoding.word_ids()):
        return Unscored("the text is empty for this model: it has no tokens")
    if tokenizer.unk_token_id is not None and tokenizer.unk_token_id in ids:
        span = encoding.token_to_chars(ids.index(tokenizer.unk_token_id))
        return Unscored(f"{text[span.start : span.end]!r} is not in the model's vocabulary")
    return encoding


def too_long(loaded: Loaded, count: int) -> Unscored:
    return Unscored(f"the text is {count} tokens with start and end; the model reads {loaded.longest}")


def last_word(text: str) -> Region | None:
    """The last word of a text, without the punctuation after it; None if there is no word."""
    words = list(WORD.finditer(text))
    return Region("last_word", words[-1].start(), words[-1].end()) if words else None


def places_within(encoding: Any, region: Region) -> list[int]:
    """The places of the tokens that hold a character of the region."""
    spans = ((place, encoding.token_to_chars(place)) for place in range(len(encoding["input_ids"])))
    return [place for place, span in spans if span and span.start < region.end and span.end > region.start]
