"""A chart in its page: `{% drawing page "accuracy" %}` writes what `page.drawings` has under this name."""

from collections.abc import Mapping
from typing import Protocol

from django import template
from django.utils.safestring import SafeString, mark_safe

from comparison.pictures.engine import Drawing

register = template.Library()


class Drawn(Protocol):
    @property
    def drawings(self) -> Mapping[str, Drawing]: ...


@register.simple_tag
def drawing(page: Drawn, name: str) -> SafeString:
    found = page.drawings[name]
    # Every element in it was written by drawing/trimmed.py, which escapes what it is given.
    return mark_safe(found.wide + found.narrow)  # noqa: S308
