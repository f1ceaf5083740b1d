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


def chips(request: Selection, selection: Selection, outline: Outline) -> Iterator[Chip]:
    """`request` is the address, `selection` the same with the page's own choices."""

    def without(words: str, **changes: Any) -> Chip:
        return Chip(words, replace(request, page=1).query(**changes))

    def word(value: str) -> str:
        return "no label" if value == NOTHING else outline.words[value]

    texts = {
        "classes": request.coarse and f"{len(outline.values)} classes",
        "agreement": request.agreement and f"Agreement: {request.agreement}",
        "within": request.within and f"{request.by}: {request.within}",
        "people": request.people and _begun(PEOPLE[request.people]),
        "q": request.q and f"Contains “{request.q}”",
        "true": request.true and f"{TRUTHS[selection.against]}: {word(request.true)}",
        "given": request.given and f"{_model(outline, selection.run)}: {word(request.given)}",
        "right": request.right and f"{_model(outline, selection.run)} is {request.right}",
        "models": request.models and f"All models {request.models}",
        "beside_right": request.beside_right and f"{_model(outline, selection.beside)} is {request.beside_right}",
    }
    yield from (without(words, **{name: ""}) for name, words in texts.items() if words)
    for pair in request.where:
        remaining = tuple(one for one in request.where if one != pair)
        yield Chip(f"{pair[0]}: {pair[1] or 'empty'}", replace(request, page=1).query(where=remaining))
    for one in request.ranges:
        yield without(_begun(one.words()), **{f"{one.name}_min": "", f"{one.name}_max": ""})


def _begun(words: str) -> str:
    """As a chip begins; names of models and attributes stay as they are given."""
    words = words.removeprefix("the ")
    return f"{words[:1].upper()}{words[1:]}"


def _model(outline: Outline, key: str) -> str:
    run = outline.run(key)
    return run.short if run else ""
