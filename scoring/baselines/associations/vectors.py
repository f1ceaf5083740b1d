"""Word vectors from a store's own counts: positive PMI of words near each other, reduced by SVD.

Levy, Goldberg and Dagan 2015 (TACL 3, sections 2.2 and 2.3), with eigenvalue weighting p = 0.5. Rule A6 in
docs/metrics.md.
"""

import sqlite3
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus.word_vectors import read_table, write_table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]
# So many of the most frequent lemmas have a vector, if met so often; fewer of them are what others stand near.
WORDS, CONTEXTS, LEAST = 20_000, 5_000, 5
DIMENSIONS = 200
# Fewer words make no space.
FEWEST_WORDS = 20
# A row this much shorter than the longest is rounding: its word stands near none of those that make the dimensions.
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """A vector for each word: a row of `matrix`, of length 1. Words without one are not in `rows`."""

    rows: Mapping[str, int]
    matrix: Floats

    def __contains__(self, word: str) -> bool:
        return word in self.rows

    def __getitem__(self, word: str) -> Floats:
        row: Floats = self.matrix[self.rows[word]]
        return row


def cosine(one: Floats, other: Floats) -> float:
    """The cosine of the angle between two vectors; neither may be zero."""
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


def build_vectors(database: sqlite3.Connection, path: Path) -> bool:
    """Write the vectors of a store to a safetensors file; False, and no file, where it has too little text for any."""
    from threadpoolctl import threadpool_limits

    words = _frequent(database)
    if len(words) < FEWEST_WORDS:
        return False
    pmi = positive_pmi(_near(database, words))
    if np.count_nonzero(np.diff(pmi.indptr)) < FEWEST_WORDS:
        # Words enough, but none stands near another more often than by chance: a list of words, perhaps.
        return False
    # Held to one thread: sums in another order round differently, and the file would not be the same.
    with threadpool_limits(1):
        matrix = reduced(pmi, dimensions=DIMENSIONS)
    lengths = np.linalg.norm(matrix, axis=1)
    mask = lengths > ROUNDING * lengths.max()
    unit = (matrix[mask] / lengths[mask, None]).astype(np.float32)
    write_table(path, [word for word, is_kept in zip(words, mask, strict=True) if is_kept], unit)
    return True


def read_vectors(path: Path) -> Vectors:
    """The vectors as they were written."""
    words, matrix = read_table(path)
    return Vectors({word: row for row, word in enumerate(words)}, matrix.astype(np.float64))


def positive_pmi(counts: "csr_array") -> "csr_array":
    """max(0, log2(n · N / (row · column))) of a sparse matrix of counts (words by contexts), of the same shape."""
    from scipy.sparse import csr_array

    cells = counts.tocoo()
    rows, columns = np.asarray(counts.sum(axis=1)).ravel(), np.asarray(counts.sum(axis=0)).ravel()
    values = np.log2(cells.data * rows.sum() / (rows[cells.row] * columns[cells.col]))
    mask = values > 0
    return csr_array((values[mask], (cells.row[mask], cells.col[mask])), shape=counts.shape)


def reduced(matrix: "csr_array", *, dimensions: int) -> Floats:
    """Rows by at most `dimensions`: left singular vectors times the square roots of the singular values.

    The matrix has at least as many rows as columns.

    The sign of a singular vector is free; here its largest entry is positive, so that the same counts give the same.
    """
    from scipy.sparse.linalg import LinearOperator, eigsh

    numbers, size = matrix.astype(np.float64), matrix.shape[1]
    count = min(dimensions, size - 1)
    gram = LinearOperator((size, size), matvec=lambda vector: numbers.T @ (numbers @ vector), dtype=np.float64)
    # scipy's svds does the same, but draws at random, without a seed, where equal values make ARPACK start anew.
    _, right = eigsh(gram, k=count, v0=np.full(size, size**-0.5), rng=0)
    left, values, _ = np.linalg.svd(numbers @ np.linalg.qr(right).Q, full_matrices=False)
    largest = left[np.abs(left).argmax(axis=0), np.arange(count)]
    weighted: Floats = left * np.where(largest < 0, -1.0, 1.0) * np.sqrt(np.maximum(values, 0))
    return weighted


def _frequent(database: sqlite3.Connection) -> list[str]:
    rows = database.execute(
        "SELECT lemma FROM (SELECT lemma, SUM(n) AS n FROM lemmas GROUP BY lemma) "
        "WHERE n >= ? ORDER BY n DESC, lemma LIMIT ?",
        (LEAST, WORDS),
    )
    return [lemma for (lemma,) in rows]


def _near(database: sqlite3.Connection, words: Sequence[str]) -> "csr_array":
    """How often each word stands near each of the first CONTEXTS words, on either side."""
    from scipy.sparse import csr_array

    index = {word: row for row, word in enumerate(words)}
    contexts = min(CONTEXTS, len(words))
    rows, columns, data = array("i"), array("i"), array("d")
    for one, other, n in database.execute("SELECT one, other, n FROM windows"):
        first, second = index.get(one), index.get(other)
        if first is None or second is None:
            continue
        for row, column in ((first, second), (second, first)):
            if column < contexts:
                rows.append(row)
                columns.append(column)
                data.append(n)
    # What is there twice, once from each side, is added up.
    return csr_array((np.array(data), (np.array(rows), np.array(columns))), shape=(len(words), contexts))
