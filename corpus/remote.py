"""Files and folders elsewhere, at an address that fsspec reads (`s3://bucket/reddit`), as paths like those here.

Nothing of them is written: a pass over a corpus opens them, lists them and asks for their size.
"""

import errno
import io
import os
import re
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PosixPath
from typing import TYPE_CHECKING, Any

from corpus.errors import BuildError, in_short

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

ADDRESS = re.compile(r"[a-z][a-z0-9]*://.+", re.DOTALL)
# A chain of stores (`zip::s3://…`), whose name does not say what is opened; and what no line, or no database, holds.
REFUSED = re.compile(r"::|[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
HTTP = ("http", "https")
# What stores call what is another when a file has been written to; the first that there is counts.
TAGS = ("ETag", "etag", "mtime", "LastModified", "last_modified", "created")
PIECE = 2**20


class NoAddress(BuildError, ArgumentTypeError):
    """An address that is not asked for, because something else might be opened. str() names it, and says why."""


def place(text: str) -> Path:
    """For `type=` of add_argument: a path here, or an address. NoAddress if it is none that can be asked for."""
    return Remote.at(text) if "://" in text else Path(text)


def files_below(folder: Path) -> Iterator[Path]:
    """All files in the folder and in those within it. NoAddress where one elsewhere cannot be asked for by its own."""
    if isinstance(folder, Remote):
        yield from folder.files()
    else:
        yield from filter(Path.is_file, folder.rglob("*"))


def address_of(path: Path) -> str:
    """What `place` reads on any machine."""
    return path.address if isinstance(path, Remote) else str(path.absolute())


def version_of(path: Path) -> tuple[Any, ...] | None:
    """What is another once the file has been written to; None where nobody says."""
    try:
        if isinstance(path, Remote):
            return path.version()
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_ino, stat.st_size, stat.st_mtime_ns)


def is_http(path: Path) -> bool:
    return isinstance(path, Remote) and path.kind in HTTP


class Remote(PosixPath):
    """A path that keeps its address as it was given: those of paths lose slashes. OSError whatever goes wrong there."""

    address: str

    @classmethod
    def at(cls, address: str) -> "Remote":
        if not ADDRESS.fullmatch(address):
            raise NoAddress(f"{address!r} is not an address such as s3://bucket/folder.")
        if REFUSED.search(address):
            raise NoAddress(f"{address!r} cannot be read, because it has “::”, a line break or a control character.")
        remote = cls(address)
        remote.address = address
        return remote

    def __str__(self) -> str:
        return self.address

    @property
    def kind(self) -> str:
        return self.address.partition("://")[0]

    def absolute(self) -> "Remote":
        return self

    def exists(self, **_: Any) -> bool:
        with self._reached() as (system, path):
            return bool(system.exists(path))

    def is_dir(self, **_: Any) -> bool:
        # A page of the web is no folder, whatever it links to.
        with self._reached() as (system, path):
            return self.kind not in HTTP and bool(system.isdir(path))

    def is_file(self, **_: Any) -> bool:
        with self._reached() as (system, path):
            return self.kind in HTTP or bool(system.isfile(path))

    def files(self) -> Iterator["Remote"]:
        """All files below it: each address leads to the file that was listed, or NoAddress."""
        with self._reached() as (system, path):
            listed = system.find(path)
        folder = self.address.removesuffix("/")
        for name in listed:
            one = Remote.at(f"{folder}/{name.removeprefix(path.rstrip('/') + '/')}")
            with one._reached() as led:
                leads_there = led == (system, name)
            if not leads_there:
                raise NoAddress(f"{name!r}, a file in {self}, cannot be read, because {str(one)!r} leads elsewhere.")
            yield one

    def stat(self, **_: Any) -> os.stat_result:
        """Its size alone; 0 where nobody says."""
        with self._reached() as (system, path):
            size = int(system.info(path).get("size") or 0)
        return os.stat_result((0, 0, 0, 0, 0, 0, size, 0, 0, 0))

    def version(self) -> tuple[Any, ...]:
        """Its size, and its tag or time where the store has one."""
        with self._reached() as (system, path):
            # A list of the folder may be remembered, in which it is as it was.
            system.invalidate_cache()
            details = system.info(path)
        return (details.get("size"), next((details[name] for name in TAGS if name in details), None))

    def open(self, mode: str = "r", *_: Any, **__: Any) -> Any:
        if mode != "rb":
            raise OSError(errno.EROFS, "what is elsewhere is only read, as bytes")
        with self._reached() as (system, path):
            return io.BufferedReader(_File(system.open(path, "rb")), PIECE)

    @contextmanager
    def _reached(self) -> Iterator[tuple[Any, str]]:
        # Here, so that machines which only train on text of their own can do without it.
        import fsspec

        with _as_os_error():
            yield fsspec.core.url_to_fs(self.address)


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Each kind of store has exceptions of its own: S3's are no OSError."""
    try:
        yield
    except Exception as error:
        raise OSError(errno.EIO, in_short(error)) from error


class _File(io.RawIOBase):
    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        with _as_os_error():
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        into = memoryview(buffer).cast("B")
        with _as_os_error():
            piece = self._file.read(len(into))
        into[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._file.close()
        super().close()
