"""Stylesheets for files that stand alone, and the colors of the light theme: both from static/css."""

import re
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders


def stylesheet(name: str) -> str:
    path = finders.find(f"css/{name}")
    if path is None:
        raise FileNotFoundError(f"static/css/{name} is not where static files are looked for")
    return Path(path).read_text(encoding="utf-8")


@cache
def light_colors() -> dict[str, str]:
    """What tokens.css gives :root outside any media query."""
    first = re.search(r"^:root \{(.*?)^\}", stylesheet("tokens.css"), re.DOTALL | re.MULTILINE)
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", first[1])) if first else {}
