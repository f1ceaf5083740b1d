"""A figure's tables in its page: `{% tables page "biases" %}` writes them, what they rest on, and its download."""

from typing import Any

from django import template
from django.template import Context

from comparison.figures.registry import BY_KEY
from comparison.page.page import Page

register = template.Library()


@register.inclusion_tag("comparison/_tables.html", takes_context=True)
def tables(context: Context, page: Page, key: str) -> dict[Any, Any]:
    figure = BY_KEY[key]
    return {**context.flatten(), "tables": tuple(figure.tables(page.chosen)), "file": figure.file}
