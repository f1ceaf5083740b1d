"""Whether a word fits the slot of a text (rule C3 of docs/metrics.md): without a model, by its tokenizer alone."""

from collections.abc import Callable
from dataclasses import dataclass

from annotation.tasktypes.contract import SLOT, Unscored


@dataclass(frozen=True, slots=True)
class Reading:
    """How a tokenizer reads: a text's ids, with start and end, and whether an id is white space and nothing else."""

    encode: Callable[[str], list[int]]
    is_space: Callable[[int], bool]
    mask: str
    mask_id: int
    unknown_id: int | None


def slot_of(reading: Reading, text: str) -> tuple[list[int], int] | Unscored:
    """The ids of the text with its slot masked, and the slot's place among them."""
    ids = reading.encode(text.replace(SLOT, reading.mask))
    places = [place for place, token in enumerate(ids) if token == reading.mask_id]
    return (ids, places[0]) if len(places) == 1 else Unscored(f"the text has {len(places)} slots instead of one")


def token_of(reading: Reading, text: str, candidate: str, ids: list[int], place: int) -> int | Unscored:
    """The candidate's one token. One that takes more has no rank, so the item is left unscored."""
    filled = reading.encode(text.replace(SLOT, candidate))
    count = len(filled) - len(ids) + 1
    if filled[:place] != ids[:place] and place > 0 and reading.is_space(ids[place - 1]):
        return Unscored("the model reads the space before its mask as a separate token, so no word fits the slot")
    if count != 1:
        return Unscored(f"{candidate!r} is {count} tokens for this model, but ranks need a single token")
    token = filled[place]
    if filled[:place] != ids[:place] or filled[place + 1 :] != ids[place + 1 :]:
        return Unscored(f"{candidate!r} changes how the model tokenizes the words around it")
    if token == reading.unknown_id:
        return Unscored(f"{candidate!r} is not in the model's vocabulary")
    return token
