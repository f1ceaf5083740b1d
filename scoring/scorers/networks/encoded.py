"""A text as a model's tokenizer reads it, or the reason why the model cannot score it (docs/metrics.md, rules G)."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from transformers import BatchEncoding

from annotation.tasktypes.contract import Region, Unscored
from scoring.scorers.networks.loaded import Loaded


def encodings(tokenizer: Any, texts: Sequence[str], **options: Any) -> list[BatchEncoding]:
    """The tokenizer's encoding of each text, had at once: that is several times as fast as one by one."""
    if not texts:
        return []
    several = tokenizer(list(texts), return_attention_mask=False, return_token_type_ids=False, **options)
    own = several.encodings or [None] * len(texts)
    return [BatchEncoding({"input_ids": ids}, encoding=one) for ids, one in zip(several["input_ids"], own, strict=True)]


def fault_of(loaded: Loaded, encoding: Any, text: str) -> Unscored | None:
    """The reason not to score a text that was encoded with start and end."""
    tokenizer = loaded.tokenizer
    special = loaded.special_in(text)
    if special is not None:
        return special
    ids: list[int] = encoding["input_ids"]
    if len(ids) > loaded.longest:
        return too_long(loaded, len(ids))
    if all(word is None for word in encoding.word_ids()):
        return Unscored("the text has no tokens for this model")
    return unknown_in(tokenizer, encoding, text)


def words_of(loaded: Loaded, encoding: Any, text: str) -> tuple[int | None, ...]:
    """Each token's word, None for the tokens that the tokenizer adds (docs/metrics.md, P3)."""
    words: list[int | None] = encoding.word_ids()
    if loaded.parts_at_spaces:
        return tuple(words)
    # The whole text is one word to the tokenizer: what stands between spaces is one here.
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    for place, word in enumerate(words):
        span = encoding.token_to_chars(place) if word is not None else None
        if span is not None:
            # The space before a word belongs to it, in one token with it or in a token of its own.
            first = next((at for at in range(span.start, len(text)) if not text[at].isspace()), len(text))
            words[place] = max(0, bisect_right(starts, first) - 1)
    return tuple(words)


def unknown_in(tokenizer: Any, encoding: Any, text: str) -> Unscored | None:
    """The reason not to score a text with a word that the vocabulary lacks, named; None if it has none."""
    ids: list[int] = encoding["input_ids"]
    if tokenizer.unk_token_id is None or tokenizer.unk_token_id not in ids:
        return None
    span = encoding.token_to_chars(ids.index(tokenizer.unk_token_id))
    return Unscored(f"{text[span.start : span.end]!r} is not in the model's vocabulary")


def too_long(loaded: Loaded, count: int) -> Unscored:
    return Unscored(f"the text has {count} tokens with start and end; the model reads at most {loaded.longest}")


def places_within(encoding: Any, region: Region) -> list[int]:
    """The places of the tokens that hold a character of the region."""
    spans = ((place, encoding.token_to_chars(place)) for place in range(len(encoding["input_ids"])))
    return [place for place, span in spans if span and span.start < region.end and span.end > region.start]
