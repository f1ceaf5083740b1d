"""Texts of a study: Markdown, and nothing that could act or call elsewhere."""

import pytest

from annotation.views.wording import rendered


def test_examples_are_marked_up():
    html = rendered("One *word*.\n\n> An example\n\n- first\n\n|a|b|\n|-|-:|\n|1|2|")
    for tag in ("<em>word</em>", "<blockquote>", "<li>first</li>", "<table>"):
        assert tag in html
    assert "style" not in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](https://elsewhere.example/pixel.png)",
        "[x](javascript:alert(1))", "[x](data:text/html,hello)", "[x](/studies/)", "[x](//elsewhere.example)",
        "<javascript:alert(1)>",
    ],
)  # fmt: skip
def test_nothing_else_comes_through(text):
    html = rendered(text)
    assert "<script" not in html
    assert "<img" not in html
    assert "href" not in html or 'href="https://elsewhere.example/pixel.png"' in html


def test_links_lead_outside_in_a_tab_of_their_own():
    html = rendered("[data](https://example.org/a?b=1&c=2) <mailto:a@example.org>")
    assert 'href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer"' in html
    assert 'href="mailto:a@example.org"' in html


def test_headings_stand_below_the_pages_own():
    assert rendered("# Examples") == "<h2>Examples</h2>\n"
