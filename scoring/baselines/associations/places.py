"""Where stores lie, what their tables are, and what the finished ones say of themselves.

A store is a folder. Each finished state of it is a folder inside, named after the sha256 of its content, and never
changes: a reader that has opened one is not disturbed when files are added to the store.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from corpus.errors import BuildError

Read = TypeVar("Read")

COUNTS, VECTORS, MANIFEST, CURRENT = "counts.sqlite3", "vectors.safetensors", "store.json", "current.json"
# What a model's files call a state: all of its content, whichever files hold it.
CONTENT = "content"
# Enough of the hash to tell states apart in a folder's name.
SHORT = 16


class Damaged(BuildError):
    """What a store says of itself is not as it was written. str() says which file."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a finished state is. `files` has the sha256 of each of its files; `totals` what it holds of everything."""

    content: str
    files: dict[str, str]
    counted_with: dict[str, Any]
    sources: list[dict[str, Any]]
    totals: dict[str, int]

    @property
    def has_vectors(self) -> bool:
        return VECTORS in self.files

    @property
    def window(self) -> int:
        """How far to the right of a word another counted as near it; 0 where no such counts were taken."""
        return int(self.counted_with["window"])


def state_folder(store: Path, content: str) -> Path:
    """The folder of the state with that content, whether or not it is there."""
    return store / content[:SHORT]


def is_there(store: Path, content: str) -> bool:
    """Whether the store still has a finished state with that content."""
    return (state_folder(store, content) / MANIFEST).is_file()


def current(store: Path) -> Manifest | None:
    """The finished state of a store, or None if nothing was ever finished or it was removed. Damaged as below."""
    pointer = store / CURRENT
    if not pointer.exists():
        return None
    content = _read(pointer, dict[str, str])["content"]
    return read_manifest(state_folder(store, content)) if is_there(store, content) else None


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a finished state; FileNotFoundError if there is none, Damaged if it is not as it was written."""
    return _read(folder / MANIFEST, Manifest)


def _read(path: Path, kind: Callable[..., Read]) -> Read:
    try:
        return kind(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise Damaged(f"{path} cannot be read: {error}. Remove it, and count all files of this store again.") from None


def content_hash(database: sqlite3.Connection) -> str:
    """sha256 of all that was counted, and of the files it was counted from, whatever their names and order."""
    hashed = hashlib.sha256()
    for line in _lines(database):
        hashed.update(line.encode())
        hashed.update(b"\n")
    return hashed.hexdigest()


def _lines(database: sqlite3.Connection) -> Iterator[str]:
    [counted_with] = database.execute("SELECT value FROM meta WHERE name = 'counted_with'").fetchone()
    yield from (VERSION, counted_with)
    for row in database.execute("SELECT sha256, format, field FROM sources ORDER BY sha256"):
        yield "\t".join(row)
    for name, columns in COUNTED.items():
        yield name
        order = ", ".join(columns)
        for *key, n in database.execute(f"SELECT {order}, n FROM {name} ORDER BY {order}"):  # noqa: S608 names of ours
            yield "\t".join([*key, str(n)])


# Raised when a table changes; stores of another version are neither added to nor read.
VERSION = "1"
# What stands before a sentence's first word and after its last. Words are in lower case, so that these are none.
START, END = "<S>", "</S>"
# Triples that were met only once say little and are many (the published baseline).
LEAST_TRIPLE = 2

# Counted while a corpus is read: the columns of the key, and beside them n.
COUNTED = {
    "triples": ("relation", "verb", "noun"),
    "pairs": ("relation", "noun", "other_relation", "other"),
    "lemmas": ("lemma", "class"),
    "windows": ("one", "other"),
    "trigrams": ("one", "two", "three"),
}


def _table(name: str, columns: tuple[str, ...]) -> str:
    typed = ", ".join(f"{column} TEXT NOT NULL" for column in columns)
    return f"CREATE TABLE {name} ({typed}, n INTEGER NOT NULL, PRIMARY KEY ({', '.join(columns)})) WITHOUT ROWID;"


def _upsert(name: str, columns: tuple[str, ...]) -> str:
    key, places = ", ".join(columns), ", ".join("?" * (len(columns) + 1))
    return f"INSERT INTO {name} VALUES ({places}) ON CONFLICT ({key}) DO UPDATE SET n = n + excluded.n"  # noqa: S608


CREATE = "\n".join(
    [
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;",
        "CREATE TABLE sources (sha256 TEXT PRIMARY KEY, name TEXT NOT NULL, bytes INTEGER NOT NULL, "
        "lines INTEGER NOT NULL, format TEXT NOT NULL, field TEXT NOT NULL) WITHOUT ROWID;",
        *(_table(name, columns) for name, columns in COUNTED.items()),
    ]
)
UPSERT = {name: _upsert(name, columns) for name, columns in COUNTED.items()}

DERIVED = (
    "verb_roles", "noun_roles", "pair_roles", "pair_totals", "bigrams", "unigrams", "contexts", "rare", "totals"
)  # fmt: skip
# N-grams: `n` is how often, `adjusted` Kneser and Ney's count: how many different words stand before, or for what
# begins a sentence how often (Heafield et al. 2013, section 3.1). A bigram that begins no sentence has a word
# before it wherever it stands, so that trigrams alone give its count.
DERIVE = f"""
CREATE TABLE verb_roles (relation TEXT, verb TEXT, n INTEGER, PRIMARY KEY (relation, verb)) WITHOUT ROWID;
INSERT INTO verb_roles
    SELECT relation, verb, SUM(n) FROM triples WHERE n >= {LEAST_TRIPLE} GROUP BY relation, verb;
