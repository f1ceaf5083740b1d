"""A source read whole: its bytes or its text, or the reason and the line why it cannot be read."""

import codecs
from pathlib import Path

from corpus.errors import Fault, SourceError


class NotText(ValueError):
    """Bytes that are no text in an encoding, from `line` on. str() says which, as the end of a sentence."""

    def __init__(self, line: int, byte: int, encoding: str = "UTF-8") -> None:
        self.line = line
        super().__init__(f"is not {encoding} text (byte 0x{byte:02x}); save the file as UTF-8")


def source_bytes(path: Path, *, refused: type[SourceError] = SourceError) -> bytes:
    """The file's bytes; `refused` is what is raised if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise refused(path, [Fault("file", f"cannot be read: {error.strerror}")]) from None


def read_text(path: Path, *, refused: type[SourceError] = SourceError) -> str:
    """The whole file as text; `refused` is raised, with the line, if it cannot be read or is not UTF-8."""
    try:
        return decoded(source_bytes(path, refused=refused))
    except NotText as error:
        raise refused(path, [Fault(f"line {error.line}", str(error))]) from None


def decoded(data: bytes) -> str:
    """The bytes as text, without a BOM; NotText if they are not UTF-8."""
    # Not by the codec utf-8-sig, whose errors count from behind the BOM.
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotText(data[: error.start].count(b"\n") + 1, data[error.start]) from None
