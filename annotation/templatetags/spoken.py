"""In which language, and which direction, a researcher's words are: `<div{{ study|texts_lang }}>`."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from annotation.languages import direction
from annotation.models import Study

register = template.Library()


# Of what is judged: a browser that translates the page would have people judge other words.
AS_WRITTEN = SafeString(' translate="no"')


def spoken(tag: str) -> SafeString:
    """The attributes of an element in this language, with its direction; none where the page is in it anyway."""
    if not tag:
        return SafeString(' dir="auto"')
    return SafeString("") if tag == get_language() else format_html(' lang="{}" dir="{}"', tag, direction(tag))


@register.filter
def texts_lang(study: Study) -> SafeString:
    """Of all that the study says itself: title, instructions, questions."""
    return spoken(study.text_language or study.stimulus_language)
