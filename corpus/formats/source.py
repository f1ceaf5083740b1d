"""A file, a zip file or a folder as members with bounds: nothing is unpacked to disk, and no name is used as a path."""

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

import zstandard

from corpus.errors import Fault
from corpus.tables.cells import cells_of
from corpus.tables.opening import Unreadable
from corpus.tables.registry import PACKED, opened

# Unpacked, in bytes: more than any log of a study, and few enough for the memory of a worker.
MOST_BYTES = 400 * 1024**2
MOST_MEMBERS = 20_000
# Of a table, as much tells its columns.
LOOKED_AT = 64 * 1024
# Zip's number for Zstandard, by which Inspect packs; Python reads it from 3.14 on.
ZSTANDARD = 93
LOCAL_HEADER = struct.Struct("<4s5H3L2H")


class FormatFault(ValueError):
    """A file that is not as its format has it. `faults` has every reason."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        super().__init__("; ".join(fault.said() for fault in faults))


def refused(field: str, message: str) -> FormatFault:
    """One fault, to be raised."""
    return FormatFault([Fault(field, message)])


@dataclass(frozen=True, slots=True)
class Member:
    """One file: how long it says it is, and its bytes, read when they are asked for."""

    size: int
    read: Callable[[], bytes]


@dataclass(frozen=True)
class Source:
    """`members` by their names, `/` between folders; the one of a plain file has the file's own name.

    `sha256` is that of the file's bytes; of a folder that of its files' names and bytes.
    """

    name: str
    members: Mapping[str, Member]
    is_packed: bool
    digest: Callable[[], str]

    @cached_property
    def sha256(self) -> str:
        return self.digest()

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix.lower()

    def read(self, member: str) -> bytes:
        """FormatFault where it cannot be read."""
        return self.members[member].read()

    def named(self, *suffixes: str) -> list[str]:
        """The members with such a suffix, sorted; those that systems add are none of it."""
        names = (name for name in self.members if PurePosixPath(name).suffix.lower() in suffixes)
        return sorted(name for name in names if not any(part.startswith((".", "__MACOSX")) for part in name.split("/")))

    def header(self, member: str = "") -> tuple[str, ...]:
        """The columns of a table, by its beginning; none where it is no table. `member`, where it has several files."""
        data = self.read(member) if member else self.only
        beginning = data if len(data) <= LOOKED_AT else data[: data.rfind(b"\n", 0, LOOKED_AT) + 1]
        try:
            return opened(beginning, member or self.name).columns
        except Unreadable:
            return ()

    def rows(self, member: str = "") -> Iterator[tuple[str, dict[str, str] | Fault]]:
        """The rows of a table by column, each with its place; FormatFault where it is none."""
        try:
            table = opened(self.read(member) if member else self.only, member or self.name)
        except Unreadable as error:
            raise FormatFault([error.fault.under(member) if member else error.fault]) from None
        for number, row in cells_of(table, {column: column for column in table.columns}):
            where = f"{member}, {table.where(number)}" if member else table.where(number)
            yield where, row.under(where) if isinstance(row, Fault) else row

    @property
    def only(self) -> bytes:
        """The bytes of a source that is one file; FormatFault for another."""
        if self.is_packed or len(self.members) != 1:
            raise refused("file", "is a folder or zip file, but this format is a single file")
        return self.read(next(iter(self.members)))


def of_path(path: Path) -> Source:
    """A file or a folder on this machine; FormatFault where it cannot be read."""
    if path.is_dir():
        return _of_folder(path)
    try:
        return of_bytes(path.name, path.read_bytes())
    except OSError as error:
        raise refused("file", f"cannot be read: {error.strerror}") from None


def of_bytes(name: str, data: bytes) -> Source:
    """A file that was read or sent; FormatFault where it is packed and holds too much."""
    if data.startswith(PACKED):
        return Source(name, _of_zip(data), is_packed=True, digest=lambda: hashlib.sha256(data).hexdigest())
    member = Member(len(data), lambda: data)
    return Source(name, {name: member}, is_packed=False, digest=lambda: hashlib.sha256(data).hexdigest())


def _of_folder(path: Path) -> Source:
    # A link may lead anywhere; what it names is not of the folder.
    files = [one for one in sorted(path.rglob("*")) if one.is_file() and not one.is_symlink()]
    members = {str(one.relative_to(path).as_posix()): Member(one.stat().st_size, one.read_bytes) for one in files}
    _bounded(members)

    def digest() -> str:
        sha = hashlib.sha256()
        for name, member in members.items():
            sha.update(f"{name}\0{hashlib.sha256(member.read()).hexdigest()}\n".encode())
        return sha.hexdigest()

    return Source(path.name, members, is_packed=True, digest=digest)


def is_of_system(path: PurePosixPath) -> bool:
    """What macOS and Windows put beside a person's files."""
    low = path.name.lower()
    return "__MACOSX" in path.parts or low.startswith("._") or low in (".ds_store", "thumbs.db", "desktop.ini")


def _of_zip(data: bytes) -> dict[str, Member]:
    try:
        packed = zipfile.ZipFile(io.BytesIO(data))
        infos = [one for one in packed.infolist() if not one.is_dir()]
    except (zipfile.BadZipFile, ValueError, OSError, struct.error):
        raise refused("file", "is a zip file that is cut off or damaged") from None
    if len({one.filename for one in infos}) < len(infos):
        raise refused("file", "is a zip file with two files of the same name")
    members = {one.filename.replace("\\", "/"): Member(one.file_size, _unpacking(packed, one, data)) for one in infos}
    _bounded(members)
    return _without_folder(members)


def _without_folder(members: dict[str, Member]) -> dict[str, Member]:
    """The members as from inside the one folder that was packed, if all are in one."""
    tops = {name.partition("/")[0] for name in members if not name.startswith("__MACOSX/")}
    if len(tops) != 1 or any("/" not in name for name in members):
        return members
    (top,) = tops
    return {name.removeprefix(f"{top}/"): member for name, member in members.items()}


def _bounded(members: Mapping[str, Member]) -> None:
    if len(members) > MOST_MEMBERS:
        raise refused("file", f"contains {len(members):,} files; the limit is {MOST_MEMBERS:,}")
    size = sum(member.size for member in members.values())
    if size > MOST_BYTES:
        raise refused("file", f"is {size // 1024**2:,} MB unpacked; the limit is {MOST_BYTES // 1024**2} MB")


def _unpacking(packed: zipfile.ZipFile, info: zipfile.ZipInfo, data: bytes) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            if info.compress_type == ZSTANDARD:
                return _unzstandard(info, data)
            with packed.open(info) as member:
                # zipfile stops at the size that the directory names, which was counted before.
                return member.read(info.file_size)
        except (zipfile.BadZipFile, zlib.error, zstandard.ZstdError, NotImplementedError, RuntimeError) as error:
            raise refused(info.filename, f"cannot be unpacked: {error}") from None
        except (EOFError, OSError, struct.error):
            raise refused(info.filename, "cannot be unpacked: it is cut off or damaged") from None

    return read


def _unzstandard(info: zipfile.ZipInfo, data: bytes) -> bytes:
    """A member that Zstandard packed, of the length that the directory names and no byte more."""
    *_, name_length, extra_length = LOCAL_HEADER.unpack_from(data, info.header_offset)
    start = info.header_offset + LOCAL_HEADER.size + name_length + extra_length
    packed = io.BytesIO(data[start : start + info.compress_size])
    with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(packed, read_across_frames=True) as unpacked:
        content = unpacked.read(info.file_size + 1)
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile("its length or checksum does not match its directory")
    return bytes(content)
