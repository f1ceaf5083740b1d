"""Every format is where its readers look for it."""

from pathlib import Path

from corpus.formats.registry import FORMATS, recognize
from corpus.formats.source import of_path
from corpus.tables.registry import names
from tests.corpus.formats.writing import WRITTEN
from tests.house.sources import ROOT


def rows(page: Path) -> list[str]:
    """What the first cells of its tables name."""
    return [line.split("`")[1] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]


def test_the_page_of_formats_has_a_row_for_each():
    assert sorted(rows(ROOT / "docs" / "formats.md")) == sorted(FORMATS)


def test_each_has_a_file_that_its_tool_wrote_and_how_it_came_about():
    written = sorted(name.replace("-", "_") for name in FORMATS)
    assert sorted(rows(WRITTEN / "README.md")) == written
    assert sorted(path.name for path in WRITTEN.iterdir() if path.is_dir()) == written


def test_files_that_are_seen_to_be_of_a_format_end_as_it_says():
    ends = {
        (recognize(of_path(path), use), path.suffix)
        for path in WRITTEN.rglob("*.*")
        if path.is_file()
        for use in ("scores", "labels", "items")
    }
    seen = {(name, suffix) for name, suffix in ends if name}
    assert len(seen) > 8
    assert not [(name, suffix) for name, suffix in seen if suffix not in FORMATS[name].suffixes]


def test_pages_of_docs_name_every_form_of_table():
    pages = ("researchers", "studies", "scoring")
    assert [page for page in pages if names() not in (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")] == []
