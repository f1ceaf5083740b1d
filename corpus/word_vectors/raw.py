"""What a reader of word vectors finds."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
# Letters and digits only, while vocabularies also have pieces such as u_; no numerals.
WORD = re.compile(r"[^\W\d_][^\W_]+")


@dataclass(frozen=True, slots=True, eq=False)
class RawVectors:
    """What a reader found: lower-case words with their vectors, and those of them that are frequent."""

    vectors: dict[str, Matrix]
    frequent: Collection[str]
    files: tuple[Path, ...]


def spelling_rank(spelling: str) -> int:
    """Which spelling of a word gives its vector where a vocabulary knows case: canada, else Canada, else CANADA."""
    if spelling == spelling.lower():
        return 0
    return 1 if spelling[1:] == spelling[1:].lower() else 2
