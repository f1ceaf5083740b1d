"""A figure in its page: `{% tables page "KEY" %}` writes its tables, what they rest on, and its download;
`{% pictures page "KEY" %}` its pictures, or the one that is named, `{% drawing page "NAME" %}` a chart alone,
`{% answer page "KEY" %}` the line that answers its title, and `{% download "KEY" %}` a file
where a template writes the table by hand.
"""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, Protocol

from django import template
from django.template import Context
from django.utils.safestring import SafeString, mark_safe

from comparison.exports.registry import FILES
from comparison.figures.registry import BY_KEY
from comparison.page.page import Page
from comparison.pictures.engine import Drawing
from comparison.templatetags.unbroken import unbroken

register = template.Library()


@register.inclusion_tag("comparison/_tables.html", takes_context=True)
def tables(context: Context, page: Page, key: str) -> dict[Any, Any]:
    figure = BY_KEY[key]
    # The file of a figure by an attribute is of the one that the page shows, also where the address names none.
    by = page.selection.by if figure.part == "breakdown" else page.chosen.asked.by
    tables = tuple(figure.tables(page.chosen))
    below = [one.below for one in tables]
    # What two of them say alike stands once, below the second.
    said = ["" if here == after else here for here, after in zip_longest(below, below[1:])]
    return {
        **context.flatten(),
        "tables": tuple(zip(tables, said, strict=True)),
        "file": figure.file,
        "by": by,
    }


@register.inclusion_tag("comparison/_download.html", takes_context=True)
def download(context: Context, key: str, *, by: str = "") -> dict[Any, Any]:
    return {**context.flatten(), "file": FILES[key], "by": by}


@register.inclusion_tag("comparison/_pictures.html", takes_context=True)
def pictures(context: Context, page: Page, key: str, name: str = "") -> dict[Any, Any]:
    """Those that there is something to draw for."""
    figure = BY_KEY[key]
    charts = {one: chart for one, chart in page.charts_by_figure[key].items() if name in ("", one)}
    data = figure.file.key if figure.file else "report"
    return {**context.flatten(), "charts": charts, "data": data, "here": figure.part}


@register.simple_tag(takes_context=True)
def items_of(context: Context, query: Mapping[str, str]) -> str:
    """The address of the items that a cell is of, among those that the page's own address selects."""
    asked = context["request"].GET.copy()
    for name in ("page", "open"):
        asked.pop(name, None)
    for name, value in query.items():
        asked[name] = value
    return f"{context['items_address']}?{asked.urlencode()}"


@register.simple_tag
def answer(page: Page, key: str) -> SafeString:
    return unbroken(BY_KEY[key].answer(page.chosen) or "")


class Drawn(Protocol):
    @property
    def drawings(self) -> Mapping[str, Drawing]: ...


@register.simple_tag
def drawing(page: Drawn, name: str) -> SafeString:
    found = page.drawings[name]
    # Every element in it was written by pictures/engine.py, which escapes what it is given.
    return mark_safe(found.wide + found.narrow)  # noqa: S308
