"""A source read whole: its bytes or its text, or the reason and the line why it cannot be read."""

from pathlib import Path

from corpus.errors import Fault, SourceError


def source_bytes(path: Path) -> bytes:
    """The file's bytes; SourceError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(path, [Fault("file", f"cannot be read: {error.strerror}")]) from None


def read_text(path: Path) -> str:
    """The whole file as text; SourceError, with the line, if it cannot be read or is not UTF-8. A BOM is skipped."""
    data = source_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        wrong = f"is not UTF-8 text (byte 0x{data[error.start]:02x})"
        raise SourceError(path, [Fault(f"line {line}", wrong)]) from None
