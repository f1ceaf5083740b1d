"""In which languages a model was trained, where it says so: a score in another one says little."""

import re
from itertools import islice
from pathlib import Path

from scoring.library.composed import composed_keys
from scoring.library.location import Location
from scoring.library.packaged import PACKAGED
from scoring.models import LanguageModel

# What arrives by package, and what is made of it, was trained on English text.
OF_PACKAGED = ("en",)
# The lines of a README.md between which it declares such things, as on the hub.
FENCE = "---"
LONGEST = 200
TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*")


def languages_of(model: LanguageModel) -> tuple[str, ...]:
    """Tags of the languages; empty where nobody says."""
    if model.key in {one.key for one in PACKAGED} or model.key in composed_keys():
        return OF_PACKAGED
    if model.location not in (Location.MODELS, Location.PATH):
        return ()
    try:
        with (Path(model.spec.source) / "README.md").open(encoding="utf-8") as lines:
            return declared(list(islice(lines, LONGEST)))
    except (OSError, UnicodeDecodeError):
        return ()


def declared(lines: list[str]) -> tuple[str, ...]:
    """What a model card's header says: one language, or a list of them.

    >>> declared(["---", "language: de", "license: mit", "---"]), declared(["---", "language:", "- en", "- fr", "---"])
    (('de',), ('en', 'fr'))
    >>> declared(["---", "language: [en, de]", "---"]), declared(["# A model", "language: de"])
    (('en', 'de'), ())
    """
    rows = [line.rstrip() for line in lines]
    if not rows or rows[0] != FENCE:
        return ()
    head = rows[1 : rows.index(FENCE, 1)] if FENCE in rows[1:] else []
    at = next((place for place, row in enumerate(head) if row.startswith("language:")), None)
    if at is None:
        return ()
    found = TAG.findall(head[at].removeprefix("language:"))
    for row in head[at + 1 :]:
        if not re.match(r"\s*-\s", row):
            break
        found += TAG.findall(row)[:1]
    return tuple(found)
