"""From the frames to item rows, in a fixed order: the same frames give the same file."""

from annotation.itemfile import ItemRow
from stimuli.agreement.grammar import Pair
from stimuli.agreement.lexicon import ATTENTION, FRAMES, GOLD_FRAMES, PRACTICE_FRAMES


def items() -> list[ItemRow]:
    """60 targets, 6 gold, 4 attention and 2 practice items."""
    targets = [_target(pair) for frame in FRAMES for pair in frame.pairs()]
    golds = [_check("gold", pair) for frame in GOLD_FRAMES for pair in frame.pairs()]
    attention = [
        ItemRow(f"attention-{number}", {"options": check.options()}, "attention", check.choose)
        for number, check in enumerate(ATTENTION, start=1)
    ]
    practice = [_check("practice", pair) for frame in PRACTICE_FRAMES for pair in frame.pairs()]
    return targets + golds + attention + practice


def _target(pair: Pair) -> ItemRow:
    attributes = {
        "phenomenon": pair.frame.phenomenon,
        "head": pair.head,
        "attractor": pair.attractor or "none",
        "attraction": pair.attraction,
    }
    return ItemRow(_id(pair), _content(pair), "target", "grammatical", attributes, pair.frame.name)


def _check(kind: str, pair: Pair) -> ItemRow:
    return ItemRow(f"{kind}-{_id(pair)}", _content(pair), kind, "grammatical")


def _content(pair: Pair) -> dict[str, dict[str, str]]:
    return {"options": {"grammatical": pair.grammatical, "ungrammatical": pair.ungrammatical}}


def _id(pair: Pair) -> str:
    return "-".join(filter(None, [pair.frame.name, pair.head, pair.attractor]))
