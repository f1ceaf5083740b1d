"""How the LSTM reads a text: its sentences, their words (docs/metrics.md, R1 and R2), and the number of each word.

Close to what word-level models of English are trained on (Penn Treebank clitics, hyphens parted as in OntoNotes 5), but
for digits, which stand one by one: figures are no reason then to leave a text unscored.

The standard library only.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

# Raised when the same text gives other words, so that models and prepared text of before are refused.
VERSION = "1"
MARKS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
DASHES = re.compile(r"--+|[–—―]")
# Where a sentence may end: its mark, what closes with it, and after white space something that can begin another.
ENDS = re.compile(r"[.!?]+[\"')\]]*(?=\s+[\"'(\[]*(?:[^\W\d_a-z]|\d))")
LAST_WORD = re.compile(r"[^\s\"'(\[]+$")
ABBREVIATIONS = frozenset(
    "mr|mrs|ms|messrs|mme|dr|prof|st|rev|hon|gov|sen|rep|gen|col|capt|maj|lt|sgt|vs|cf|e.g|i.e".split("|")  # noqa: SIM905
)
LETTERS = r"[^\W\d_]"
CLITIC = r"'(?:s|re|ve|ll|d|m)"
WORD = re.compile(rf"{CLITIC}(?!{LETTERS})|{LETTERS}+(?:'{LETTERS}+)*|\d|[^\s\w]|_")
ENDS_IN_CLITIC = re.compile(rf"(.+?)(n't|{CLITIC})")

# No text gives these as words: the marks around them are read one by one.
END, UNKNOWN = "</s>", "<unk>"
END_ID, UNKNOWN_ID = 0, 1
# Numbers of words are kept in two bytes.
LARGEST = 65_535


def sentences_of(text: str) -> list[list[str]]:
    """The words of each sentence of a text, in lower case; sentences without words are left out."""
    sentences = [words(sentence) for sentence in _parted(_plain(text))]
    return [one for one in sentences if one]


def words(sentence: str) -> list[str]:
    """The words of one sentence: letters together, clitics apart, digits and all other marks one by one."""
    parts: list[str] = []
    for match in WORD.finditer(_plain(sentence).lower()):
        parts += _without_clitics(match.group())
    return parts


def _plain(text: str) -> str:
    """One way of writing letters (NFKC), quotation marks and dashes."""
    return DASHES.sub("—", unicodedata.normalize("NFKC", text).translate(MARKS))


def _parted(text: str) -> list[str]:
    parts, begin = list[str](), 0
    for match in ENDS.finditer(text):
        if not _abbreviates(text[begin : match.start()], match.group()):
            parts.append(text[begin : match.end()])
            begin = match.end()
    return [*parts, text[begin:]]


def _abbreviates(before: str, mark: str) -> bool:
    """Whether a period belongs to what stands before it: a title, or one letter of a name (but not `I`)."""
    last = LAST_WORD.search(before)
    if not mark.startswith(".") or last is None:
        return False
    word = last.group()
    return word.lower() in ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "I")


def _without_clitics(word: str) -> list[str]:
    """`wouldn't've` as would, n't, 've."""
    match = ENDS_IN_CLITIC.fullmatch(word)
    return [*_without_clitics(match.group(1)), match.group(2)] if match else [word]


class VocabularyError(ValueError):
    """A vocabulary that cannot be used. str() says why."""


@dataclass(frozen=True)
class Vocabulary:
    """`words` are the sentence's end, the unknown word, and the rest by falling frequency, then by letter."""

    words: tuple[str, ...]

    @classmethod
    def counted(cls, counts: Mapping[str, int], *, most: int, least: int) -> "Vocabulary":
        """The most frequent words, `most` with the two special ones, that were met `least` times or more."""
        frequent = sorted((word for word, n in counts.items() if n >= least), key=lambda word: (-counts[word], word))
        return cls((END, UNKNOWN, *frequent[: most - 2]))

    @classmethod
    def read(cls, path: Path) -> "Vocabulary":
        """VocabularyError if the file is none, or was made by another rule for words."""
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            rule, words = saved["rule"], tuple(saved["words"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise VocabularyError(f"{path} is no vocabulary ({type(error).__name__}: {error})") from error
        if rule != VERSION:
            raise VocabularyError(f"{path} was made by the rule for words {rule!r}, and this is {VERSION!r}")
        if words[:2] != (END, UNKNOWN) or len(set(words)) != len(words) or not all(isinstance(w, str) for w in words):
            raise VocabularyError(f"{path} must begin with {END} and {UNKNOWN} and name every word once")
        return cls(words)

    def write(self, path: Path) -> None:
        text = json.dumps({"rule": VERSION, "words": self.words}, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8", newline="\n")

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def ids(self, words: Iterable[str]) -> list[int]:
        """Their numbers; that of the unknown word for those that are not there."""
        return [self.index.get(word, UNKNOWN_ID) for word in words]

    def unknown(self, words: Sequence[str]) -> list[str]:
        """Those that are not there, once each, in their order."""
        return list(dict.fromkeys(word for word in words if word not in self.index))
