"""Files and folders that are there whole or not at all, whatever is killed: written beside, put on disk, renamed."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Between the name of what it will be and what makes a scratch name its own.
PART = ".part-"


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a path beside; the file that is written there takes the place of `path` when the block ends.

    If anything fails, `path` stays as it was and nothing is left.
    """
    scratch = path.with_name(f".{path.name}.part")
    try:
        yield scratch
        _sync(scratch)
        scratch.replace(path)
        _sync(path.parent)
    finally:
        scratch.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path, *, is_locked: bool = False) -> Iterator[Path]:
    """Yield an empty folder beside, which takes the place of `path` when the block ends; what was there is removed.

    If anything fails, `path` stays as it was and nothing is left. What stands beside the yielded folder does not stay.
    A kill leaves the scratch folder; `is_locked` says that no other process writes `path`, so that it is removed now.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if is_locked:
        for leftover in path.parent.glob(f".{path.name}{PART}*"):
            shutil.rmtree(leftover)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}{PART}", dir=path.parent) as holder:
        folder = Path(holder) / path.name
        folder.mkdir()
        yield folder
        if path.exists():
            path.rename(Path(holder) / "before")
        put_in_place(folder, path)


def put_in_place(folder: Path, path: Path) -> None:
    """Rename a finished folder to `path`, where nothing is, once all of it is on disk."""
    for inside in folder.rglob("*"):
        _sync(inside)
    _sync(folder)
    folder.rename(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    """Put a file, or the names in a folder, on disk: a rename alone is no promise about what was written before it."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
