"""Slugs: the names that studies, stores and models have in addresses and on the command line."""

import re
from pathlib import Path

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST = 80


def is_slug(text: str, *, longest: int = LONGEST) -> bool:
    """Whether it is lower-case letters, digits and single hyphens, and not too long."""
    return len(text) <= longest and SLUG.fullmatch(text) is not None


def slug_of(path: Path, *, prefix: str = "") -> str:
    """A slug from a file's name; empty if neither the name nor the prefix has a letter or a digit for it.

    >>> slug_of(Path("Dev Set_2.jsonl"), prefix="boolq")
    'boolq-dev-set-2'
    """
    name = re.sub("[^a-z0-9]+", "-", f"{prefix}-{path.stem.lower()}")
    return name.strip("-")[:LONGEST].strip("-")
