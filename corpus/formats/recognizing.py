"""Whose file it is, by its head or by the names of the files in it."""

from corpus.formats.contract import Use
from corpus.formats.registry import TABLE, formats_for, reader
from corpus.formats.source import Source

# What can be a table as well, whose columns somebody has mapped.
TABLES = (".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson")


def recognize(source: Source, use: Use) -> str:
    """The format's name; empty where the file is of none, such as a table, or could be of several."""
    found = [name for name in formats_for(use) if reader(name).recognized(source)]
    return found[0] if len(found) == 1 else ""


def format_of(source: Source, use: Use, *, asked: str, is_mapped: bool) -> str:
    """The format that was asked for, or else is seen; empty for a table. A table whose columns are mapped is one."""
    if asked:
        return "" if asked == TABLE else asked
    return "" if is_mapped and source.suffix in TABLES else recognize(source, use)