CREATE TABLE noun_roles (relation TEXT, noun TEXT, n INTEGER, PRIMARY KEY (relation, noun)) WITHOUT ROWID;
INSERT INTO noun_roles
    SELECT relation, noun, SUM(n) FROM triples WHERE n >= {LEAST_TRIPLE} GROUP BY relation, noun;
CREATE TABLE pair_roles (
    relation TEXT, noun TEXT, other_relation TEXT, n INTEGER, PRIMARY KEY (relation, noun, other_relation)
) WITHOUT ROWID;
INSERT INTO pair_roles
    SELECT relation, noun, other_relation, SUM(n) FROM pairs GROUP BY relation, noun, other_relation;
CREATE TABLE pair_totals (
    relation TEXT, other_relation TEXT, n INTEGER, PRIMARY KEY (relation, other_relation)
) WITHOUT ROWID;
INSERT INTO pair_totals SELECT relation, other_relation, SUM(n) FROM pair_roles GROUP BY relation, other_relation;
CREATE TABLE bigrams (
    one TEXT, two TEXT, n INTEGER, adjusted INTEGER, PRIMARY KEY (one, two)
) WITHOUT ROWID;
INSERT INTO bigrams
    SELECT one, two, SUM(n), SUM(n) FROM trigrams WHERE one = '{START}' GROUP BY one, two
    UNION ALL SELECT two, three, SUM(n), COUNT(*) FROM trigrams GROUP BY two, three;
CREATE TABLE unigrams (word TEXT PRIMARY KEY, n INTEGER, adjusted INTEGER) WITHOUT ROWID;
INSERT INTO unigrams SELECT two, SUM(n), COUNT(*) FROM bigrams GROUP BY two;
CREATE TABLE contexts (one TEXT, two TEXT, total INTEGER, types INTEGER, PRIMARY KEY (one, two)) WITHOUT ROWID;
INSERT INTO contexts SELECT one, two, SUM(n), COUNT(*) FROM trigrams GROUP BY one, two;
INSERT INTO contexts SELECT '', one, SUM(adjusted), COUNT(*) FROM bigrams GROUP BY one;
INSERT INTO contexts SELECT '', '', COALESCE(SUM(adjusted), 0), COUNT(*) FROM unigrams;
CREATE TABLE rare (length INTEGER, n INTEGER, types INTEGER, PRIMARY KEY (length, n)) WITHOUT ROWID;
INSERT INTO rare SELECT 3, n, COUNT(*) FROM trigrams WHERE n <= 2 GROUP BY n;
INSERT INTO rare SELECT 2, adjusted, COUNT(*) FROM bigrams WHERE adjusted <= 2 GROUP BY adjusted;
INSERT INTO rare SELECT 1, adjusted, COUNT(*) FROM unigrams WHERE adjusted <= 2 GROUP BY adjusted;
CREATE TABLE totals (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO totals SELECT 'triples', COALESCE(SUM(n), 0) FROM triples WHERE n >= {LEAST_TRIPLE};
INSERT INTO totals SELECT 'triple_types', COUNT(*) FROM triples WHERE n >= {LEAST_TRIPLE};
INSERT INTO totals SELECT 'lemmas', COALESCE(SUM(n), 0) FROM lemmas;
INSERT INTO totals SELECT 'lemma_types', COUNT(DISTINCT lemma) FROM lemmas;
"""  # noqa: S608 the numbers and the mark are constants of this package
