"""Parts of a sentence that metrics read alone: the verb, which the item points at, and the continuation.

Of sentences that differ in one word, that word is the slot (Goldberg 2019, arXiv:1901.05287).
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.contract import SLOT, Region, Sentence, Unscorable
from corpus.errors import Fault

# Zero width non-joiner and joiner: Persian and the scripts of India write them inside words.
JOINERS = "\u200c\u200d"
# They go on with a word where another of its letters follows.
INSIDE = ("-", "'", "’")


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


def verb_faults(content: Mapping[str, Any], texts: Mapping[str, str]) -> list[Fault]:
    """What is wrong with `verb_at`: for each of the texts the place of its verb, in words from 0."""
    if "verb_at" not in content:
        return []
    places = content["verb_at"]
    if not isinstance(places, dict) or set(places) != set(texts):
        return [Fault("verb_at", f"must give the place of the verb, in words from 0, for each of {', '.join(texts)}")]
    faults = []
    for name, text in texts.items():
        count = len(text.split())
        place = places[name]
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < count:
            faults.append(Fault(f"verb_at.{name}", f"{place!r} is not a place in a text of {count} words"))
    return faults


def sentence(text: str, *, before: str = "", verb_at: int | None = None, goes_on_at: int | None = None) -> Sentence:
    """The text after `before`, with its verb's region and that of its continuation.

    `verb_at` counts the words of `text` from 0, `goes_on_at` its characters.
    """
    whole = f"{before} {text}" if before else text
    offset = len(whole) - len(text)
    regions = []
    if verb_at is not None:
        word = list(re.finditer(r"\S+", text))[verb_at]
        bare = re.search(r"\w.*\w|\w", word.group())
        start, end = bare.span() if bare else (0, len(word.group()))
        regions.append(Region("verb", offset + word.start() + start, offset + word.start() + end))
    if goes_on_at is not None:
        regions.append(Region("continuation", offset + goes_on_at, len(whole)))
    return Sentence(whole, tuple(regions))


def parting(texts: Sequence[str]) -> int:
    """The character at which the texts begin to differ, put back to the beginning of the word.

    Where one is, word for word, the beginning of the others, it is that one's end: nothing in it differs.
    """
    most = min(map(len, texts))
    differ = next((place for place in range(most) if len({text[place] for text in texts}) > 1), most)
    # Where the last word goes on, it is another word there, and differs.
    if differ == most and not any(_goes_on(text, most) for text in texts):
        return most
    while differ > 0 and not texts[0][differ - 1].isspace():
        differ -= 1
    return differ


def _goes_on(text: str, place: int) -> bool:
    """Whether the character at this place, if there is one, belongs to the word before it."""
    before, at, after = text[:place][-1:], text[place : place + 1], text[place + 1 : place + 2]
    return _is_of_a_word(at) or (at in INSIDE and _is_of_a_word(before) and _is_of_a_word(after))


def _is_of_a_word(character: str) -> bool:
    """Whether it is a letter, a digit, or what belongs to the letter before it; False if there is none."""
    return bool(character) and (character in JOINERS or character == "_" or unicodedata.category(character)[0] in "LMN")
