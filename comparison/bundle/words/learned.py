"""What a model that was made here learned from: the facts of its card, as `card.json` beside its weights has them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from scoring.library.cards import card_of
from scoring.models import LanguageModel

# Hundreds of numbers, which are in the card and drawn on the page of trainings.
CURVES = ("curve", "curves")


def learned_from(model: LanguageModel) -> list[tuple[str, str]]:
    """Names and values: data and their parts, encoder, settings, and what it reached on the held-out part."""
    return list(_facts(card_of(model)))


def _facts(found: Mapping[str, Any], inside: str = "") -> Iterator[tuple[str, str]]:
    for name, value in found.items():
        if name in CURVES:
            continue
        # Names of files stay as they are.
        words = inside + (name if "." in name else name.replace("_", " "))
        if isinstance(value, Mapping) and value and not inside:
            yield from _facts(value, f"{words}: ")
        elif isinstance(value, str) and PurePath(value).is_absolute():
            # Where a folder lies is the machine's affair.
            yield words, PurePath(value).name
        else:
            yield words, told(value)


def told(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
