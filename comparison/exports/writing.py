"""Lines of text on their way out of a command: to a file, or to standard output, which may be closed or full."""

import os
import sys
from collections.abc import Generator, Iterable
from pathlib import Path

from django.core.management.base import CommandError, OutputWrapper

# How a program ends whose reader has gone: 128 and the number of SIGPIPE.
READER_GONE = 141


def write_out(lines: Iterable[str], *, out: Path | None, stdout: OutputWrapper) -> None:
    """To the file, or without one to `stdout`; CommandError, exit code 1, where they cannot be written.

    A reader who has seen enough (`| head`) is no error: the program ends there without a word.
    """
    try:
        _to_stdout(lines, stdout) if out is None else _to_file(lines, out)
    finally:
        # Lines that are read as they are written hold a cursor, which must not outlive the database's connection.
        if isinstance(lines, Generator):
            lines.close()


def _to_file(lines: Iterable[str], out: Path) -> None:
    try:
        # newline="": the lines bring their own ends, as CSV wants them.
        with out.open("w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}.") from None


def _to_stdout(lines: Iterable[str], stdout: OutputWrapper) -> None:
    try:
        for line in lines:
            stdout.write(line, ending="")
        stdout.flush()
    except OSError as error:
        _discard_rest(stdout)
        if isinstance(error, BrokenPipeError):
            sys.exit(READER_GONE)
        raise CommandError(f"Standard output cannot be written: {error.strerror}.") from None


def _discard_rest(stdout: OutputWrapper) -> None:
    """What waits in the buffer would be written once more when Python ends, and fail once more with a traceback."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stdout.fileno())
    os.close(nowhere)
