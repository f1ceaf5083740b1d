"""Sentences that differ in one word, with that word as the slot (Goldberg 2019, arXiv:1901.05287)."""

import re
from collections.abc import Sequence

from annotation.tasktypes.contract import SLOT, Unscorable


def one_slot(sentences: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The text with the slot, and each sentence's word for it; Unscorable if they differ in more or in length.

    Around the slot the text is as it was written, white space and all.
    """
    split = [list(re.finditer(r"\S+", sentence)) for sentence in sentences]
    if len({len(words) for words in split}) != 1:
        raise Unscorable("the options differ in length, so there is no single slot")
    places = [place for place, words in enumerate(zip(*split, strict=True)) if len({one.group() for one in words}) > 1]
    if len(places) != 1:
        raise Unscorable(f"the options differ in {len(places)} words, so there is no single slot")
    differing = [words[places[0]] for words in split]
    around = {(one.string[: one.start()], one.string[one.end() :]) for one in differing}
    if len(around) != 1:
        raise Unscorable("the options differ in white space as well, so there is no single slot")
    [(before, after)] = around
    ending = _shared_punctuation([one.group() for one in differing])
    return f"{before}{SLOT}{ending}{after}", tuple(one.group().removesuffix(ending) for one in differing)


def _shared_punctuation(words: Sequence[str]) -> str:
    """The punctuation that every word ends in, so that `laughs.` and `laugh.` leave the full stop outside."""
    first = words[0]
    start = len(first.rstrip(".,;:!?\"'”’)"))
    ending = first[start:]
    return ending if all(word.endswith(ending) for word in words) else ""
