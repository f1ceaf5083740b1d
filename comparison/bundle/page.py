"""report.html: the verdict, the figures and the tables in one file that needs no other, no script and no network."""

from collections.abc import Sequence

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from comparison.bundle.figures import Figure
from comparison.bundle.mark import mark, title
from comparison.bundle.styles import stylesheet
from comparison.bundle.tables.table import Table
from comparison.bundle.words.facts import Facts
from comparison.page.page import Page

STYLES = ("tokens.css", "bundle.css")


def html(page: Page, facts: Facts, tables: Sequence[Table], figures: Sequence[Figure]) -> str:
    context = {
        "study": page.study,
        "title": title(page.study),
        "mark": mark(page.study),
        "headline": page.verdict.headline,
        "rest": page.verdict.rest,
        "page": page,
        "facts": facts,
        "tables": tables,
        # Drawn by Vega, which escapes every text in it.
        "figures": [(figure, mark_safe(figure.svg)) for figure in figures],  # noqa: S308
        # Our own files. A template cannot hold them: those of pages must not style inline.
        "style": mark_safe(f"<style>\n{''.join(map(stylesheet, STYLES))}</style>"),  # noqa: S308
    }
    return render_to_string("comparison/bundle.html", context)
