"""Word vectors: those of the documents' words, and those of the words that may take their places."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.word_vectors.raw import Matrix, RawVectors


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Unit vectors, a row a word. `may_replace` marks the words of the vocabulary that can stand for others.

    `index` gives a word's row; a word without one is out of vocabulary. `files` are what they were read from.
    """

    words: tuple[str, ...]
    unit: Matrix
    may_replace: NDArray[np.bool_]
    index: dict[str, int]
    files: tuple[Path, ...]

    def rows(self, words: Sequence[str]) -> NDArray[np.intp]:
        return np.array([self.index[word] for word in words], dtype=np.intp)


def unit_vectors(raw: RawVectors, *, may_replace: Collection[str], center: bool) -> WordVectors:
    """The vectors at length 1, in alphabetical order; with `center`, relative to the mean of the frequent words.

    Input embeddings of language models have a common direction that makes all cosines high; subtracting the
    mean takes it out (Mu and Viswanath 2018). Words whose vector is zero are left out.
    """
    words = sorted(raw.vectors)
    matrix = np.stack([raw.vectors[word] for word in words]).astype(np.float32)
    if center:
        common = sorted(set(raw.frequent) & set(words))
        matrix -= np.stack([raw.vectors[word] for word in common]).mean(axis=0, dtype=np.float64).astype(np.float32)
    lengths = np.linalg.norm(matrix, axis=1)
    matrix, words = matrix[lengths > 0], [word for word, length in zip(words, lengths, strict=True) if length > 0]
    lengths = lengths[lengths > 0]
    return WordVectors(
        words=tuple(words),
        unit=matrix / lengths[:, None],
        may_replace=np.array([word in may_replace for word in words], dtype=np.bool_),
        index={word: row for row, word in enumerate(words)},
        files=raw.files,
    )


def about(vectors: WordVectors) -> dict[str, Any]:
    return {
        "words": len(vectors.words),
        "dimensions": int(vectors.unit.shape[1]),
        "words_that_may_replace": int(vectors.may_replace.sum()),
    }
