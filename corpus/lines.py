"""The lines of a text file, compressed or not, one at a time: a corpus need not fit in memory."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol, cast

from corpus.errors import Fault, SourceError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz")
# Reddit's dumps were packed with a window of 2 GiB, which readers refuse unless told.
ZST_WINDOW = 2**31
# Whole corpora are one line (text8, fil9), but a small packed file must not grow until the memory is full.
LONGEST_LINE = 2**30
# Bytes read at once, and unpacked at once: zstandard cannot be told the latter, and makes at most 32 MiB of the former.
PACKED, UNPACKED = 2**10, 2**18


@dataclass(frozen=True, slots=True)
class TextLine:
    number: int
    text: str


class CorpusFile:
    """A file open for one pass over its lines. `position` counts the bytes read so far, compressed as they lie.

    `line` is the number of the line read last, and `begins` the place at which that begins, in bytes as unpacked. Where
    they are given, so much stands before what is read: the pass goes on there.
    """

    def __init__(self, path: Path, *, begins: int = 0, line: int = 0) -> None:
        self.path, self.begins, self.line = path, begins, line
        try:
            self._raw = path.open("rb")
        except OSError as error:
            raise SourceError(path, [Fault("file", f"cannot be read: {error.strerror}")]) from None

    @property
    def position(self) -> int:
        return self._raw.tell()

    @property
    def _packing(self) -> str:
        return self.path.suffix.lower()

    def close(self) -> None:
        self._raw.close()

    def __iter__(self) -> Iterator[TextLine]:
        number, ends = self.line, self.begins
        broken: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, lzma.LZMAError)
        if self._packing == ".zst":
            # Here, so that machines which only train on .txt and .gz can do without it.
            import zstandard

            broken += (zstandard.ZstdError,)
        try:
            for number, line in enumerate(self._lines(), start=self.line + 1):
                self.line, self.begins, ends = number, ends, ends + len(line)
                if len(line) > LONGEST_LINE:
                    raise SourceError(self.path, [Fault(f"line {number}", f"is longer than {LONGEST_LINE:,} bytes")])
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                yield TextLine(number, text.rstrip("\r\n"))
        except UnicodeDecodeError:
            raise SourceError(self.path, [Fault(f"line {number}", "is not UTF-8 text")]) from None
        except broken as error:
            reason = f"cannot be read further: {error}"
            raise SourceError(self.path, [Fault(f"line {number + 1}", reason)]) from None

    def _lines(self) -> Iterator[bytes]:
        """The lines as bytes, one that is too long in parts."""
        unpacked = self._unpacked()
        if self._packing in COMPRESSIONS:
            before = self.begins
            while before and (piece := unpacked.read(min(before, UNPACKED))):
                before -= len(piece)
        else:
            unpacked.seek(self.begins)
        yield from iter(partial(unpacked.readline, LONGEST_LINE + 1), b"")
        if self._packing in COMPRESSIONS and not self.position:
            raise EOFError("the compressed file is empty")

    def _unpacked(self) -> BinaryIO:
        match self._packing:
            case ".gz":
                return cast(BinaryIO, gzip.GzipFile(fileobj=self._raw))
            case ".zst":
                return io.BufferedReader(_Pieces(_unpacked(self._raw, _Zst)))
            case ".bz2":
                return io.BufferedReader(_Pieces(_unpacked(self._raw, bz2.BZ2Decompressor)))
            case ".xz":
                return io.BufferedReader(_Pieces(_unpacked(self._raw, lzma.LZMADecompressor)))
        return self._raw


class _Part(Protocol):
    """One of the parts (streams, frames) that a packed file has one after the other."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Zst:
    needs_input = True

    def __init__(self) -> None:
        import zstandard

        self._part = zstandard.ZstdDecompressor(max_window_size=ZST_WINDOW).decompressobj()

    @property
    def eof(self) -> bool:
        return self._part.eof

    @property
    def unused_data(self) -> bytes:
        return self._part.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._part.decompress(data)


def _unpacked(raw: BinaryIO, begin: Callable[[], _Part]) -> Iterator[bytes]:
    """What a file holds, piece by piece. The libraries' own readers take a part that is cut off (zstandard's) or
    damaged at its beginning (bz2's, lzma's) for the end of the file; here it is an error.
    """
    packed = raw.read(PACKED)
    while packed:
        part = begin()
        while not part.eof:
            if part.needs_input and not packed:
                raise EOFError("the file is cut off")
            yield part.decompress(packed, UNPACKED)
            packed = raw.read(PACKED) if part.needs_input and not part.eof else b""
        packed = part.unused_data.lstrip(b"\0")
        # Between the parts of .xz there may be zeros.
        while not packed and (more := raw.read(PACKED)):
            packed = more.lstrip(b"\0")


class _Pieces(io.RawIOBase):
    """Pieces of bytes as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._piece = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        into = memoryview(buffer).cast("B")
        while not self._piece:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._piece = memoryview(piece)
        size = min(len(into), len(self._piece))
        into[:size] = self._piece[:size]
        self._piece = self._piece[size:]
        return size
