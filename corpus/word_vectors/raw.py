"""What word vectors are: words, a row each, and the table that they are kept in."""

import re
from collections.abc import Collection, Sequence
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


def write_table(path: Path, words: Sequence[str], matrix: Matrix) -> None:
    """A row a word; the same words and numbers give the same bytes."""
    from safetensors.numpy import save

    listed = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    # Not by save_file, which lets no other user read the file, a worker's perhaps.
    path.write_bytes(save({"vectors": matrix, "words": listed}))


def read_table(path: Path) -> tuple[list[str], Matrix]:
    """The words and their rows as they were written; SafetensorError, KeyError or UnicodeDecodeError otherwise."""
    from safetensors.numpy import load_file

    found = load_file(path)
    return found["words"].tobytes().decode().split("\n"), found["vectors"]
