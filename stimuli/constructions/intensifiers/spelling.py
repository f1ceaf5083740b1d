"""Which words are spelled right: SymSpell's dictionary (SCOWL's word lists cut with Google's counts), by package."""

import re
from functools import cache
from importlib.resources import files

from stimuli.constructions.intensifiers.word_lists import ABBREVIATIONS

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# Zipf scale of wordfreq: 2 is once in ten million words. Rarer adjectives are seldom words that people know.
LEAST_ZIPF = 2.0


@cache
def dictionary() -> frozenset[str]:
    """82,834 English words, British spellings among them, misspellings not."""
    text = files("symspellpy").joinpath("frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    return frozenset(line.split()[0] for line in text.splitlines() if line.strip())


def is_known(word: str) -> bool:
    """Whether a lower-case word is in the dictionary, as it is, without its ending, or part by part."""
    bare = word.replace("’", "'")
    if bare in dictionary() or bare in ABBREVIATIONS or any(character.isdigit() for character in bare):
        return True
    stem, mark, _ = bare.partition("'")
    parts = stem.split("-")
    return (bool(mark) or len(parts) > 1) and all(part in dictionary() or not part for part in parts)


def unknown_words(text: str) -> list[str]:
    """The words that are not English; names are passed over: capitals inside a sentence are not looked up."""
    found = (word.group() for word in WORD.finditer(text))
    return [word for word in found if not word[0].isupper() and not is_known(word)]


def is_usable_adjective(adjective: str) -> bool:
    """In the dictionary, and not so rare that few annotators know it."""
    from wordfreq import zipf_frequency

    return adjective in dictionary() and zipf_frequency(adjective, "en") >= LEAST_ZIPF
