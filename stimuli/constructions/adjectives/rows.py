"""Items: one or more variants of each entry, and the gold, attention and practice items of our own."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from annotation.itemfile import ItemRow, read_items
from annotation.tasktypes.contract import TaskType
from corpus.errors import BuildError
from corpus.provenance import digest
from stimuli.constructions.adjectives.entries import Entry
from stimuli.constructions.adjectives.modifiers import Drawn
from stimuli.datasets.adjective_list import AdjectiveList

CHECKS = Path(__file__).with_name("checks.jsonl")


def target_rows(entries: Sequence[tuple[Entry, list[Drawn]]], adjectives: AdjectiveList) -> Iterator[ItemRow]:
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
    taken = {row.id for row in in_turn[:number]}
    return [row for row in rows if row.id in taken]


def _row(entry: Entry, modifier: Drawn, adjectives: AdjectiveList) -> ItemRow:
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
