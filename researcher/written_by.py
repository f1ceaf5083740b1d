"""The tools whose files a form takes, to choose from."""

from collections.abc import Iterable

from django import forms

from corpus.formats.contract import Use
from corpus.formats.registry import FORMATS, TABLE, Format, formats_for


class WrittenBy(forms.ChoiceField):
    """What the file shows, a table, or one of the tools whose files are read for it; `more` choices come last.

    `tools` says of each which file of it is meant, and where it is exported.
    """

    def __init__(
        self, use: Use, *, label: str = "Written by", more: Iterable[tuple[str, str]] = (), help_text: str = ""
    ) -> None:
        found = sorted(((name, FORMATS[name]) for name in formats_for(use)), key=lambda one: one[1].tool.casefold())
        self.tools: list[Format] = [one for _, one in found]
        tools = [(name, one.tool) for name, one in found]
        choices = [("", "what the file shows"), (TABLE, "a table"), *tools, *more]
        super().__init__(label=label, required=False, choices=choices, help_text=help_text)
