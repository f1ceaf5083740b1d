"""`{{ sentence|unbroken }}`: no line ends inside an estimate and its interval."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from comparison.page.unbroken import pieces

register = template.Library()

WHOLE = '<span class="unbroken">{}</span>'


@register.filter
def unbroken(text: object) -> SafeString:
    """Of whatever is written as text; what is no figure is escaped as ever."""
    found = ((format_html(WHOLE, piece) if is_figure else piece,) for piece, is_figure in pieces(str(text)))
    return format_html_join("", "{}", found)
