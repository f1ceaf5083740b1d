"""Where the files that other tools wrote are, and how tests read them."""

from pathlib import Path

from corpus.formats.contract import Use
from corpus.formats.reading import Records, read_format
from corpus.formats.source import of_path

WRITTEN = Path(__file__).parent / "written"


def records(tool: str, use: Use, name: str, **only: str) -> Records:
    return read_format(tool, use, of_path(WRITTEN / name), only=only)


def said(found: Records, *names: str) -> list[tuple[object, ...]]:
    """What each record says under these names; None where it says nothing."""
    return [tuple(row.values.get(name) for name in names) for row in found.rows]
