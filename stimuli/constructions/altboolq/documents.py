"""A question and its passage as one document: its words, and writing other words in their places."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stimuli.constructions.articles import article
from stimuli.datasets.boolq import Question

# Phonetic letters and marks of stress and length, without those that stand for an apostrophe in names (Hawaiʻi).
PHONETIC = "\u0250-\u02b8\u02c0-\u02ff\u1d00-\u1dbf"
# A pronunciation between slashes (/suːˈdæn, -ˈdɑːn/) or alone in its brackets; plain letters are sounds there too.
PRONOUNCED = (
    rf"(?<![\w/])/(?!\s)[^/\n]{{0,80}}[{PHONETIC}][^/\n]{{0,80}}/"
    rf"|[(\[][^()\[\]/:;,\n]{{0,80}}[{PHONETIC}][^()\[\]/:;,\n]{{0,80}}[)\]]"
)
# Words of two characters or more. What stands between them is never touched, so `nation's` keeps its 's.
WORD = rf"\b(?!\w*[{PHONETIC}])\w\w+\b"
WORDS = re.compile(rf"{PRONOUNCED}|(?P<word>{WORD})")
# An article is small, except where a sentence begins: `vitamin A levels` has none.
ARTICLE = rf"(?<![\w'’-])(?P<article>an?|An|AN|(?<!\w\s)A)(?=\s+[\"'`“‘]*(?P<next>{WORD}))"
ARTICLES_AND_WORDS = re.compile(rf"{PRONOUNCED}|{ARTICLE}|(?P<word>{WORD})")
REDACTED = "redacted"


@dataclass(frozen=True, slots=True)
class Document:
    """Section 4: a question and its passage together. `counts` is how often each word occurs, in lower case."""

    id: str
    text: str
    counts: Mapping[str, int]

    @property
    def length(self) -> int:
        return sum(self.counts.values())


def document(question: Question) -> Document:
    text = f"{question.passage}\n{question.question}"
    return Document(question.id, text, Counter(words_of(text)))


def words_of(text: str) -> list[str]:
    return [found["word"].lower() for found in WORDS.finditer(text) if found["word"]]


def may_change(word: str) -> bool:
    """Not numerals (2017, 1990s, 20th): another number is no other word, and a word in its place is no sentence."""
    return word[0].isalpha()


def document_frequencies(documents: Iterable[Document]) -> Counter[str]:
    """In how many documents each word occurs."""
    frequencies: Counter[str] = Counter()
    for one in documents:
        frequencies.update(one.counts.keys())
    return frequencies


def replaced(text: str, new_words: Mapping[str, str]) -> str:
    """The text with the words of `new_words` (lower case) exchanged, each cased like the one it stands for.

    `a` or `an` before a new word agrees with it.
    """

    def exchanged(found: re.Match[str]) -> str:
        word = found["article"] or found["word"]
        if word is None:
            return found.group()
        new = new_words.get(word.lower())
        if new is None and found["article"]:
            following = new_words.get(found["next"].lower())
            return word if following is None else _agreeing(word, following)
        return word if new is None else cased_like(word, new)

    return ARTICLES_AND_WORDS.sub(exchanged, text)


def _agreeing(old: str, following: str) -> str:
    """The article before a new word, cased like the old one. New words have lost their case: nfl has no vowel."""
    new = article(following if re.search("[aeiouy]", following.lower()) else following.upper())
    if old == "AN":
        return new.upper()
    return new.capitalize() if old[0] == "A" else new


def cased_like(word: str, new: str) -> str:
    """`new` in lower case, in capitals or capitalized, as `word` is; other mixtures by their first letter."""
    if word.lower() == word:
        return new.lower()
    if word.upper() == word:
        return new.upper()
    return new[:1].upper() + new[1:].lower() if word[:1].isupper() else new.lower()
