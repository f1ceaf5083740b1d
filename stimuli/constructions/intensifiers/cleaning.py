"""From a hit to a text that people can be shown, or the reason why it cannot: spelled right by SymSpell's dictionary
(SCOWL's word lists cut with Google's counts), and without the offensive words of better_profanity.

That package compares every word with every entry in every spelling, which took three minutes for seven thousand
sentences. Its list in one regular expression takes seconds; the package itself is asked where a word is disguised.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from stimuli.constructions.intensifiers.options import ABBREVIATIONS

if TYPE_CHECKING:
    from better_profanity import Profanity

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# Zipf scale of wordfreq: 2 is once in ten million words. Rarer adjectives are seldom words that people know.
LEAST_ZIPF = 2.0

# sh1t, a$$: a digit or a sign among letters.
DISGUISED = re.compile(r"[A-Za-z][0-9$@!]+[A-Za-z$]")
FEWEST_WORDS, MOST_WORDS = 10, 40
MOST_UNKNOWN = 1
MARKUP = re.compile(
    r"https?:|www\.|\w\.(?:com|org|net)\b|\[[A-Z]{2,}\]|[<>*_^~|#@{}\\=\[\]]|(?:^|\s)/?[ur]/\w|&\w+;|/s\b|"
    r"\(\s*\)|\ufffd|\"\"|\w\?\w|\.\?"
)
# A line of quoting, a bullet, a dash or an unmatched mark in front of a sentence.
FRONT = re.compile(r"^(?:[>*•–—-]+\s*|\d+[.)]+\s*)+")
SHOUTED = re.compile(r"\b[A-Z]{2,}\b(?:\W+\b[A-Z]{2,}\b){2,}")
STRAY = re.compile(r"[^\w\s.,;:!?…'’‘\"“”()$%&/+–—-]|\.{4,}|([!?])\1{2,}")
# A space before a point, or quotation marks with spaces inside: the text was put together from tokens.
TOKENS = re.compile(r"\s[.,;!?](?:\s|$)|\s['’](?:s|re|ve|ll|d|m)\b|\bn't\b(?<=\sn't)|``|''|\s['’]$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hit that can become an item. `at` is where the adverb stands in `sentence`."""

    place: str
    adverb: str
    adjective: str
    context: str
    sentence: str
    at: int
    attachment: str
    negation: str

    @property
    def whole(self) -> str:
        return f"{self.context} {self.sentence}".strip()


def cleaned(hit: dict[str, Any], *, keep_offensive: bool) -> Candidate | str:
    """The candidate, or in a few words why there is none."""
    if not is_usable_adjective(hit["adjective"]):
        return "adjective misspelled or very rare"
    sentence = _balanced(FRONT.sub("", hit["sentence"]))
    context = _in_bounds(_balanced(FRONT.sub("", hit["before"])), sentence)
    if context is None:
        return f"not {FEWEST_WORDS} to {MOST_WORDS} words with at most one sentence before it"
    match = re.search(rf"\b{hit['adverb']}\s+{hit['adjective']}(?=\W*$)", sentence, re.IGNORECASE)
    assert match is not None, f"{hit['place']}: the adverb and the adjective end the sentence"
    if re.search(r"\bits\s$", sentence[: match.start()], re.IGNORECASE):
        return "its for it's"
    if not match.group().split()[-1].islower():
        return "adjective with capitals, perhaps a name"
    candidate = Candidate(
        place=hit["place"],
        adverb=hit["adverb"],
        adjective=hit["adjective"],
        context=context,
        sentence=sentence,
        at=match.start(),
        attachment=hit["attachment"],
        negation=hit["negation"],
    )
    return _refused(candidate.whole, keep_offensive=keep_offensive) or candidate


def _refused(text: str, *, keep_offensive: bool) -> str:
    if MARKUP.search(text):
        return "markup, address, quotation or masked name"
    if SHOUTED.search(text) or STRAY.search(text) or TOKENS.search(text):
        return "shouted, emoji, repeated marks or broken spacing"
    if text.count('"') % 2 or text.count("(") != text.count(")") or text.count("“") != text.count("”"):
        return "unbalanced quotation marks or brackets"
    if len(unknown_words(text)) > MOST_UNKNOWN:
        return f"more than {MOST_UNKNOWN} word that is not English"
    if not keep_offensive and is_offensive(text):
        return "offensive"
    return ""


def _in_bounds(before: str, sentence: str) -> str | None:
    """Both sentences where they keep to the bounds, else the last alone (an empty context), else None."""
    single, both = len(sentence.split()), len(f"{before} {sentence}".split())
    if len(before.split()) > 1 and FEWEST_WORDS <= both <= MOST_WORDS:
        return before
    return "" if FEWEST_WORDS <= single <= MOST_WORDS else None


def _balanced(text: str) -> str:
    """Without a mark at either end whose other half is elsewhere in the corpus."""
    for mark, other in (('"', '"'), ("“", "”"), ("(", ")")):
        uneven = text.count(mark) % 2 if mark == other else text.count(mark) != text.count(other)
        if uneven and text.endswith(other):
            text = text[: -len(other)].rstrip()
        elif uneven and text.startswith(mark):
            text = text[len(mark) :].lstrip()
    return text


def is_offensive(text: str) -> bool:
    return _listed().search(text) is not None or (
        DISGUISED.search(text) is not None and bool(_package().contains_profanity(text))
    )


@cache
def _listed() -> re.Pattern[str]:
    lines = files("better_profanity").joinpath("profanity_wordlist.txt").read_text(encoding="utf-8").splitlines()
    words = sorted({line.strip() for line in lines if line.strip()}, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)


@cache
def _package() -> "Profanity":
    from better_profanity import Profanity

    return Profanity()


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
    words = (word.group() for word in WORD.finditer(text))
    return [word for word in words if not word[0].isupper() and not is_known(word)]


def is_usable_adjective(adjective: str) -> bool:
    """In the dictionary, and not so rare that few annotators know it."""
    from wordfreq import zipf_frequency

    return adjective in dictionary() and zipf_frequency(adjective, "en") >= LEAST_ZIPF
