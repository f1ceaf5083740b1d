"""Labels in another tool's file, opened: read as what they are by annotation/labelfile.py."""

from collections.abc import Mapping
from pathlib import Path

from annotation.labelfile import LabelFileError
from corpus.formats.reading import Records, read_format
from corpus.formats.recognizing import format_of
from corpus.formats.source import FormatFault, of_path


def open_foreign(
    path: Path,
    *,
    format: str = "",  # noqa: A002 (it is called that everywhere)
    is_mapped: bool = False,
    only: Mapping[str, str] | None = None,
) -> Records | None:
    """Another tool's file, of the format that is named or seen; None for a table. LabelFileError with every fault.

    `only` (column → text) leaves out other records.
    """
    try:
        source = of_path(path)
        found = format_of(source, "labels", asked=format, is_mapped=is_mapped)
        return read_format(found, "labels", source, only=only) if found else None
    except FormatFault as fault:
        raise LabelFileError(path, fault.faults) from None
