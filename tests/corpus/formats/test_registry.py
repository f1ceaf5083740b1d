"""Every format is where its readers look for it."""

from pathlib import Path

from corpus.formats.registry import FORMATS
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
