"""The sample study: written frames, in a fixed order, so that the same frames give the same file."""

from annotation.itemfile import ItemRow
from stimuli.constructions.agreement.grammar import Pair
from stimuli.constructions.agreement.items import content, pair_id, target
from stimuli.constructions.agreement.lexicon import ATTENTION, FRAMES, GOLD_FRAMES, PRACTICE_FRAMES


def items() -> list[ItemRow]:
    """60 targets, 6 gold, 4 attention and 2 practice items."""
    return [*(target(pair) for frame in FRAMES for pair in frame.pairs()), *checks()]


def checks() -> list[ItemRow]:
    """Gold, attention and practice items, made of other words than any target."""
    golds = [_check("gold", pair) for frame in GOLD_FRAMES for pair in frame.pairs()]
    attention = [
        ItemRow(f"attention-{number}", {"options": check.options()}, "attention", check.choose)
        for number, check in enumerate(ATTENTION, start=1)
    ]
    practice = [_check("practice", pair) for frame in PRACTICE_FRAMES for pair in frame.pairs()]
    return golds + attention + practice


def _check(kind: str, pair: Pair) -> ItemRow:
    return ItemRow(f"{kind}-{pair_id(pair)}", content(pair), kind, "grammatical")
