"""docs/exports.md: its table of files and its lists of them are made of the registry.

`WRITE_DOCS=1 .venv/bin/python -m pytest tests/comparison/exports/test_documented.py` writes them anew. A new file's row
then has its columns; what a column holds is yours to add.
"""

import os
import re
from collections.abc import Iterable

from annotation.models.population import StudyPopulation
from comparison.exports.registry import FILES, IN_REPORT
from comparison.figures.file import HEAD, ORIGIN
from comparison.figures.registry import FIGURES
from tests.house.sources import ROOT

PATH = ROOT / "docs" / "exports.md"
WHOLE = [key for key, one in FILES.items() if one.is_whole]
# What stands before and behind each list of files on the page, and who is in it.
LISTS: dict[tuple[str, str], Iterable[str]] = {
    (r"Filters in the page's address \(below\) act on ", ";"): [key for key in FILES if key not in WHOLE],
    (r"Filters in the page's address \(below\) act on [^;]*; ", " are always whole"): WHOLE,
    (r"\| `tables/` \| ", ", with the columns above"): IN_REPORT,
}
HEADS = "| file | what it holds | one line for | columns after `study`, `population` |\n|---|---|---|---|\n"
# The columns of each figure's file, but of those whose lines begin otherwise.
COLUMNS = {
    figure.file.key: [*HEAD, *figure.download.columns][len(ORIGIN) :]
    for figure in FIGURES
    if figure.file and figure.download and figure.download.rows is None
}


def listed(names: Iterable[str]) -> str:
    *before, last = [f"`{name}`" for name in names]
    return f"{', '.join(before)} and {last}"


def row_of(key: str, told: str) -> str:
    one = FILES[key]
    words = one.words(StudyPopulation.PEOPLE.words, anonymous=False)
    columns = ", ".join(f"`{name}`" for name in COLUMNS.get(key, ()))
    return f"| `{key}` | {one.title}: {words} | {one.line} | {told or f'{columns} |'}\n"


def with_files(page: str) -> str:
    """The page with every file of the registry, and no other, in its table and lists."""
    for (before, behind), names in LISTS.items():
        page, found = re.subn(f"({before})`[^;|]*?`({behind})", rf"\1{listed(names)}\2", page)
        assert found == 1, before
    above, _, below = page.partition(HEADS)
    rows, _, rest = below.partition("\n\n")
    told = dict(re.findall(r"^\| `([\w-]+)` \| [^|]* \| [^|]* \| (.*)$", rows, re.MULTILINE))
    return above + HEADS + "".join(row_of(key, told.get(key, "")) for key in FILES) + "\n" + rest


def test_its_table_and_lists_have_every_file_and_no_other():
    page = PATH.read_text(encoding="utf-8")
    made = with_files(page)
    if os.environ.get("WRITE_DOCS"):
        PATH.write_text(made, encoding="utf-8")
    assert made == PATH.read_text(encoding="utf-8")


def test_a_figures_row_has_the_columns_of_its_file():
    cells = dict(re.findall(r"^\| `([\w-]+)` \| .* \| (.*) \|$", PATH.read_text(encoding="utf-8"), re.MULTILINE))
    named = {key: re.findall(r"`([^`]+)`", re.sub(r"\([^()]*\)", "", cell)) for key, cell in cells.items()}
    assert COLUMNS
    assert {key: named[key][: len(columns)] for key, columns in COLUMNS.items()} == COLUMNS


def test_what_is_read_bit_by_bit_is_documented():
    [streamed] = re.findall(r"\n(`judgments`[^.]*) are read a few thousand lines at a time", PATH.read_text())
    assert {*re.findall(r"`([\w-]+)`", streamed)} == {key for key, one in FILES.items() if one.is_streamed} | {"items"}
