"""The filters that are set, each as a chip that can be taken off."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from comparison.frame.filters.selection import NOTHING, PEOPLE, Selection
from comparison.frame.outline import Outline

TRUTHS = {"majority": "Majority label", "reference": "Reference"}


@dataclass(frozen=True, slots=True)
class Chip:
    """`query` is the address without it."""

    words: str
    query: str


def chips(asked: Selection, shown: Selection, found: Outline) -> Iterator[Chip]:
    """`asked` is the address, `shown` the same with the page's own choices."""

    def without(words: str, **changes: Any) -> Chip:
        return Chip(words, replace(asked, page=1).query(**changes))

    def word(value: str) -> str:
        return "no label" if value == NOTHING else found.words[value]

    said = {
        "classes": asked.coarse and f"{len(found.values)} classes",
        "agreement": asked.agreement and f"Agreement: {asked.agreement}",
        "within": asked.within and f"{asked.by}: {asked.within}",
        "people": asked.people and _begun(PEOPLE[asked.people]),
        "q": asked.q and f"Contains “{asked.q}”",
        "true": asked.true and f"{TRUTHS[shown.against]}: {word(asked.true)}",
        "given": asked.given and f"{_model(found, shown.run)}: {word(asked.given)}",
        "right": asked.right and f"{_model(found, shown.run)} is {asked.right}",
        "models": asked.models and f"All models {asked.models}",
        "beside_right": asked.beside_right and f"{_model(found, shown.beside)} is {asked.beside_right}",
    }
    yield from (without(words, **{name: ""}) for name, words in said.items() if words)
    for pair in asked.where:
        kept = tuple(one for one in asked.where if one != pair)
        yield Chip(f"{pair[0]}: {pair[1] or 'empty'}", replace(asked, page=1).query(where=kept))
    for one in asked.ranges:
        yield without(_begun(one.words()), **{f"{one.name}_min": "", f"{one.name}_max": ""})


def _begun(words: str) -> str:
    """As a chip begins; names of models and attributes stay as they are given."""
    words = words.removeprefix("the ")
    return f"{words[:1].upper()}{words[1:]}"


def _model(found: Outline, key: str) -> str:
    run = found.run(key)
    return run.short if run else ""
