"""One line an item: people's labels beside every run's decision and strength."""

from collections.abc import Iterator
from itertools import repeat

import numpy as np

from annotation.models import Study
from comparison.exports.cells import cell_line, few_cells, number_cells, text_cells
from comparison.exports.items.block import Block, Column, Part, RunAnswers, Shared, read_block
from comparison.exports.items.outset import Outset, Side, read_outset
from comparison.figures.file import ORIGIN, File, Row, Written, number, origin
from comparison.frame.filters.selection import Selection
from comparison.statistics.aggregation import kinds, majority
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.distributions.divergence import among_people, from_people
from comparison.statistics.strengths.correlation import people_score

# Items whose labels and scores are read at once, however many there are in all.
BLOCK = 5_000


def items(study: Study, selection: Selection) -> Iterator[Row | Written]:
    """Target items that pass the selection's filters, in the order of the item file: each line as one text."""
    outset = read_outset(study, selection)
    yield _header(outset)
    head = ",".join(map(cell_line, origin(study)))
    for parts in _blocks(study, outset):
        yield from zip(map(",".join, zip(repeat(head), *(part.cells for part in parts), strict=False)), strict=True)


def item_rows(study: Study, selection: Selection) -> Iterator[Row]:
    """Target items that pass the selection's filters, in the order of the item file: each line as values."""
    outset = read_outset(study, selection)
    yield _header(outset)
    head = [repeat(cell) for cell in origin(study)]
    for parts in _blocks(study, outset):
        columns = [column for part in parts for column in part.columns]
        yield from map(list, zip(*head, *columns, strict=False))


def _blocks(study: Study, outset: Outset) -> Iterator[list[Part]]:
    """What the header names, from the item on, of some lines after others."""
    for begin in range(0, len(outset.keys), BLOCK):
        yield _parts_of(outset, read_block(study, outset, begin, begin + BLOCK))


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


def _parts_of(outset: Outset, block: Block) -> list[Part]:
    return [
        Column(block.items, text_cells),
        Column(block.groups, few_cells),
        Column(block.texts, text_cells),
        *([block.attributes] if outset.attributes else []),
        Column(outset.scale.named(block.truth), few_cells),
        *([Column(block.published, number_cells)] if outset.has_published else []),
        _of_people(outset, block),
        *(part for run, said in zip(outset.runs, block.said, strict=True) for part in _answers(outset, run, said)),
        Column(_numbers(_divergence(outset, block)), few_cells),
    ]


def _of_people(outset: Outset, block: Block) -> Shared:
    """What rests on an item's labels alone."""
    scale, counts = outset.scale, block.unlike
    columns = (
        *counts.T.tolist(),
        scale.named(majority(counts)),
        kinds(counts).tolist(),
        _numbers(people_score(counts, ordered=scale.ordered)),
        _numbers(among_people(counts)),
    )
    return Shared(block.tallies, dict(enumerate(zip(*columns, strict=True))))


def _answers(outset: Outset, run: Side, said: RunAnswers) -> list[Part]:
    own = [Column(said.strengths, number_cells), Column(said.unscored, few_cells)]
    if run.is_cut:
        return [Column([None] * len(said.labels), few_cells), *own, Column(outset.scale.named(said.codes), few_cells)]
    return [Column(said.labels, few_cells), *own]


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


ITEMS = File(
    key="items",
    title="Items",
    says="one row per item, with labels and every run’s answer",
    rows=items,
    is_shared=True,
    is_in_report=True,
)
