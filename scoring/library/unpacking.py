"""Uploaded files, one .zip or several, become the files of one folder: bounded, flat, and nothing outside it."""

import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from scoring.library.uploaded_files import (
    UploadRefused,
    fault_of_name,
    faults_together,
    is_passed_over,
    require_content,
    shown,
)

ZIP = ".zip"
# At once, of what is packed and what is not; and so the longest directory that a zip file may have.
PIECE, LONGEST_READ = 256 * 1024, 1024**2
MOST_FAULTS_TOLD = 5
LEADS_OUT = re.compile(r"^/|^[A-Za-z]:|\\|(?:^|/)\.\.(?:/|$)")
# What a damaged or hostile zip file makes Python's reader raise.
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`size` in bytes, as sent and as unpacked."""

    files: int
    size: int

    @property
    def megabytes(self) -> int:
        return self.size // 1024**2


@dataclass(frozen=True, slots=True)
class Part:
    """One file of the model, by the name that it will have; `size` is what it says that it has."""

    name: str
    size: int
    open: Callable[[], AbstractContextManager[IO[bytes]]]


class Sent(Protocol):
    """A file that was sent: its name without folders, its length, and how it is opened."""

    @property
    def name(self) -> Any: ...
    @property
    def size(self) -> Any: ...
    def open(self, mode: Any = ...) -> Any: ...


def parts_of(files: Sequence[Sent], limits: Limits) -> list[Part]:
    """The model's files, of which nothing is read yet but a zip file's directory. UploadRefused with what is wrong."""
    zipped = [one for one in files if str(one.name).lower().endswith(ZIP)]
    if zipped and len(files) > 1:
        raise UploadRefused(f"{zipped[0].name}: choose either one .zip or the files themselves")
    parts = _zipped(zipped[0], limits) if zipped else [_plain(one) for one in files]
    parts = [part for part in parts if not is_passed_over(part.name)]
    faults = [f"{shown(part.name)} {fault}" for part in parts if (fault := fault_of_name(part.name))]
    twice = [name for name, count in Counter(part.name.casefold() for part in parts).items() if count > 1]
    faults += [f"{name} is there twice" for name in twice]
    _refuse(faults or faults_together(part.name for part in parts))
    if len(parts) > limits.files:
        raise UploadRefused(f"{len(parts):,} files; at most {limits.files} are taken")
    if (size := sum(part.size for part in parts)) > limits.size:
        raise UploadRefused(f"the files unpack to {size // 1024**2:,} MB; at most {limits.megabytes:,} MB are taken")
    return parts


def write(
    parts: Sequence[Part], folder: Path, *, say: Callable[[int, int], None] = lambda written, total: None
) -> None:
    """The parts as files of an empty folder, as `say` is told. UploadRefused where one is another than it says."""
    written, total = 0, sum(part.size for part in parts)
    for part in parts:
        remaining = part.size
        try:
            opened = part.open()
        except UNREADABLE as error:
            raise UploadRefused(f"{part.name} {_unreadable(error)}") from error
        with opened as source, (folder / part.name).open("xb") as target:
            while piece := _read(source, part.name):
                remaining -= len(piece)
                if remaining < 0:
                    raise UploadRefused(f"{part.name} is larger than it says")
                target.write(piece)
                written += len(piece)
                say(written, total)
    require_content(folder)


def _read(source: IO[bytes], name: str) -> bytes:
    try:
        return source.read(PIECE)
    except UNREADABLE as error:
        raise UploadRefused(f"{name} {_unreadable(error)}") from error


def _unreadable(error: Exception) -> str:
    return f"cannot be unpacked: it is damaged or cut off ({str(error)[:100] or type(error).__name__})"


def _plain(file: Sent) -> Part:
    return Part(str(file.name), int(file.size), lambda: file.open("rb"))


def _zipped(file: Sent, limits: Limits) -> list[Part]:
    """The files of a zip file, all at its top or all in one folder."""
    try:
        packed = zipfile.ZipFile(_Guarded(file.open("rb")))
    except UNREADABLE as error:
        raise UploadRefused(f"{file.name} cannot be read as a zip file: {str(error)[:100]}") from error
    entries = [one for one in packed.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX/")]
    _refuse([f"{shown(one.orig_filename)} {fault}" for one in entries if (fault := _fault_of(one))])
    if len({one.filename.rpartition("/")[0] for one in entries}) > 1:
        raise UploadRefused(f"{file.name} has files in several folders; put all of them into one")
    return [_member(packed, one) for one in entries]


def _member(packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Part:
    return Part(entry.filename.rpartition("/")[2], entry.file_size, lambda: packed.open(entry))


def _fault_of(entry: zipfile.ZipInfo) -> str:
    """Why an entry is not taken, whatever is in it."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if LEADS_OUT.search(entry.orig_filename):
        return "has a path that leads out of the folder"
    if kind not in (0, stat.S_IFREG):
        return "is a link" if kind == stat.S_IFLNK else "is not a plain file"
    if entry.flag_bits & 1:
        return "is encrypted"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is compressed in a way that is not read: use deflate"
    return ""


def _refuse(faults: Sequence[str]) -> None:
    if faults:
        more = len(faults) - MOST_FAULTS_TOLD
        text = "; ".join(faults[:MOST_FAULTS_TOLD])
        raise UploadRefused(f"{text}; and {more:,} more" if more > 0 else text)


class _Guarded:
    """A zip file that gives at most LONGEST_READ at once: its reader would take a directory of any length whole."""

    def __init__(self, file: IO[bytes]) -> None:
        self.seek, self.tell, self.close, self._read = file.seek, file.tell, file.close, file.read

    def seekable(self) -> bool:
        return True

    def read(self, count: int = -1) -> bytes:
        if count > LONGEST_READ:
            raise zipfile.BadZipFile("it holds too many files")
        return self._read(count if count >= 0 else LONGEST_READ)
