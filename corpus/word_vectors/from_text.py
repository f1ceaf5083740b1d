"""fastText's .vec and GloVe's .txt files, perhaps gzipped: a word and its numbers a line, frequent words first."""

import gzip
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np

from corpus.errors import Fault, SourceError
from corpus.word_vectors.raw import WORD, Matrix, RawVectors, spelling_rank

# What fastText's .bin begins with: 793712314, lowest byte first.
BINARY = (793712314).to_bytes(4, "little")


def read_text_vectors(path: Path, *, wanted: Collection[str], candidates: int) -> RawVectors:
    """The vectors of `wanted` and of the first `candidates` words; nothing else is kept in memory.

    SourceError with the line if one is not a word followed by as many numbers as the others have.
    """
    vectors: dict[str, Matrix] = {}
    ranks: dict[str, int] = {}
    frequent: set[str] = set()
    try:
        _refuse_binary(path)
        for number, (word, numbers) in enumerate(_lines(path)):
            key = word.lower()
            among_first = number < candidates
            if (not among_first and key not in wanted) or not WORD.fullmatch(word):
                continue
            rank = spelling_rank(word)
            if among_first:
                frequent.add(key)
            if key not in ranks or rank < ranks[key]:
                ranks[key] = rank
                vectors[key] = numbers()
    except (OSError, EOFError) as error:
        raise SourceError(path, [Fault("file", f"cannot be read: {error}")]) from None
    if not vectors:
        raise SourceError(path, [Fault("file", "holds no word vectors")])
    return RawVectors(vectors, frequent, (path,))


def _refuse_binary(path: Path) -> None:
    with _opened(path) as lines:
        if lines.read(len(BINARY)) == BINARY:
            wrong = "is fastText's binary model, which is not read; the .vec beside it has the vectors as text"
            raise SourceError(path, [Fault("file", wrong)])


class _Numbers:
    """The numbers of one line, parsed only when they are asked for: most lines are never kept."""

    __slots__ = ("line", "path", "raw", "size")

    def __init__(self, path: Path, line: int, raw: bytes, size: int) -> None:
        self.path, self.line, self.raw, self.size = path, line, raw, size

    def __call__(self) -> Matrix:
        try:
            values = np.array(self.raw.split(b" "), dtype=np.float32)
        except ValueError:
            raise SourceError(self.path, [Fault(f"line {self.line}", "holds something that is no number")]) from None
        if not np.isfinite(values).all():
            raise SourceError(self.path, [Fault(f"line {self.line}", "holds a number that is not finite")])
        return values


def _lines(path: Path) -> Iterator[tuple[str, _Numbers]]:
    with _opened(path) as lines:
        size = 0
        for number, line in enumerate(lines, start=1):
            line = line.rstrip()
            if number == 1 and _is_heading(line):
                continue
            size = size or line.count(b" ")
            # From the right: words of GloVe's largest file may hold spaces.
            word, *rest = line.rsplit(b" ", size) if size else [line]
            if len(rest) != size or size < 2:
                raise SourceError(path, [Fault(f"line {number}", f"must be a word and {max(size, 2)} numbers")])
            try:
                text = word.decode()
            except UnicodeDecodeError:
                raise SourceError(path, [Fault(f"line {number}", "is not UTF-8 text")]) from None
            yield text, _Numbers(path, number, line[len(word) + 1 :], size)


def _is_heading(line: bytes) -> bool:
    """fastText begins with the number of words and of dimensions; GloVe does not."""
    parts = line.split()
    return len(parts) == 2 and all(part.isdigit() for part in parts)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
        yield lines  # type: ignore[misc]
