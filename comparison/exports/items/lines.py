"""One line an item: people's labels beside every run's decision and strength."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from annotation.models import Study
from comparison.exports.items.block import Block, Said, read_block
from comparison.exports.items.outset import Outset, Side, read_outset
from comparison.exports.rows import ORIGIN, Row, number, origin
from comparison.frame.filters.selection import Selection
from comparison.statistics.aggregation.majority import kinds, majority
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.distributions.divergence import among_people, from_people
from comparison.statistics.strengths.correlation import people_score

# Items whose labels and scores are read at once, however many there are in all.
BLOCK = 2_000


def items(study: Study, selection: Selection) -> Iterator[Row]:
    """Target items that pass the selection's filters, in the order of the item file."""
    outset = read_outset(study, selection)
    yield _header(outset)
    head = [repeat(cell) for cell in origin(study)]
    for begin in range(0, len(outset.keys), BLOCK):
        block = read_block(study, outset, begin, begin + BLOCK)
        yield from map(list, zip(*head, *_columns(outset, block), strict=False))


def _header(outset: Outset) -> Row:
    return [
        *ORIGIN, "item", "group", "text", *(f"attribute:{name}" for name in outset.attributes), "reference",
        *(["published_strength"] if outset.has_published else []),
        *(f"labels:{value}" for value in outset.scale.values), "majority", "agreement", "people_score", "people_differ",
        *(f"{part}:{run.name}" for run in outset.runs for part in _parts(run)), "divergence",
    ]  # fmt: skip


def _parts(run: Side) -> list[str]:
    """Degrees by cut points have a column of their own: they are not the run's decisions."""
    return ["decision", "strength", "unscored", *(["degree_by_cuts"] if run.is_cut else [])]


def _columns(outset: Outset, block: Block) -> list[Sequence[Any]]:
    """What the header names, from the item on."""
    scale, counts = outset.scale, block.counts
    return [
        block.items,
        block.groups,
        block.texts,
        *([attributes.get(name, "") for attributes in block.attributes] for name in outset.attributes),
        scale.named(block.truth),
        *([block.published] if outset.has_published else []),
        *counts.T.tolist(),
        scale.named(majority(counts)),
        kinds(counts).tolist(),
        _numbers(people_score(counts, ordered=scale.ordered)),
        _numbers(among_people(counts)),
        *(column for run, said in zip(outset.runs, block.said, strict=True) for column in _answers(outset, run, said)),
        _numbers(_divergence(outset, block)),
    ]


def _answers(outset: Outset, run: Side, said: Said) -> list[Sequence[Any]]:
    own: list[Sequence[Any]] = [said.strengths, said.unscored]
    if run.is_cut:
        return [[None] * len(said.labels), *own, outset.scale.named(said.codes)]
    return [said.labels, *own]


def _divergence(outset: Outset, block: Block) -> Floats:
    """Each item's mean divergence of the compared runs from people's labels, or from references where all lack any."""
    codes = [said.codes for run, said in zip(outset.runs, block.said, strict=True) if run.pk in outset.compared]
    if not codes:
        return np.full(len(block.items), np.nan)
    return from_people(block.counts if outset.has_labels else _as_labels(outset, block.truth), np.column_stack(codes))


def _as_labels(outset: Outset, truth: Ints) -> Ints:
    return np.where(truth[:, None] == np.arange(len(outset.scale.values)), 1, 0)


def _numbers(column: Floats) -> Row:
    return [number(value) for value in column.tolist()]
