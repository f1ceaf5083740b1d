"""A finished state of a store, as scorers ask it: read-only, so that many processes share one file.

Nothing here computes a score. What is not in the store has the count 0.
"""

import sqlite3
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from corpus.errors import Fault, SourceError
from corpus.provenance import sha256
from corpus.word_vectors import is_store, read_word_vectors, write_table
from scoring.baselines.associations import places
from scoring.baselines.associations.events import LEMMA
from scoring.baselines.associations.places import COUNTS, LEAST_TRIPLE, SHORT, VECTORS, VERSION, Damaged, Manifest
from scoring.baselines.associations.vectors import FEWEST_WORDS, Vectors, read_vectors
from scoring.library.locks import exclusive_folder

# Answers kept for n-grams: sentences of a study share most of their contexts.
REMEMBERED = 100_000


class StoreError(RuntimeError):
    """The store cannot be read: it is gone, has grown since, or its files have changed. str() says which."""


class Associations:
    """The counts of one finished state."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        # As an address, in which a # or ? of the path is written otherwise.
        address = f"{(folder / COUNTS).absolute().as_uri()}?mode=ro&immutable=1"
        self._db = sqlite3.connect(address, uri=True, check_same_thread=False)
        self.totals = {name: int(n) for name, n in self._db.execute("SELECT name, n FROM totals")}
        self.ngram = lru_cache(maxsize=REMEMBERED)(self._ngram)
        self.context = lru_cache(maxsize=REMEMBERED)(self._context)

    @cached_property
    def vectors(self) -> Vectors:
        """Word vectors; StoreError where the store has too little text for any."""
        if not self.manifest.has_vectors:
            raise StoreError(f"{self.folder} has too little text for word vectors")
        try:
            return read_vectors(self.folder / VECTORS)
        except FileNotFoundError:
            # The counts are open since before the state was removed; the vectors are read when they are first wanted.
            raise StoreError(_gone(self.folder.parent, self.manifest.content)) from None

    def every_lemma(self) -> set[str]:
        return {lemma for (lemma,) in self._db.execute("SELECT DISTINCT lemma FROM lemmas")}

    def triple(self, relation: str, verb: str, noun: str) -> int:
        """How often the noun stands in this relation to the verb; 0 below the least count (A3)."""
        n = self._one("SELECT n FROM triples WHERE relation = ? AND verb = ? AND noun = ?", relation, verb, noun)
        # The marginals are sums of such triples only, so that a rarer one must not count either.
        return n if n >= LEAST_TRIPLE else 0

    def verb_role(self, relation: str, verb: str) -> int:
        return self._one("SELECT n FROM verb_roles WHERE relation = ? AND verb = ?", relation, verb)

    def noun_role(self, relation: str, noun: str) -> int:
        return self._one("SELECT n FROM noun_roles WHERE relation = ? AND noun = ?", relation, noun)

    def lemma(self, lemma: str, kind: str = "") -> int:
        """How often a lemma was met, as a noun (N), verb (V) or adjective (A), or as any of them."""
        sql = "SELECT SUM(n) FROM lemmas WHERE lemma = ?"
        return self._one(sql + " AND class = ?", lemma, kind) if kind else self._one(sql, lemma)

    def window(self, one: str, other: str) -> int:
        """How often `other` stands among the words to the right of `one`."""
        return self._one("SELECT n FROM windows WHERE one = ? AND other = ?", one, other)

    def nouns_of_verb(self, verb: str, relation: str) -> list[tuple[str, int, int]]:
        """Each noun in this relation to the verb, the count of the triple, and the noun's in this relation to any."""
        rows = self._db.execute(
            "SELECT noun, triples.n, noun_roles.n FROM triples JOIN noun_roles USING (relation, noun) "
            "WHERE relation = ? AND verb = ? AND triples.n >= ?",
            (relation, verb, LEAST_TRIPLE),
        )
        return list(rows)

    def nouns_beside(self, relation: str, noun: str, other_relation: str) -> list[tuple[str, int, int]]:
        """Each noun in another relation to the same verbs: how often both, and how often with any in `relation`."""
        rows = self._db.execute(
            "SELECT pairs.other, pairs.n, pair_roles.n FROM pairs JOIN pair_roles ON pair_roles.relation = "
            "pairs.other_relation AND pair_roles.noun = pairs.other AND pair_roles.other_relation = pairs.relation "
            "WHERE pairs.relation = ? AND pairs.noun = ? AND pairs.other_relation = ?",
            (relation, noun, other_relation),
        )
        return list(rows)

    def pair_role(self, relation: str, noun: str, other_relation: str) -> int:
        """How often the noun was met in `relation` together with any noun in `other_relation`."""
        sql = "SELECT n FROM pair_roles WHERE relation = ? AND noun = ? AND other_relation = ?"
        return self._one(sql, relation, noun, other_relation)

    def pair_total(self, relation: str, other_relation: str) -> int:
        """How often any two nouns were met in these relations to one verb."""
        sql = "SELECT n FROM pair_totals WHERE relation = ? AND other_relation = ?"
        return self._one(sql, relation, other_relation)

    def rare(self, length: int, n: int) -> int:
        """How many n-grams of that length have the (adjusted) count n, which is 1 or 2."""
        return self._one("SELECT types FROM rare WHERE length = ? AND n = ?", length, n)

    def _ngram(self, words: tuple[str, ...]) -> int:
        """The adjusted count of one to three words (Kneser and Ney); of three, how often they were met."""
        match words:
            case (word,):
                return self._one("SELECT adjusted FROM unigrams WHERE word = ?", word)
            case (one, two):
                return self._one("SELECT adjusted FROM bigrams WHERE one = ? AND two = ?", one, two)
        return self._one("SELECT n FROM trigrams WHERE one = ? AND two = ? AND three = ?", *words)

    def _context(self, words: tuple[str, ...]) -> tuple[int, int]:
        """Of all n-grams that begin with these words (none to two): the sum of their counts, and how many there are."""
        one, two = ("", "", *words)[-2:]
        row = self._db.execute("SELECT total, types FROM contexts WHERE one = ? AND two = ?", (one, two)).fetchone()
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def _one(self, sql: str, *values: str | int) -> int:
        row = self._db.execute(sql, values).fetchone()
        return int(row[0] or 0) if row else 0


