"""Drawing sets of words for each construction, and making items of them in every combination of numbers."""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.itemfile import ItemRow
from corpus.errors import BuildError
from stimuli.constructions.agreement.constructions import Construction
from stimuli.constructions.agreement.items import target
from stimuli.constructions.agreement.polarity import Licensing, LicensingPair


def generate(constructions: Sequence[Construction], *, per_cell: int, seed: int) -> list[ItemRow]:
    """`per_cell` items for each combination of numbers of each construction; BuildError where words run out."""
    rows: list[ItemRow] = []
    for construction in constructions:
        drawn = 0
        for drawn, chosen in enumerate(_drawn(construction, per_cell, seed), start=1):
            rows += _rows(construction, f"{construction.key}-{drawn}", chosen)
        if drawn < per_cell:
            raise BuildError(f"{construction.key} has words for {drawn} items a cell, not for {per_cell}.")
    return rows


def _drawn(construction: Construction, count: int, seed: int) -> Iterator[Mapping[str, Any]]:
    """Different sets of words, none with a word twice; the first `count` in an order that follows from the seed."""
    places = list(construction.choices)
    sizes = [len(construction.choices[place]) for place in places]
    # One set of words for each number below the product; the numbers are shuffled without being listed.
    order = random.Random(f"{seed}/{construction.key}").sample(range(math.prod(sizes)), math.prod(sizes))
    found = 0
    for number in order:
        if found == count:
            return
        chosen = {}
        for place, size in zip(places, sizes, strict=True):
            number, at = divmod(number, size)
            chosen[place] = construction.choices[place][at]
        if not _repeats(chosen):
            found += 1
            yield chosen


def _repeats(chosen: Mapping[str, Any]) -> bool:
    return bool(chosen["head"] == chosen.get("attractor"))


def _rows(construction: Construction, name: str, chosen: Mapping[str, Any]) -> list[ItemRow]:
    made = construction.make(name, construction.phenomenon, chosen)
    if isinstance(made, Licensing):
        rows = [_licensing_row(made, pair) for pair in made.pairs()]
    else:
        rows = [target(pair) for pair in made.pairs()]
    return [_described(row, construction) for row in rows]


def _licensing_row(made: Licensing, pair: LicensingPair) -> ItemRow:
    where = {True: "misplaced", False: "absent"}[pair.misplaced] if pair.attractor else None
    attributes = {
        "phenomenon": made.phenomenon,
        "head": pair.head,
        "attractor": pair.attractor or "none",
        "attraction": pair.attraction,
    }
    content = {"options": {"grammatical": pair.grammatical, "ungrammatical": pair.ungrammatical}}
    name = "-".join(filter(None, [made.name, pair.head, pair.attractor, where]))
    return ItemRow(name, content, "target", "grammatical", attributes, made.name)


def _described(row: ItemRow, construction: Construction) -> ItemRow:
    length = len(row.content["options"]["grammatical"].split())
    attributes = {"family": construction.family, **row.attributes, "words": str(length)}
    return ItemRow(row.id, row.content, row.kind, row.reference, attributes, row.group)
