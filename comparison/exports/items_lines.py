"""One line an item: people's labels beside every run's decision and strength."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter
from typing import Any

import numpy as np

from annotation.models import Item, Study
from comparison.exports.cells import (
    cell,
    cell_line,
    fetched,
    few_cells,
    number_cells,
    quoted,
    read_all,
    text_cells,
    text_of,
)
from comparison.exports.items_outset import Outset, Side, read_outset
from comparison.figures.file import ORIGIN, File, Row, Written, number, origin
from comparison.frame.filters.selection import Selection
from comparison.statistics.aggregation import kinds, majority
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.divergence import among_people, from_people
from comparison.statistics.strengths.correlation import people_score
from scoring.models import Score


@dataclass(frozen=True, slots=True)
class Column:
    """A value for each line, and how such values are written: `text_cells`, `number_cells` or `few_cells`."""

    values: Sequence[Any]
    write: Callable[[Sequence[Any]], list[str]]

    @property
    def columns(self) -> list[Sequence[Any]]:
        return [self.values]

    @property
    def cells(self) -> list[str]:
        return self.write(self.values)


@dataclass(frozen=True, slots=True)
class Shared:
    """Columns that depend on few things: of each line a key, and the values that lines of this key have."""

    keys: Sequence[Hashable]
    values: Mapping[Hashable, Sequence[Any]]

    @property
    def columns(self) -> list[Sequence[Any]]:
        return list(zip(*map(self.values.__getitem__, self.keys), strict=True))

    @property
    def cells(self) -> list[str]:
        """Of each line, those of all these columns in one text."""
        texts = {key: ",".join(quoted(cell(value)) for value in own) for key, own in self.values.items()}
        return list(map(texts.__getitem__, self.keys))


Part = Column | Shared


COLUMNS = (
    "pk", "external_id", "group", "reference", "reference_strength", text_of("content"), text_of("attributes"),
    text_of("tally"),
)  # fmt: skip
# A range of keys is read four times as fast as a list of them, and what else lies in the range costs as much.
DENSE = 4
NOTHING = (None, None, None, "")
KEY, DECISION, STRENGTH, UNSCORED = map(itemgetter, range(4))


@dataclass(frozen=True, slots=True)
class RunAnswers:
    """What a run says: labels as they are shown, strengths and reasons; `codes` are the labels' or the degrees'."""

    labels: Sequence[str | None]
    strengths: Sequence[float | None]
    unscored: Sequence[str]
    codes: Ints


@dataclass(frozen=True, slots=True)
class Block:
    """A column each; `said` has one of each run of the outset. `unlike` are the counts of labels that there are, of
    which each item has the one that `tallies` says."""

    items: Sequence[str]
    groups: Sequence[str]
    texts: Sequence[str]
    attributes: Shared
    truth: Ints
    published: Sequence[float | None]
    tallies: Sequence[int]
    unlike: Ints
    said: list[RunAnswers]

    @property
    def counts(self) -> Ints:
        """How many labels of each value each item has."""
        return np.asarray(self.unlike[np.asarray(self.tallies, dtype=np.int64)])


def read_block(study: Study, outset: Outset, begin: int, end: int) -> Block:
    """The items from one place of the outset to another; none that is gone since."""
    keys = outset.keys[begin:end].tolist()
    rows = study.items.filter(kind=Item.Kind.TARGET, **_within("pk", keys)).order_by().values_list(*COLUMNS)
    by_key = {row[0]: row for row in fetched(rows)}
    present = [place for place, key in enumerate(keys, begin) if key in by_key]
    lines = [by_key[key] for key in keys if key in by_key]
    pks, items, groups, references, published, contents, attributes, tallies = (
        zip(*lines, strict=True) if lines else ((),) * len(COLUMNS)
    )
    text = study.task.text
    places = {tally: place for place, tally in enumerate(dict.fromkeys(tallies))}
    return Block(
        items=items,
        groups=groups,
        texts=[text(content) for content in read_all(contents)],
        attributes=Shared(attributes, _attributes(list(dict.fromkeys(attributes)), outset.attributes)),
        truth=outset.scale.codes(references),
        published=published,
        tallies=list(map(places.__getitem__, tallies)),
        unlike=outset.scale.counts(list(places)),
        said=[_said(outset, run, list(pks), present) for run in outset.runs],
    )


def _attributes(texts: Sequence[str], names: Sequence[str]) -> dict[Hashable, Row]:
    """Most items share theirs with others: each is read once."""
    read = read_all(texts)
    return {text: [str(one.get(name, "")) for name in names] for text, one in zip(texts, read, strict=True)}


def _said(outset: Outset, run: Side, pks: Sequence[int], places: Sequence[int]) -> RunAnswers:
    rows = Score.objects.filter(run=run.pk, **_within("item_id", pks)).order_by("item_id")
    scores = fetched(rows.values_list("item_id", "decision", "strength", "unscored"))
    if list(map(KEY, scores)) != pks:
        # Some are not scored, others lie between them, or the file has another order than the database.
        of = {row[0]: row for row in scores}
        scores = [of.get(key, NOTHING) for key in pks]
    labels = list(map(DECISION, scores))
    codes = outset.scale.codes(labels) if run.degrees is None else run.degrees[places]
    if run.degrees is None and not outset.is_whole_scale:
        labels = outset.scale.named(codes)
    return RunAnswers(labels, list(map(STRENGTH, scores)), list(map(UNSCORED, scores)), codes)


def _within(field: str, keys: Sequence[int]) -> dict[str, Any]:
    """What asks for the rows of these keys, and perhaps for more that lie between."""
    if not keys:
        return {f"{field}__in": ()}
    least, most = min(keys), max(keys)
    if most - least < DENSE * len(keys):
        return {f"{field}__gte": least, f"{field}__lte": most}
    return {f"{field}__in": keys}


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
        *(
            part
            for run, answers in zip(outset.runs, block.said, strict=True)
            for part in _answers(outset, run, answers)
        ),
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


def _answers(outset: Outset, run: Side, answers: RunAnswers) -> list[Part]:
    own = [Column(answers.strengths, number_cells), Column(answers.unscored, few_cells)]
    if run.is_cut:
        return [
            Column([None] * len(answers.labels), few_cells),
            *own,
            Column(outset.scale.named(answers.codes), few_cells),
        ]
    return [Column(answers.labels, few_cells), *own]


def _divergence(outset: Outset, block: Block) -> Floats:
    """Each item's mean divergence of the compared runs from people's labels, or from references where all lack any."""
    codes = [answers.codes for run, answers in zip(outset.runs, block.said, strict=True) if run.pk in outset.compared]
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
    line="a target item",
    rows=items,
    is_shared=True,
    is_in_report=True,
)
