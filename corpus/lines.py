"""The lines of a text file, compressed or not, one at a time: a corpus need not fit in memory."""

import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from corpus.errors import Fault, SourceError

COMPRESSIONS = (".gz", ".zst")
# Reddit's dumps were packed with a window of 2 GiB, which readers refuse unless told.
ZST_WINDOW = 2**31


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    text: str


class CorpusFile:
    """A file open for one pass over its lines. `position` counts the bytes read so far, compressed as they lie."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._raw = path.open("rb")
        except OSError as error:
            raise SourceError(path, [Fault("file", f"cannot be read: {error.strerror}")]) from None

    @property
    def position(self) -> int:
        return self._raw.tell()

    def close(self) -> None:
        self._raw.close()

    def __iter__(self) -> Iterator[Line]:
        number = 0
        broken: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error)
        if self.path.suffix == ".zst":
            # Here, so that machines which only train on .txt and .gz can do without it.
            import zstandard

            broken += (zstandard.ZstdError,)
        try:
            for number, line in enumerate(self._unpacked(), start=1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                yield Line(number, text.rstrip("\r\n"))
        except UnicodeDecodeError:
            raise SourceError(self.path, [Fault(f"line {number}", "is not UTF-8 text")]) from None
        except broken as error:
            reason = f"cannot be read on: {error}"
            raise SourceError(self.path, [Fault(f"line {number + 1}", reason)]) from None

    def _unpacked(self) -> BinaryIO:
        match self.path.suffix:
            case ".gz":
                return cast(BinaryIO, gzip.GzipFile(fileobj=self._raw))
            case ".zst":
                import zstandard

                reader = zstandard.ZstdDecompressor(max_window_size=ZST_WINDOW).stream_reader(
                    self._raw, read_across_frames=True, closefd=False
                )
                return cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, reader)))
        return self._raw
