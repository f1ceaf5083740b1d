"""A few thousand items with their labels, and what every run says of them, straight from the database."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from annotation.models import Item, Study
from comparison.exports.cells import cell, quoted
from comparison.exports.columns import fetched, read_all, text_of
from comparison.exports.items.outset import Outset, Side
from comparison.figures.file import Row
from comparison.statistics.counts import Ints
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
        found = {key: ",".join(quoted(cell(value)) for value in own) for key, own in self.values.items()}
        return list(map(found.__getitem__, self.keys))


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
    found = {row[0]: row for row in fetched(rows)}
    there = [place for place, key in enumerate(keys, begin) if key in found]
    lines = [found[key] for key in keys if key in found]
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
        said=[_said(outset, run, list(pks), there) for run in outset.runs],
    )


def _attributes(texts: Sequence[str], names: Sequence[str]) -> dict[Hashable, Row]:
    """Most items share theirs with others: each is read once."""
    read = read_all(texts)
    return {text: [str(one.get(name, "")) for name in names] for text, one in zip(texts, read, strict=True)}


def _said(outset: Outset, run: Side, pks: Sequence[int], places: Sequence[int]) -> RunAnswers:
    rows = Score.objects.filter(run=run.pk, **_within("item_id", pks)).order_by("item_id")
    found = fetched(rows.values_list("item_id", "decision", "strength", "unscored"))
    if list(map(KEY, found)) != pks:
        # Some are not scored, others lie between them, or the file has another order than the database.
        of = {row[0]: row for row in found}
        found = [of.get(key, NOTHING) for key in pks]
    labels = list(map(DECISION, found))
    codes = outset.scale.codes(labels) if run.degrees is None else run.degrees[places]
    if run.degrees is None and not outset.is_whole_scale:
        labels = outset.scale.named(codes)
    return RunAnswers(labels, list(map(STRENGTH, found)), list(map(UNSCORED, found)), codes)


def _within(field: str, keys: Sequence[int]) -> dict[str, Any]:
    """What asks for the rows of these keys, and perhaps for more that lie between."""
    if not keys:
        return {f"{field}__in": ()}
    least, most = min(keys), max(keys)
    if most - least < DENSE * len(keys):
        return {f"{field}__gte": least, f"{field}__lte": most}
    return {f"{field}__in": keys}
