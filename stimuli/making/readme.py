"""What the README of a construction or a data set says at its top: what it makes, and where its sources come from.

The formats of other tools have none; of them the registry of formats says what is read.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corpus.formats.registry import FORMATS, formats_for
from stimuli.making.options import DATA_SET
from stimuli.making.registry import BUILDERS, IMPORTERS

ROOT = Path(__file__).parents[2]
# What it says of itself at the terminal, which a page has no use for.
PASSED_OVER = ("Makes",)


@dataclass(frozen=True, slots=True)
class About:
    """`makes` is a sentence, `rows` what its table says: paper, data, license. Both are Markdown."""

    key: str
    title: str
    makes: str
    rows: tuple[tuple[str, str], ...]


@cache
def about(kind: str, key: str) -> About:
    """LookupError for a name that is none."""
    if kind == DATA_SET and key in formats_for("items"):
        return _of_format(key)
    modules = IMPORTERS if kind == DATA_SET else BUILDERS
    if key not in modules:
        raise LookupError(f"There is no {kind} {key!r}. There are: {', '.join(sorted(modules))}.")
    folder = ROOT.joinpath(*modules[key].split(".")[:-1])
    text = (folder / "README.md").read_text(encoding="utf-8")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    makes = re.search(r"^makes .+$", text, re.MULTILINE)
    if title is None or makes is None:
        raise LookupError(f"{folder.name}/README.md must begin with a title and a sentence that begins with “makes”.")
    head = text.split("\n## ", 1)[0].partition("| | |")[2]
    rows = re.findall(r"^\| ([A-Z][\w ]*) \| (.+) \|$", head.split("\n\n", 1)[0], re.MULTILINE)
    sentence = makes[0][0].upper() + makes[0][1:]
    return About(key, title[1], sentence, tuple((name, said) for name, said in rows if name not in PASSED_OVER))


def _of_format(key: str) -> About:
    one = FORMATS[key]
    makes = f"Makes a study of the items in what {one.tool} wrote, with a map of their names."
    return About(key, f"Files of {one.tool}", makes, (("File", one.exported),))
