"""The working copy of a store, and how it becomes a finished state.

Blocks are added to it one transaction at a time, so that a kill loses nothing. Publishing writes marginals, hash, word
vectors and manifest, and puts the folder in its place.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpus.provenance import sha256
from corpus.whole import put_in_place, whole_file
from scoring.baselines.associations import places
from scoring.baselines.associations.places import (
    COUNTED,
    COUNTS,
    CREATE,
    CURRENT,
    DERIVE,
    MANIFEST,
    UPSERT,
    VECTORS,
    Manifest,
)
from scoring.baselines.associations.tally import OtherCounting, Tally, require_same
from scoring.baselines.associations.vectors import build_vectors

# Pages kept in memory, in KiB: the rest of a store of any size stays on disk.
CACHE_KIB = 200_000


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is or will be counted; `lines` are those of the file, unpacked."""

    sha256: str
    name: str
    bytes: int
    lines: int
    format: str
    field: str


class Growing:
    """A store under construction. `counted_with` is what can change the counts; a store has one, for all its files."""

    def __init__(self, path: Path, *, counted_with: dict[str, Any]) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(
            f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -{CACHE_KIB}"
        )
        if self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is None:
            # One transaction, so that a kill leaves all of it or nothing.
            self._db.executescript(f"BEGIN; {CREATE}")
            self._set(
                counted_with=json.dumps(counted_with, sort_keys=True), batch="[]", blocks="0", sentences="0", words="0"
            )
            self._db.execute("COMMIT")
        try:
            require_same(json.loads(self.meta("counted_with")), counted_with)
        except OtherCounting:
            self._db.close()
            raise

    def close(self) -> None:
        self._db.close()

    def meta(self, name: str) -> str:
        [value] = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(value)

    def sources(self) -> list[Source]:
        """The files that are counted whole."""
        rows = self._db.execute("SELECT sha256, name, bytes, lines, format, field FROM sources ORDER BY sha256")
        return [Source(*row) for row in rows]

    @property
    def pending(self) -> list[Source]:
        """The files of which a part may be counted, in their order; a kill came before the rest."""
        return [Source(**source) for source in json.loads(self.meta("batch"))]

    @property
    def blocks(self) -> int:
        """How many blocks of the pending files are counted."""
        return int(self.meta("blocks"))

    def begin(self, batch: Sequence[Source]) -> None:
        """These files are counted from now on, together and in this order."""
        self._db.execute("BEGIN")
        self._set(batch=json.dumps([asdict(source) for source in batch]), blocks="0")
        self._db.execute("COMMIT")

    def add(self, tally: Tally, *, blocks: int) -> None:
        """Add the counts of some blocks, after which `blocks` of the pending files are counted."""
        self._db.execute("BEGIN")
        for name in COUNTED:
            counts = getattr(tally, name)
            # In the order of the keys: neighbors in the table lie on the same pages.
            self._db.executemany(UPSERT[name], ((*key, n) for key, n in sorted(counts.items())))
        self._set(
            blocks=str(blocks),
            sentences=str(int(self.meta("sentences")) + tally.sentences),
            words=str(int(self.meta("words")) + tally.words),
        )
        self._db.execute("COMMIT")

    def end(self) -> None:
        """The pending files are counted whole."""
        self._db.execute("BEGIN")
        rows = [tuple(asdict(source).values()) for source in self.pending]
        self._db.executemany("INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?)", rows)
        self._set(batch="[]", blocks="0")
        self._db.execute("COMMIT")

    def copy_to(self, path: Path) -> None:
        """A compact copy of what is counted, in one file."""
        self._db.execute("VACUUM INTO ?", (str(path),))

    def _set(self, **values: str) -> None:
        self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))


# A state that is not finished yet, or that is being removed: whatever lies there is no state.
SCRATCH = ".finishing"


def publish(growing: Growing, store: Path, *, keep_earlier: bool, say: Callable[[str], None]) -> Manifest:
    """Make what is counted so far the store's current state. Earlier states are removed unless they are to be kept.

    A kill leaves the state before, and the working copy, from which this starts again.
    """
    scratch = store / SCRATCH
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    say("summing up the counts")
    growing.copy_to(scratch / COUNTS)
    with closing(sqlite3.connect(scratch / COUNTS, isolation_level=None)) as database:
        content = places.content_hash(database)
    folder = places.state_folder(store, content)
    if places.is_there(store, content):
        # A kill came right after it was finished. Workers may read it already, so it is not made again.
        shutil.rmtree(scratch)
    else:
        _finish(growing, scratch, content, say)
        # What lies there without a manifest is no state: someone has removed a part of it.
        shutil.rmtree(folder, ignore_errors=True)
        put_in_place(scratch, folder)
    with whole_file(store / CURRENT) as fresh:
        fresh.write_text(json.dumps({"content": content}) + "\n")
    if not keep_earlier:
        _remove_others(store, folder)
    return places.read_manifest(folder)


def _finish(growing: Growing, scratch: Path, content: str, say: Callable[[str], None]) -> None:
    """What follows from the counts, and the manifest, beside them."""
    with closing(sqlite3.connect(scratch / COUNTS, isolation_level=None)) as database:
        database.executescript(f"BEGIN; {DERIVE} COMMIT;")
        totals = dict(database.execute("SELECT name, n FROM totals"))
        say("making word vectors")
        build_vectors(database, scratch / VECTORS)
    manifest = Manifest(
        content=content,
        files={path.name: sha256(path) for path in sorted(scratch.iterdir())},
        counted_with=json.loads(growing.meta("counted_with")),
        sources=[asdict(source) for source in growing.sources()],
        totals={name: int(growing.meta(name)) for name in ("sentences", "words")} | totals,
    )
    (scratch / MANIFEST).write_text(json.dumps(asdict(manifest), indent=2) + "\n", encoding="utf-8")


def _remove_others(store: Path, folder: Path) -> None:
    for other in store.iterdir():
        if other != folder and (other / MANIFEST).is_file():
            # At once, so that neither a reader nor a kill meets half of it.
            other.rename(store / SCRATCH)
            shutil.rmtree(store / SCRATCH)
