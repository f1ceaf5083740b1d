"""Every table that may scroll sideways can be reached and named (WCAG 2.1.1; axe: scrollable-region-focusable)."""

import re
from pathlib import Path

import pytest
from django.conf import settings

TEMPLATES = sorted(
    path
    for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html")
    if "table-scroll" in path.read_text(encoding="utf-8")
)


def test_there_are_such_tables():
    assert len(TEMPLATES) > 5


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_scrolling_table_takes_the_focus_and_has_a_name(path):
    for tag in re.findall(r"<[^<>]*table-scroll[^<>]*>", path.read_text(encoding="utf-8")):
        assert 'role="region"' in tag, tag
        assert 'tabindex="0"' in tag, tag
        assert re.search(r'aria-label="[^"]{5,}"', tag), tag
