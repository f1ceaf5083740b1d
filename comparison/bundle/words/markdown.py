"""Markdown in which any text is only text."""

import re
from collections.abc import Iterable, Sequence

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
# What makes a list, a heading or a rule where a line begins with it.
AT_START = re.compile(r"^(\d+)([.)])|^([-+=])")


def md(text: str) -> str:
    r"""The text on one line, with every sign that would be markup behind a backslash.

    >>> md("a_b <i>\n1. c"), md("1. c"), md("- d")
    ('a\\_b \\<i\\> 1. c', '1\\. c', '\\- d')
    """
    escaped = SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return AT_START.sub(lambda match: rf"{match[1]}\{match[2]}" if match[1] else rf"\{match[3]}", escaped)


def code(text: str) -> str:
    """The text as code: on one line, without backquotes, which would end it."""
    return f"`{' '.join(text.replace('`', ' ').split())}`"


def section(title: str, *parts: str) -> str:
    return "\n\n".join([f"## {md(title)}", *(part for part in parts if part)])


def bullets(lines: Iterable[str]) -> str:
    """Of lines that are Markdown already."""
    return "\n".join(f"- {line}" for line in lines)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Of texts; empty where there is no row."""
    lines = [f"| {' | '.join(map(md, row))} |" for row in rows]
    return "\n".join([f"| {' | '.join(map(md, heads))} |", "|" + "---|" * len(heads), *lines]) if lines else ""


def document(title: str, *sections: str) -> str:
    return "\n\n".join([f"# {md(title)}", *(one for one in sections if one)]) + "\n"
