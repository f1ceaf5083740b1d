"""From a working copy to a finished state: marginals, hash, word vectors, manifest, and the folder in its place."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from corpus.provenance import sha256
from corpus.whole import put_in_place, whole_file
from scoring.baselines.associations import places
from scoring.baselines.associations.growing import Growing
from scoring.baselines.associations.places import COUNTS, CURRENT, MANIFEST, VECTORS, Manifest
from scoring.baselines.associations.schema import DERIVE
from scoring.baselines.associations.vectors import build_vectors

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
    _point(store, content)
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


def _point(store: Path, content: str) -> None:
    with whole_file(store / CURRENT) as fresh:
        fresh.write_text(json.dumps({"content": content}) + "\n")


def _remove_others(store: Path, folder: Path) -> None:
    for other in store.iterdir():
        if other != folder and (other / MANIFEST).is_file():
            # At once, so that neither a reader nor a kill meets half of it.
            other.rename(store / SCRATCH)
            shutil.rmtree(store / SCRATCH)
