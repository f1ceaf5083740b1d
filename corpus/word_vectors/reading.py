"""Word vectors from wherever a path leads: a store or one of its states, a model's folder, or a text file."""

from collections.abc import Collection
from pathlib import Path

from corpus.errors import Fault, SourceError
from corpus.word_vectors.counted import is_store, read_counted
from corpus.word_vectors.embeddings import read_embeddings
from corpus.word_vectors.from_text import read_text_vectors
from corpus.word_vectors.raw import RawVectors

# For the help of a command that takes such a path.
READABLE = "a store of count_corpus, a model's folder (its input embeddings), or a file in fastText's or GloVe's format"


def read_word_vectors(path: Path, *, wanted: Collection[str], candidates: int, pieces: bool) -> RawVectors:
    """The vectors of `wanted` and of the frequent words; SourceError where the path has none.

    `candidates` lines of a text file are frequent words; with `pieces` a model gives words that are not whole in
    its vocabulary the mean of their pieces.
    """
    if not path.exists():
        raise SourceError(path, [Fault("file", "cannot be read: there is no such file or folder")])
    if is_store(path):
        return read_counted(path, wanted=wanted)
    if path.is_dir():
        return read_embeddings(path, wanted=wanted, pieces=pieces)
    return read_text_vectors(path, wanted=wanted, candidates=candidates)
