"""A few thousand items with their labels, and what every run says of them, straight from the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Item, Study
from comparison.exports.columns import read_all, text_of
from comparison.exports.items.outset import Outset, Side
from comparison.statistics.counts import Ints
from scoring.models import Score

COLUMNS = (
    "pk", "external_id", "group", "reference", "reference_strength", text_of("content"), text_of("attributes"),
    text_of("tally"),
)  # fmt: skip
# A range of keys is read four times as fast as a list of them, and what else lies in the range costs as much.
DENSE = 4
NOTHING = (None, None, None, "")


@dataclass(frozen=True, slots=True)
class Said:
    """What a run says: labels as they are shown, strengths and reasons; `codes` are the labels' or the degrees'."""

    labels: Sequence[str | None]
    strengths: Sequence[float | None]
    unscored: Sequence[str]
    codes: Ints


@dataclass(frozen=True, slots=True)
class Block:
    """A column each; `said` has one of each run of the outset."""

    items: Sequence[str]
    groups: Sequence[str]
    texts: Sequence[str]
    attributes: Sequence[Mapping[str, str]]
    truth: Ints
    published: Sequence[float | None]
    counts: Ints
    said: list[Said]


def read_block(study: Study, outset: Outset, begin: int, end: int) -> Block:
    """The items from one place of the outset to another; none that is gone since."""
    keys = outset.keys[begin:end].tolist()
    rows = study.items.filter(kind=Item.Kind.TARGET, **_within("pk", keys)).order_by().values_list(*COLUMNS)
    found = {row[0]: row for row in rows}
    there = [place for place, key in enumerate(keys, begin) if key in found]
    lines = [found[key] for key in keys if key in found]
    pks, items, groups, references, published, contents, attributes, tallies = (
        zip(*lines, strict=True) if lines else ((),) * len(COLUMNS)
    )
    text = study.task.text
    return Block(
        items=items,
        groups=groups,
        texts=[text(content) for content in read_all(contents)],
        attributes=_attributes(attributes),
        truth=outset.scale.codes(references),
        published=published,
        counts=outset.scale.counts(tallies),
        said=[_said(outset, run, list(pks), there) for run in outset.runs],
    )


def _attributes(texts: Sequence[str]) -> list[Mapping[str, str]]:
    """Most items share theirs with others: each is read once."""
    every = list(dict.fromkeys(texts))
    read = ({name: str(value) for name, value in one.items()} for one in read_all(every))
    found = dict(zip(every, read, strict=True))
    return [found[text] for text in texts]


def _said(outset: Outset, run: Side, pks: Sequence[int], places: Sequence[int]) -> Said:
    rows = Score.objects.filter(run=run.pk, **_within("item_id", pks)).order_by("item_id")
    found: list[tuple[Any, ...]] = list(rows.values_list("item_id", "decision", "strength", "unscored"))
    if [row[0] for row in found] != pks:
        # Some are not scored, others lie between them, or the file has another order than the database.
        of = {row[0]: row for row in found}
        found = [of.get(key, NOTHING) for key in pks]
    labels = [row[1] for row in found]
    codes = outset.scale.codes(labels) if run.degrees is None else run.degrees[places]
    if run.degrees is None and not outset.is_whole_scale:
        labels = outset.scale.named(codes)
    return Said(labels, [row[2] for row in found], [row[3] for row in found], codes)


def _within(field: str, keys: Sequence[int]) -> dict[str, Any]:
    """What asks for the rows of these keys, and perhaps for more that lie between."""
    if not keys:
        return {f"{field}__in": ()}
    least, most = min(keys), max(keys)
    if most - least < DENSE * len(keys):
        return {f"{field}__gte": least, f"{field}__lte": most}
    return {f"{field}__in": keys}
