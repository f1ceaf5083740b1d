"""A form of table is declared once, and readers are told of all of them."""

import pytest

from corpus.formats.registry import names_for
from corpus.tables.registry import FORMS, names, opened, parting_in
from tests.house.sources import ROOT


@pytest.mark.parametrize("page", ["researchers", "studies", "scoring"])
def test_every_page_that_lists_forms_has_them_all(page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    begins = ", ".join(form.name for form in FORMS[:3])
    assert text.count(begins) == text.count(names()) > 0


def test_files_of_labels_are_tables_or_a_tools():
    assert {form.name for form in FORMS} | {"Prodigy"} <= set(names_for("labels"))
    assert "Inspect" not in names_for("labels")


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
