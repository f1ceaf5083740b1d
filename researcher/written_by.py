"""The tools whose files a form takes, to choose from."""

from corpus.formats.contract import Use
from corpus.formats.registry import FORMATS, TABLE, formats_for


def written_by(use: Use) -> list[tuple[str, str]]:
    """What the file shows, a table, or one of the tools whose files are read for it."""
    tools = [(name, FORMATS[name].tool) for name in formats_for(use)]
    return [("", "what the file shows"), (TABLE, "a table"), *sorted(tools, key=lambda one: one[1].casefold())]
