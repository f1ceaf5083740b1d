"""Items: one or more variants of each entry, and the gold, attention and practice items of our own.

ADEPT has one item with a non-subsective adjective to four others (section 4.1). Left to chance a corpus of a few
million words gives a third of that, since few of its nouns are met with such an adjective and one variant of four is
drawn; so entries are taken for such a share.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.itemfile import ItemRow, read_items
from annotation.tasktypes.contract import TaskType
from corpus.errors import BuildError
from corpus.provenance import digest
from stimuli.constructions.adjectives.entries import Entry
from stimuli.constructions.adjectives.modifiers import CountedModifier
from stimuli.datasets.adept import HOW_TO_COMPARE
from stimuli.datasets.adjective_list import AdjectiveList, normalized

INSTRUCTIONS = f"""{HOW_TO_COMPARE}\
Read the sentences as one would tell a story: "a dog" is some dog. They were put together by a program, and some are \
clumsy; judge what they are meant to say. A few items ask for a certain answer; please give it.
"""
CHECKS = Path(__file__).with_name("checks.jsonl")


def target_rows(entries: Sequence[tuple[Entry, list[CountedModifier]]], adjectives: AdjectiveList) -> Iterator[ItemRow]:
    """The variants of each entry that are judged."""
    for entry, variants in entries:
        for modifier in variants:
            yield _row(entry, modifier, adjectives)


def check_rows(task: TaskType, *, gold: int, attention: int, seed: int) -> list[ItemRow]:
    """That many gold and attention items, drawn evenly from the references there are; all practice items."""
    rows = read_checks(task)
    drawn = _drawn([row for row in rows if row.kind == "gold"], gold, f"{seed}/gold")
    drawn += _drawn([row for row in rows if row.kind == "attention"], attention, f"{seed}/attention")
    return drawn + [row for row in rows if row.kind == "practice"]


def read_checks(task: TaskType) -> list[ItemRow]:
    """The checks that this folder carries. The one target in the file is an example, and stays there."""
    return [row for row in read_items(CHECKS, task) if row.kind != "target"]


def _drawn(rows: list[ItemRow], number: int, name: str) -> list[ItemRow]:
    """Reference after reference in turn, each in random order, so that no answer is the usual one."""
    if number > len(rows):
        raise BuildError(f"There are {len(rows)} {rows[0].kind} items, not {number}.")
    rng = random.Random(name)
    by_reference = [
        [row for row in rows if row.reference == value] for value in sorted({str(r.reference) for r in rows})
    ]
    for those in by_reference:
        rng.shuffle(those)
    depth = max(map(len, by_reference))
    in_turn = [those[level] for level in range(depth) for those in by_reference if level < len(those)]
    ids = {row.id for row in in_turn[:number]}
    return [row for row in rows if row.id in ids]


def _row(entry: Entry, modifier: CountedModifier, adjectives: AdjectiveList) -> ItemRow:
    sentence = entry.sentence
    group = f"{sentence.triple.head}-{digest(sentence.original)[:8]}"
    return ItemRow(
        id=f"{group}-{modifier.text.casefold()}",
        content={
            "original": sentence.original,
            "modified": sentence.modified(modifier.text),
            "modifier": modifier.text,
            "noun": sentence.noun,
        },
        attributes={
            "modifier": modifier.text.casefold(),
            "noun": sentence.triple.head,
            "modifier_class": adjectives.modifier_class(modifier.text),
            "relation": sentence.triple.relation,
            "source": sentence.built,
        },
        group=group,
    )


@dataclass(frozen=True, slots=True)
class TakenEntries:
    """The entries that were taken, in the order in which they were made, each with the variants that become items.

    `wanted` are the items with a non-subsective adjective that the share comes to, `could` the most that there were.
    """

    entries: list[tuple[Entry, list[CountedModifier]]]
    wanted: int
    could: int


def take(
    possible: Sequence[Entry], adjectives: AdjectiveList, *, entries: int, variants: int, share: float, seed: int
) -> TakenEntries:
    """At most so many entries; as many items with a non-subsective adjective as the share asks for, if there are.

    With a share of 0 all is left to chance, as the four modifiers of each entry were drawn.
    """
    rng = random.Random(f"{seed}/entries")
    size = min(entries, len(possible))
    marked = {place: _marked(entry, adjectives)[:variants] for place, entry in enumerate(possible)}
    could = sum(sorted((len(those) for those in marked.values()), reverse=True)[:size])
    target = round(share * size * variants)
    leading = _leading(marked, target, size, rng)
    others = [place for place in range(len(possible)) if place not in leading]
    places = sorted([*leading, *rng.sample(others, size - len(leading))])
    selected = []
    for place in places:
        entry = possible[place]
        rng_of_entry = random.Random(f"{seed}/variant/{entry.sentence.original}")
        if not share:
            selected.append((entry, rng_of_entry.sample(entry.variants, variants)))
        else:
            selected.append((entry, _variants(entry, adjectives, leading.get(place, 0), variants, rng_of_entry)))
    return TakenEntries(selected, target, could)


def _leading(marked: dict[int, list[CountedModifier]], target: int, size: int, rng: random.Random) -> dict[int, int]:
    """By place, how many of an entry's items have such an adjective: entries at random until there are enough."""
    candidates = [place for place, those in marked.items() if those]
    leading: dict[int, int] = {}
    for place in rng.sample(candidates, len(candidates)):
        remaining = target - sum(leading.values())
        if remaining <= 0 or len(leading) == size:
            break
        leading[place] = min(remaining, len(marked[place]))
    return leading


def _variants(
    entry: Entry, adjectives: AdjectiveList, leading: int, variants: int, rng: random.Random
) -> list[CountedModifier]:
    """So many with a non-subsective adjective, the rest without, as far as there are."""
    marked = _marked(entry, adjectives)
    plain = [one for one in entry.variants if one not in marked]
    first = rng.sample(marked, leading)
    then = rng.sample(plain, min(variants - leading, len(plain)))
    remaining = [one for one in marked if one not in first]
    return first + then + rng.sample(remaining, variants - len(first) - len(then))


def _marked(entry: Entry, adjectives: AdjectiveList) -> list[CountedModifier]:
    return [one for one in entry.variants if normalized(one.text) in adjectives.subclasses]
