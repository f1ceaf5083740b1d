"""A question and its passage as one document: its words, and writing other words in their places."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stimuli.datasets.boolq.source import Question

# Words of two characters or more. What stands between them is never touched, so `nation's` keeps its 's.
WORD = re.compile(r"\b\w\w+\b")
# What may be put in: letters and digits only, while vocabularies also have pieces such as u_.
REPLACEMENT = re.compile(r"[^\W_]{2,}")
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
    return [found.group().lower() for found in WORD.finditer(text)]


def document_frequencies(documents: Iterable[Document]) -> Counter[str]:
    """In how many documents each word occurs."""
    frequencies: Counter[str] = Counter()
    for one in documents:
        frequencies.update(one.counts.keys())
    return frequencies


def replaced(text: str, new_words: Mapping[str, str]) -> str:
    """The text with the words of `new_words` (lower case) exchanged, each cased like the one it stands for."""

    def exchanged(found: re.Match[str]) -> str:
        word = found.group()
        new = new_words.get(word.lower())
        return word if new is None else cased_like(word, new)

    return WORD.sub(exchanged, text)


def cased_like(word: str, new: str) -> str:
    """`new` in lower case, in capitals or capitalized, as `word` is; other mixtures by their first letter."""
    if word.lower() == word:
        return new.lower()
    if word.upper() == word:
        return new.upper()
    return new[:1].upper() + new[1:].lower() if word[:1].isupper() else new.lower()
