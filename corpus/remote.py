"""Files and folders elsewhere, at an address that fsspec reads (`s3://bucket/reddit`), as paths like those here.

Nothing of them is written: a pass over a corpus opens them, lists them and asks for their size.
"""

import errno
import io
import os
import re
from argparse import ArgumentTypeError
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path, PosixPath
from typing import TYPE_CHECKING, Any

import fsspec

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# One kind of store, and no chain of them (`zip::s3://…`), whose name says what is opened.
ADDRESS = re.compile(r"(?P<kind>[a-z][a-z0-9]*)://(?!.*::).+")
HTTP = ("http", "https")
PIECE = 2**20


def place(text: str) -> Path:
    """For `type=` of add_argument: a path here, or an address."""
    if "://" not in text:
        return Path(text)
    if not ADDRESS.fullmatch(text):
        raise ArgumentTypeError(f"{text!r} is not an address such as s3://bucket/folder")
    return Remote(text)


def address_of(path: Path) -> str:
    """What `place` reads on any machine."""
    return path.address if isinstance(path, Remote) else str(path.absolute())


def is_http(path: Path) -> bool:
    return isinstance(path, Remote) and path.kind in HTTP


class Remote(PosixPath):
    """A path whose string is its address with one slash less, as paths have it. OSError whatever goes wrong there."""

    @property
    def address(self) -> str:
        return str(self).replace(":/", "://", 1)

    @property
    def kind(self) -> str:
        return self.parts[0].removesuffix(":")

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

    def rglob(self, *_: Any, **__: Any) -> Generator["Remote", None, None]:
        """All files below it, whatever the pattern."""
        with self._reached() as (system, path):
            found = [system.unstrip_protocol(one) for one in system.find(path)]
        yield from map(Remote, found)

    def stat(self, **_: Any) -> os.stat_result:
        """Its size alone; 0 where nobody says."""
        with self._reached() as (system, path):
            size = int(system.info(path).get("size") or 0)
        return os.stat_result((0, 0, 0, 0, 0, 0, size, 0, 0, 0))

    def open(self, mode: str = "r", *_: Any, **__: Any) -> Any:
        if mode != "rb":
            raise OSError(errno.EROFS, "what is elsewhere is only read, as bytes")
        with self._reached() as (system, path):
            return io.BufferedReader(_File(system.open(path, "rb")), PIECE)

    @contextmanager
    def _reached(self) -> Iterator[tuple[Any, str]]:
        with _as_os_error():
            yield fsspec.core.url_to_fs(self.address)


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Each kind of store has exceptions of its own: S3's are no OSError."""
    try:
        yield
    except Exception as error:
        said = str(error).strip().partition("\n")[0]
        raise OSError(errno.EIO, f"{type(error).__name__}{said and f': {said}'}") from error


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