def open_store(store: Path, content: str) -> Associations:
    """The state of a store with that content, from memory if used lately; StoreError if it is gone or changed."""
    return _open(store, content)


# Two, so that runs on two stores can take turns without reading anew each time.
@lru_cache(maxsize=2)
def _open(store: Path, content: str) -> Associations:
    try:
        return _checked(places.state_folder(store, content), content)
    except Damaged as error:
        raise StoreError(str(error)) from None
    except (FileNotFoundError, sqlite3.OperationalError, StoreError):
        if places.is_there(store, content):
            raise
        raise StoreError(_gone(store, content)) from None


def _checked(folder: Path, content: str) -> Associations:
    manifest = places.read_manifest(folder)
    changed = [name for name, recorded in manifest.files.items() if _hash(folder / name) != recorded]
    if manifest.content != content or changed or manifest.counted_with["schema"] != VERSION:
        raise StoreError(
            f"{folder} is not what was counted: {', '.join(changed) or 'another content'}. Remove that folder, and "
            "count all its files again."
        )
    return Associations(folder, manifest)


def _gone(store: Path, content: str) -> str:
    return (
        f"{store} no longer has what this model was counted from ({content[:8]}): files were added to the store "
        "since, or it was removed. Its present models are those that `manage.py count_corpus` named last."
    )


def _hash(path: Path) -> str:
    return sha256(path) if path.is_file() else "missing"


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
    lemmas = () if is_store(path) else counts.every_lemma()
    raw = read_word_vectors(path, words=lemmas, candidates=CANDIDATES, pieces=True)
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
