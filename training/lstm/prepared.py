"""Text made ready for training: numbers of words in files that are read where they lie. NumPy only.

A folder with `prepared.json` (sources, rules, counts, the sha256 of every other file), `vocab.json`, and for training
and held-out text each `.tokens` (uint16) and `.starts` (int64, one more than there are texts), little-endian. It can be
taken to another machine.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.provenance import sha256
from scoring.scorers.lstm_model.vocabulary import Vocabulary, VocabularyError

ABOUT, VOCABULARY = "prepared.json", "vocab.json"
TRAINING, HELD_OUT = "training", "heldout"
TOKENS, STARTS = ".tokens", ".starts"
TOKEN, START = np.dtype("<u2"), np.dtype("<i8")
FILES = (VOCABULARY, *(part + kind for part in (TRAINING, HELD_OUT) for kind in (TOKENS, STARTS)))


class PreparedError(ValueError):
    """A folder that is no prepared text, or no longer what was prepared. str() says what is wrong."""


@dataclass(frozen=True)
class Texts:
    """Texts one after the other: text *i* is `tokens[starts[i]:starts[i + 1]]`, each sentence with its end."""

    tokens: NDArray[np.uint16]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1


@dataclass(frozen=True)
class Prepared:
    """`about` is what prepared.json says of sources, rules and counts."""

    about: dict[str, Any]
    vocabulary: Vocabulary
    training: Texts
    heldout: Texts


def read_prepared(folder: Path) -> Prepared:
    """The text in the folder, every file checked by its sha256. PreparedError if anything is not as it was."""
    try:
        about: dict[str, Any] = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        for name in FILES:
            if sha256(folder / name) != about["files"][name]:
                raise PreparedError(f"{folder / name} differs from what was prepared: its sha256 has changed")
        vocabulary = Vocabulary.read(folder / VOCABULARY)
        training, heldout = (_texts(folder, part) for part in (TRAINING, HELD_OUT))
    except (OSError, ValueError, KeyError, TypeError, VocabularyError) as error:
        if isinstance(error, PreparedError):
            raise
        raise PreparedError(f"{folder} holds no prepared text ({type(error).__name__}: {error})") from error
    return Prepared(about, vocabulary, training, heldout)


def _texts(folder: Path, part: str) -> Texts:
    tokens = np.memmap(folder / (part + TOKENS), dtype=TOKEN, mode="r")
    starts = np.fromfile(folder / (part + STARTS), dtype=START)
    return Texts(tokens, starts)
