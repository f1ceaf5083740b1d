"""Which tokens are masked for which metric, and which are read (docs/metrics.md, rules P1 to P7); and whether a word
fits the slot of a text (rule C3). By a tokenizer alone, without torch and without a model.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from annotation.tasktypes.contract import SLOT, Unscored


@dataclass(frozen=True, slots=True)
class Copy:
    """One row for the model: the tokens of a text with some masked, and the places that are read."""

    request: int
    ids: tuple[int, ...]
    reads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as a model sees it. `words` gives each token's word, None for the tokens that the tokenizer adds."""

    ids: tuple[int, ...]
    words: tuple[int | None, ...]

    @property
    def own(self) -> list[int]:
        """The places of the text's own tokens."""
        return [place for place, word in enumerate(self.words) if word is not None]

    def of_the_same_word(self, place: int) -> list[int]:
        """The places of the word's tokens. A word is a run: the same number further on is another text's."""
        first = last = place
        while first > 0 and self.words[first - 1] == self.words[place]:
            first -= 1
        while last + 1 < len(self.words) and self.words[last + 1] == self.words[place]:
            last += 1
        return list(range(first, last + 1))


def copies(metric: str, request: int, tokens: Tokens, *, read: Sequence[int], mask: int) -> Iterator[Copy]:
    """The masked copies of one text that the metric needs for the places in `read`."""
    if metric == "pll_whole_word":
        yield from _word_by_word(request, tokens, read, mask)
        return
    for place in read:
        if metric == "left_to_right":
            # What is cut off is what an attention mask would hide: nothing of it reaches the place that is read.
            yield Copy(request, (*tokens.ids[:place], mask), (place,))
            continue
        masked = [place]
        if metric == "pll_within_word_l2r":
            masked = [other for other in tokens.of_the_same_word(place) if other >= place]
        yield Copy(request, _masked(tokens.ids, masked, mask), (place,))


def _word_by_word(request: int, tokens: Tokens, read: Sequence[int], mask: int) -> Iterator[Copy]:
    """A word is masked whole, once, and all its tokens are read from that one copy."""
    covered: set[int] = set()
    for place in read:
        if place not in covered:
            word = tokens.of_the_same_word(place)
            covered.update(word)
            yield Copy(request, _masked(tokens.ids, word, mask), tuple(other for other in word if other in read))


def _masked(ids: Sequence[int], places: Sequence[int], mask: int) -> tuple[int, ...]:
    changed = list(ids)
    for place in places:
        changed[place] = mask
    return tuple(changed)


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
