"""From a pair of sentences to a row of the item file."""

from typing import Any

from annotation.itemfile import ItemRow
from stimuli.constructions.agreement.grammar import Pair


def target(pair: Pair) -> ItemRow:
    attributes = {
        "phenomenon": pair.frame.phenomenon,
        "head": pair.head,
        "attractor": pair.attractor or "none",
        "attraction": pair.attraction,
    }
    return ItemRow(pair_id(pair), content(pair), "target", "grammatical", attributes, pair.frame.name)


def content(pair: Pair) -> dict[str, Any]:
    return {"options": {"grammatical": pair.grammatical, "ungrammatical": pair.ungrammatical}}


def pair_id(pair: Pair) -> str:
    return "-".join(filter(None, [pair.frame.name, pair.head, pair.attractor]))
