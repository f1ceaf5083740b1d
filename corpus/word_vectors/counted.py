"""The word vectors of a store of counted text (`manage.py count_corpus`): one for each lemma.

All forms of a lemma have its vector, so that no two of them are ever torn apart. A store is read as files, since
nothing here knows of scoring.
"""

import json
from collections.abc import Collection, Iterator
from pathlib import Path

from corpus.errors import Fault, SourceError
from corpus.word_vectors.raw import WORD, Matrix, RawVectors, read_table

VECTORS = "vectors.safetensors"
CURRENT = "current.json"
# The folder of a state is named after so much of its content's hash.
SHOWN = 16
# The parts of speech whose lemma a form is taken for, the first first.
PARTS = ("NOUN", "VERB", "ADJ", "ADV")


def is_store(folder: Path) -> bool:
    """A store, or one finished state of it."""
    return (folder / CURRENT).is_file() or (folder / VECTORS).is_file()


def read_counted(folder: Path, *, wanted: Collection[str]) -> RawVectors:
    """The vectors of the lemmas, and of `wanted` words by their lemmas; all of them may replace others.

    SourceError if the store has none, or cannot be read.
    """
    path = _state(folder) / VECTORS
    of_lemma = _vectors(path)
    found = {lemma: vector for lemma, vector in of_lemma.items() if WORD.fullmatch(lemma)}
    for word in wanted:
        lemma = next((one for one in _lemmas(word) if one in of_lemma), None)
        if lemma is not None:
            found[word] = of_lemma[lemma]
    return RawVectors(found, frozenset(found), (path,))


def _lemmas(word: str) -> Iterator[str]:
    from lemminflect import getAllLemmas

    by_part = getAllLemmas(word)
    for part in PARTS:
        yield from by_part.get(part, ())
    yield word


def _state(folder: Path) -> Path:
    current = folder / CURRENT
    if not current.is_file():
        return folder
    try:
        return folder / str(json.loads(current.read_text(encoding="utf-8"))["content"])[:SHOWN]
    except (ValueError, KeyError, TypeError) as error:
        raise SourceError(current, [Fault("file", f"does not name the store's state: {error}")]) from None


def _vectors(path: Path) -> dict[str, Matrix]:
    from safetensors import SafetensorError

    if not path.is_file():
        raise SourceError(path, [Fault("file", "is not there: the store has too little text for word vectors")])
    try:
        words, matrix = read_table(path)
    except (SafetensorError, KeyError, UnicodeDecodeError) as error:
        raise SourceError(path, [Fault("file", f"cannot be read: {error}")]) from None
    return dict(zip(words, matrix, strict=True))
