"""Word vectors from elsewhere in the place of a store's own, for thematic fit and SDM. Rule A7 in docs/metrics.md."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from corpus.errors import Fault, SourceError
from corpus.provenance import sha256
from corpus.word_vectors import is_store, read_word_vectors, write_table
from scoring.baselines.associations.events import LEMMA
from scoring.baselines.associations.places import SHORT
from scoring.baselines.associations.reading import Associations, StoreError
from scoring.baselines.associations.vectors import FEWEST_WORDS, Vectors, read_vectors
from scoring.library.locks import exclusive_folder

# Beside a store's states: what it holds does not depend on them.
FOLDER = "outside"
# Of a text file, the first words beside the store's own: sentences have nouns that the store has never met.
CANDIDATES = 50_000


@dataclass(frozen=True, slots=True)
class Outside:
    """Vectors that were laid beside a store: what they were called, what they were read from, and what they are."""

    name: str
    files: dict[str, str]
    sha256: str
    words: int
    dimensions: int

    @property
    def settings(self) -> dict[str, Any]:
        """What a model that uses them says of them."""
        about = {"name": self.name, "files": self.files, "words": self.words, "dimensions": self.dimensions}
        return {"vectors": about, "vectors_sha256": self.sha256}


def take_vectors(path: Path, counts: Associations) -> Outside:
    """Lay the vectors of a path beside a store, at length 1; the same again changes nothing.

    SourceError if there are none; FolderInUse if another process counts into the store.
    """
    # A store's vectors are of lemmas already.
    wanted = () if is_store(path) else counts.every_lemma()
    raw = read_word_vectors(path, wanted=wanted, candidates=CANDIDATES, pieces=True)
    words = sorted(word for word, vector in raw.vectors.items() if LEMMA.fullmatch(word) and vector.any())
    if len(words) < FEWEST_WORDS:
        raise SourceError(path, [Fault("file", f"has vectors of {len(words)} words, fewer than {FEWEST_WORDS}")])
    matrix = np.stack([raw.vectors[word] for word in words]).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    store = counts.folder.parent
    with exclusive_folder(store):
        folder = store / FOLDER
        folder.mkdir(exist_ok=True)
        fresh = folder / ".fresh"
        write_table(fresh, words, matrix)
        sha = sha256(fresh)
        fresh.replace(_place(store, sha))
    return Outside(path.name, {file.name: sha256(file) for file in raw.files}, sha, *matrix.shape)


# Two, so that runs with two kinds of vectors can take turns without reading anew each time.
@lru_cache(maxsize=2)
def open_outside(store: Path, sha: str) -> Vectors:
    """Vectors that were laid beside a store; StoreError if they are gone or not those that were."""
    path = _place(store, sha)
    if not path.is_file() or sha256(path) != sha:
        raise StoreError(
            f"{path} is gone or not what it was. Take the vectors again: manage.py count_corpus {store.name} --vectors."
        )
    return read_vectors(path)


def _place(store: Path, sha: str) -> Path:
    return store / FOLDER / f"{sha[:SHORT]}.safetensors"
