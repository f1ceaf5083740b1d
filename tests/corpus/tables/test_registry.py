"""A form of table is declared once, and readers are told of all of them.

`WRITE_DOCS=1 .venv/bin/python -m pytest tests/corpus/tables/test_registry.py` writes names and endings into the pages
anew. What is read of a new form is yours to add in its row.
"""

import os
import re

import pytest

from corpus.tables.registry import FORMS, names, opened, parting_in
from tests.house.sources import ROOT

PAGES = [ROOT / "docs" / f"{page}.md" for page in ("researchers", "studies", "scoring")]
README = ROOT / "stimuli" / "datasets" / "table" / "README.md"
# A list of all forms, which ends with one that is no text and no workbook.
LISTED = re.compile(rf"\b{FORMS[0].name}, .*?(?=(?:,| or| and) Parquet)")
HEADS = "| file | what is read |\n|---|---|\n"


def with_endings(page: str) -> str:
    """The page with a row for each form, and the other rows of its table below them as they are."""
    above, _, below = page.partition(HEADS)
    rows, _, rest = below.partition("\n\n")
    told = dict(re.findall(r"^\| (.*?) \| (.*) \|$", rows, re.MULTILINE))
    cells = [", ".join(f"`{suffix}`" for suffix in form.suffixes) for form in FORMS]
    others = {cell: words for cell, words in told.items() if cell.startswith(("`.parquet`", "a folder"))}
    every = {cell: told.get(cell, "") for cell in cells} | others
    return above + HEADS + "".join(f"| {cell} | {words} |\n" for cell, words in every.items()) + "\n" + rest


def test_every_page_that_lists_forms_has_them_all():
    made = {page: LISTED.sub(names(), page.read_text(encoding="utf-8")) for page in PAGES}
    made[README] = with_endings(README.read_text(encoding="utf-8"))
    if os.environ.get("WRITE_DOCS"):
        for page, text in made.items():
            page.write_text(text, encoding="utf-8")
    assert made == {page: page.read_text(encoding="utf-8") for page in made}
    assert all(names() in made[page] for page in PAGES)


@pytest.mark.parametrize(
    ("name", "text", "sign"),
    [
        ("a.csv", "a;b\n1;2\n", ";"),
        ("a.psv", "a|b\n1|2\n", "|"),
        ("a.tsv", "a\n1\n", "\t"),
        ("a.txt", "a\t1\n", "\t"),
        ("a.csv", "a\n1\n", ","),
    ],
)
def test_what_parts_cells_is_as_the_ending_says_or_as_it_is_seen(name, text, sign):
    assert parting_in(text.encode(), name) == sign
    assert opened(text.encode(), name).delimiter in (sign, "")
