"""Which words may be shown: English ones, and none that offend."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from stimuli.constructions.adjectives.phrases.closed_classes import words

# Zipf frequency (wordfreq): 3 is once in a million words.
COMMON = 3.0
# Beyond better_profanity's list: words that are harmless alone and not in what ConceptNet says with them.
EXPLICIT = words(
    "rape torture suicide slave slavery beat abuse whip strangle stab genital vagina intercourse masturbate "
    "orgasm fart pee poo shit urine feces vomit puke bed-wet prostitute pregnant impregnate erect erection breast "
    "racist sexist inferior superior virgin lover seduce marijuana cocaine heroin hang molest corpse "
    "genocide terrorist nazi nipple bosom quickie reproduce"
)


@cache
def is_english(word: str) -> bool:
    """Whether wordfreq has the word, and each part of a hyphenated one, at least once in a million words."""
    from wordfreq import zipf_frequency

    return all(zipf_frequency(part, "en") >= COMMON for part in word.split("-") if part)


@cache
def is_offensive(text: str) -> bool:
    """Whether better_profanity's list has one of the words."""
    return bool(_profanity().contains_profanity(text))  # type: ignore[attr-defined]


@cache
def is_adjective(word: str) -> bool:
    """Not if lemminflect's dictionary has the word, and neither as an adjective nor as a participle (`shutter`)."""
    from lemminflect import getAllLemmas

    kinds = getAllLemmas(word)
    participle = "VERB" in kinds and word not in kinds["VERB"]
    return not kinds or "ADJ" in kinds or participle


def is_explicit(text: str) -> bool:
    """Whether one of the words tells of sex, cruelty or bodily filth; ADEPT leaves such predicates out too."""
    return not EXPLICIT.isdisjoint(text.casefold().split())


def rare_words(words: Iterable[str]) -> list[str]:
    return [word for word in words if not word.isdecimal() and not is_english(word)]


@cache
def bigrams() -> Mapping[str, int]:
    """Pairs of words with how often they were met (the bigrams that symspellpy carries)."""
    import symspellpy

    path = Path(symspellpy.__file__).with_name("frequency_bigramdictionary_en_243_342.txt")
    rows = (line.split() for line in path.read_text(encoding="utf-8-sig").splitlines())
    return {f"{first} {second}": int(n) for first, second, n in rows}


@cache
def _profanity() -> object:
    from better_profanity import profanity

    profanity.load_censor_words()
    return profanity
