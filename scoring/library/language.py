"""In which languages a model was trained, where it says so: a score in another one says little."""

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from django.utils.text import get_text_list
from django.utils.translation import get_language_info

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


def language_name(tag: str) -> str:
    """Its English name, or the tag itself where Django knows no name for it."""
    try:
        return str(get_language_info(tag.lower())["name"])
    except KeyError:
        return tag


def foreign(tag: str, models: Iterable[LanguageModel]) -> str:
    """Which models were trained on other languages than the items', countries aside; empty if none is known."""
    if not tag:
        return ""
    trained = {model.name: languages_of(model) for model in models if not model.is_baseline}
    other: dict[tuple[str, ...], list[str]] = {}
    for name, tags in trained.items():
        if tags and _bare(tag) not in map(_bare, tags):
            other.setdefault(tuple(sorted({language_name(one) for one in tags})), []).append(name)
    if not other:
        return ""
    clauses = [_trained(names, spoken, all_of=len(trained)) for spoken, names in other.items()]
    return f"The items are in {language_name(tag)}. {'; '.join(clauses)}, so their scores may say little."


def _trained(names: list[str], spoken: tuple[str, ...], *, all_of: int) -> str:
    who = "All models" if len(names) == all_of > 1 else get_text_list(names, "and")
    return f"{who} {'was' if len(names) == 1 else 'were'} trained on {get_text_list(list(spoken), 'and')}"


def _bare(tag: str) -> str:
    return tag.lower().partition("-")[0]


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
    tags = TAG.findall(head[at].removeprefix("language:"))
    for row in head[at + 1 :]:
        if not re.match(r"\s*-\s", row):
            break
        tags += TAG.findall(row)[:1]
    return tuple(tags)
