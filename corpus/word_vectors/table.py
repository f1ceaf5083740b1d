"""Words and their vectors as one safetensors file: what a counted store keeps."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from corpus.word_vectors.raw import Matrix


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
