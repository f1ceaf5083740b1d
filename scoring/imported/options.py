"""What is said of how a score file is read, and what comes of it: a table, or another tool's records, with a reading.

The command, a page's job and the API say it with `ScoreOptions` and read with `open_scores`. Free of Django.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from corpus.errors import SourceError
from corpus.formats.apart import records_apart
from corpus.formats.reading import Records, read_records
from corpus.formats.source import FormatFault, of_bytes, of_path
from corpus.tables.columns import MapError
from scoring.imported.lines import ScoreFileError, open_table
from scoring.imported.reading import KEYS, Reading, ScoreOptions, reading


def open_scores(
    path: Path,
    asked: ScoreOptions,
    *,
    format: str = "",  # noqa: A002 (it is called that everywhere)
    apart: bool = False,
    is_mapped: bool | None = None,
) -> tuple[bytes | Records, Reading]:
    """The bytes of a table, or another tool's records, of the format that is named or seen; and how they are read.

    `apart`: what strangers have sent is read in a process of its own. A table whose columns are mapped is one, unless
    `is_mapped` says otherwise. ScoreFileError, MapError, OSError.
    """
    data = b"" if path.is_dir() else path.read_bytes()
    mapped = bool(asked.pairs) if is_mapped is None else is_mapped
    said: dict[str, Any] = {"asked": format, "is_mapped": mapped, "only": asked.only}
    try:
        if apart:
            records = records_apart(data, path.name, asked.use, **said, how=asked.how)
        else:
            source = of_path(path) if path.is_dir() else of_bytes(path.name, data)
            records = read_records(source, None if path.is_dir() else data, asked.use, **said, how=asked.how)
    except SourceError as error:
        raise ScoreFileError(path.name, error.faults) from None
    except FormatFault as fault:
        raise ScoreFileError(path.name, fault.faults) from None
    if records is None and asked.only:
        raise MapError(
            "Records can be filtered only in exports of other tools, but this is a table: choose the tool that "
            "wrote it."
        )
    read = (data or path.read_bytes()) if records is None else records
    return read, reading_of(read, path.name, asked)


def reading_of(read: bytes | Records | None, name: str, asked: ScoreOptions) -> Reading:
    """The columns as they are mapped, else those that the file has names for; ReadingError, ScoreFileError."""
    if isinstance(read, Records):
        names = read.names
    else:
        is_known = KEYS[asked.by] in dict(asked.pairs)
        names = [] if read is None or is_known else open_table(read, name, asked.how).names
    made = reading(asked, names=names)
    return replace(made, format=read.format, only=tuple(asked.only.items())) if isinstance(read, Records) else made
