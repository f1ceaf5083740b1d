"""The words that an LSTM knows, by number. The standard library only."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scoring.scorers.lstm_model.words import VERSION

# No text gives these as words: the marks around them are read one by one.
END, UNKNOWN = "</s>", "<unk>"
END_ID, UNKNOWN_ID = 0, 1
# Numbers of words are kept in two bytes.
LARGEST = 65_535


class VocabularyError(ValueError):
    """A vocabulary that cannot be used. str() says why."""


@dataclass(frozen=True)
class Vocabulary:
    """`words` are the sentence's end, the unknown word, and the rest by falling frequency, then by letter."""

    words: tuple[str, ...]

    @classmethod
    def counted(cls, counts: Mapping[str, int], *, most: int, least: int) -> "Vocabulary":
        """The most frequent words, `most` with the two special ones, that were met `least` times or more."""
        known = sorted((word for word, n in counts.items() if n >= least), key=lambda word: (-counts[word], word))
        return cls((END, UNKNOWN, *known[: most - 2]))

    @classmethod
    def read(cls, path: Path) -> "Vocabulary":
        """VocabularyError if the file is none, or was made by another rule for words."""
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            rule, words = kept["rule"], tuple(kept["words"])
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
