"""Downloads of large studies, made by a worker: all but rows that are streamed are figures, or rest on some."""

import hashlib
import re
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.models import Study
from comparison.exports.cells import lines
from comparison.exports.items.lines import ITEMS
from comparison.exports.items.outset import begins_at_once
from comparison.exports.registry import FILES, export
from comparison.exports.report import figures_json
from comparison.frame.cache.computing import Computing, Progress, WorkerTask, start
from comparison.frame.cache.gathered import Gathered, read_one
from comparison.frame.cache.remembered import PROGRAM, REMEMBERED_SECONDS
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select

# How rows are written, by what the name of the file ends with.
WRITERS: dict[str, Callable[[Iterable[Any]], Iterable[str]]] = {"csv": lines, "json": figures_json}
EXPORT = WorkerTask(name="export", is_errand=True)


@dataclass(frozen=True, slots=True)
class Download:
    """The file, where it is there; else who is at it."""

    path: Path | None
    progress: Progress | None = None


def read_download(study: Study, what: str, asked: Selection, *, ending: str = "csv") -> Download | None:
    """None where the file is streamed as it is asked for; else the one that a worker makes.

    SelectionError if the address names what the study lacks.
    """
    if what not in FILES or FILES[what].is_streamed:
        return None
    chosen = select(study, asked, waits=False)
    if not chosen.is_large:
        return None
    chosen.refuse()
    if what == ITEMS.key and begins_at_once(study, asked):
        return None
    path = _path(study, what, asked, chosen.gathered, ending=ending)
    if path.is_file():
        return Download(path)
    computing = making_of(study, what, asked, ending=ending)
    start(computing, EXPORT, study.pk, what, asked.query(), ending)
    return Download(None, computing.progress())


def make_download(study: Study, what: str, asked: Selection, *, ending: str = "csv") -> Path:
    """Write the file of the data as they are, and remove those that nobody needs any more."""
    path = _path(study, what, asked, read_one(study), ending=ending)
    path.parent.mkdir(parents=True, exist_ok=True)
    computing, written = making_of(study, what, asked, ending=ending), 0
    computing.report("computing its figures")
    # Two may be at it at once; what both put in place is the same.
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, suffix=".part", encoding="utf-8", newline="", delete=False
    ) as out:
        for piece in WRITERS[ending](export(what)(study, asked)):
            out.write(piece)
            written += piece.count("\r\n")
            computing.report(f"{written:,} lines written")
    Path(out.name).replace(path)
    forget_old(path.parent)
    return path


def forget_old(folder: Path) -> None:
    """Remove the files that have lain there for longer than figures are remembered."""
    for old in folder.iterdir():
        if old.is_file() and time.time() - old.stat().st_mtime > REMEMBERED_SECONDS:
            old.unlink(missing_ok=True)


def files_of(study: Study) -> list[Path]:
    """What was made for it, of any state. A slug may be the beginning of another, so that only whole names tell."""
    named = re.compile(rf"{re.escape(study.slug)}-({'|'.join([*FILES, 'dataset'])})-[0-9a-f]{{32}}\.(csv|json|zip)")
    place: Path = settings.VAR_DIR / "exports"
    return [path for path in place.glob(f"{study.slug}-*") if named.fullmatch(path.name)]


def making_of(study: Study, what: str, asked: Selection, *, ending: str = "csv") -> Computing:
    return Computing(study.pk, f"export {what}.{ending}", asked.query())


def _path(study: Study, what: str, asked: Selection, gathered: Gathered, *, ending: str) -> Path:
    rests_on = f"{PROGRAM} {gathered.version} {asked.query()}"
    version = hashlib.sha256(rests_on.encode()).hexdigest()[:32]
    return settings.VAR_DIR / "exports" / f"{study.slug}-{what}-{version}.{ending}"
