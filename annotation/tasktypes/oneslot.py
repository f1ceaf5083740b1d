"""Sentences that differ in one word, with that word as the slot (Goldberg 2019, arXiv:1901.05287)."""

from collections.abc import Sequence

from annotation.tasktypes.contract import SLOT, Unscorable


def one_slot(sentences: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The text with the slot, and each sentence's word for it; Unscorable if they differ in more or in length."""
    split = [sentence.split() for sentence in sentences]
    if len({len(words) for words in split}) != 1:
        raise Unscorable("the options differ in length, so there is no single slot")
    places = [place for place, words in enumerate(zip(*split, strict=True)) if len(set(words)) > 1]
    if len(places) != 1:
        raise Unscorable(f"the options differ in {len(places)} words, so there is no single slot")
    differing = [words[places[0]] for words in split]
    ending = _shared_punctuation(differing)
    words = list(split[0])
    words[places[0]] = SLOT + ending
    return " ".join(words), tuple(word.removesuffix(ending) for word in differing)


def _shared_punctuation(words: Sequence[str]) -> str:
    """The punctuation that every word ends in, so that `laughs.` and `laugh.` leave the full stop outside."""
    first = words[0]
    start = len(first.rstrip(".,;:!?\"'”’)"))
    ending = first[start:]
    return ending if all(word.endswith(ending) for word in words) else ""
