"""The share of items with a non-subsective adjective: which entries are taken for it, and which variant each gives.

ADEPT has one such item to four others (section 4.1). Left to chance a corpus of a few million words gives a third of
that, since few of its nouns are met with such an adjective and one variant of four is drawn.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from stimuli.constructions.adjectives.entries import Entry
from stimuli.constructions.adjectives.modifiers import Drawn
from stimuli.datasets.adjective_list import AdjectiveList, normalized


@dataclass(frozen=True, slots=True)
class Taken:
    """The entries that were taken, in the order in which they were made, each with the variants that become items.

    `wanted` are the items with a non-subsective adjective that the share comes to, `could` the most that there were.
    """

    entries: list[tuple[Entry, list[Drawn]]]
    wanted: int
    could: int


def take(
    possible: Sequence[Entry], adjectives: AdjectiveList, *, entries: int, variants: int, share: float, seed: int
) -> Taken:
    """At most so many entries; as many items with a non-subsective adjective as the share asks for, if there are.

    With a share of 0 all is left to chance, as the four modifiers of each entry were drawn.
    """
    rng = random.Random(f"{seed}/entries")
    size = min(entries, len(possible))
    marked = {place: _marked(entry, adjectives)[:variants] for place, entry in enumerate(possible)}
    could = sum(sorted((len(those) for those in marked.values()), reverse=True)[:size])
    wanted = round(share * size * variants)
    leading = _leading(marked, wanted, size, rng)
    others = [place for place in range(len(possible)) if place not in leading]
    places = sorted([*leading, *rng.sample(others, size - len(leading))])
    taken = []
    for place in places:
        entry = possible[place]
        rng_of_entry = random.Random(f"{seed}/variant/{entry.sentence.original}")
        if not share:
            taken.append((entry, rng_of_entry.sample(entry.variants, variants)))
        else:
            taken.append((entry, _variants(entry, adjectives, leading.get(place, 0), variants, rng_of_entry)))
    return Taken(taken, wanted, could)


def _leading(marked: dict[int, list[Drawn]], wanted: int, size: int, rng: random.Random) -> dict[int, int]:
    """By place, how many of an entry's items have such an adjective: entries at random until there are enough."""
    candidates = [place for place, those in marked.items() if those]
    leading: dict[int, int] = {}
    for place in rng.sample(candidates, len(candidates)):
        left = wanted - sum(leading.values())
        if left <= 0 or len(leading) == size:
            break
        leading[place] = min(left, len(marked[place]))
    return leading


def _variants(entry: Entry, adjectives: AdjectiveList, leading: int, variants: int, rng: random.Random) -> list[Drawn]:
    """So many with a non-subsective adjective, the rest without, as far as there are."""
    marked = _marked(entry, adjectives)
    plain = [one for one in entry.variants if one not in marked]
    first = rng.sample(marked, leading)
    then = rng.sample(plain, min(variants - leading, len(plain)))
    left = [one for one in marked if one not in first]
    return first + then + rng.sample(left, variants - len(first) - len(then))


def _marked(entry: Entry, adjectives: AdjectiveList) -> list[Drawn]:
    return [one for one in entry.variants if normalized(one.text) in adjectives.subclasses]
