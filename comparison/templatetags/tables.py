"""A figure in its page: `{% tables page "KEY" %}` writes its tables, what they rest on, and its download;
`{% pictures page "KEY" %}` its pictures, and `{% answer page "KEY" %}` the line that answers its title.
"""

from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from comparison.figures.registry import BY_KEY
from comparison.page.page import Page
from comparison.templatetags.unbroken import unbroken

register = template.Library()


@register.inclusion_tag("comparison/_tables.html", takes_context=True)
def tables(context: Context, page: Page, key: str) -> dict[Any, Any]:
    figure = BY_KEY[key]
    # The file of a figure by an attribute is of the one that the page shows, also where the address names none.
    by = page.selection.by if figure.part == "breakdown" else page.chosen.asked.by
    return {**context.flatten(), "tables": tuple(figure.tables(page.chosen)), "file": figure.file, "by": by or None}


@register.inclusion_tag("comparison/_pictures.html", takes_context=True)
def pictures(context: Context, page: Page, key: str) -> dict[Any, Any]:
    """Those that there is something to draw for."""
    figure = BY_KEY[key]
    captions = {name: words for name, words in figure.captions(page.chosen).items() if name in page.charts}
    return {**context.flatten(), "captions": captions, "data": key}


@register.simple_tag
def answer(page: Page, key: str) -> SafeString:
    return unbroken(BY_KEY[key].answer(page.chosen) or "")
