"""`{{ sentence|unbroken }}`: no line ends inside an estimate and its interval."""

from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from comparison.page.unbroken import pieces

register = template.Library()

WHOLE = '<span class="unbroken">{}</span>'


@register.filter
def unbroken(text: object) -> SafeString:
    """Of whatever is written as text; what is no figure is escaped as ever."""
    found = ((escape(piece), is_figure) for piece, is_figure in pieces(str(text)))
    # Every piece is escaped above, once: format_html would look at each three times, and a page has a thousand.
    return mark_safe("".join(WHOLE.format(piece) if is_figure else piece for piece, is_figure in found))  # noqa: S308
