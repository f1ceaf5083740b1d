"""The flow: a study's targets, with the labels that count, as a data set in a folder: Parquet and JSON lines."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.models import Assignment, Study
from comparison.dataset.card import MARK, DatasetCounts, DatasetOptions, card
from comparison.dataset.columns import (
    NUMBER,
    OF_LABELS,
    WHOLE,
    Column,
    ItemRead,
    Outset,
    read_items,
    read_outset,
    targets,
    unit_of,
)
from comparison.dataset.parting import PARTS
from comparison.frame.cache.gathered import read_one

TYPES = {WHOLE: pa.int32(), NUMBER: pa.float64()}

Row = dict[str, Any]
CARD, ITEMS, LABELS = "README.md", "items", "labels"
MARKED = re.compile(rf"^{MARK.format(slug='(?P<slug>[-a-z0-9]+)')}$", re.MULTILINE)
# Items whose rows and labels are held at once, however many there are in all.
BLOCK = 2_000


class Configuration:
    """A folder with `PART.parquet` and `PART.jsonl` for every part that holds a row; `rows` counts them."""

    def __init__(self, folder: Path, columns: Sequence[Column]) -> None:
        self._folder = folder
        self._schema = pa.schema([(column.name, TYPES.get(column.kind, pa.string())) for column in columns])
        self._open = ExitStack()
        self._files: dict[str, tuple[Any, Any]] = {}
        self.rows: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._folder.mkdir()
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def write(self, part: str, rows: Sequence[dict[str, Any]]) -> None:
        if not rows:
            return
        if part not in self._files:
            self._files[part] = self._begun(part)
        table, lines = self._files[part]
        table.write_batch(pa.RecordBatch.from_pylist(list(rows), schema=self._schema))
        lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        self.rows[part] = self.rows.get(part, 0) + len(rows)

    def _begun(self, part: str) -> tuple[Any, Any]:
        table = pq.ParquetWriter(self._folder / f"{part}.parquet", self._schema, compression="zstd")
        lines = (self._folder / f"{part}.jsonl").open("w", encoding="utf-8", newline="\n")
        return self._open.enter_context(table), self._open.enter_context(lines)


class Labels:
    """Annotators are numbered from 1 in the order in which their labels are read: neither an id nor when they came."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._numbers: dict[int, int] = {}

    @property
    def annotators(self) -> int:
        """How many have been met."""
        return len(self._numbers)

    def of(self, items: Sequence[str]) -> dict[str, list[Row]]:
        """The labels that count of these items, by item."""
        counted = Assignment.objects.filter(
            item__study=self._study, item__external_id__in=items, state=Assignment.State.COUNTED
        ).order_by("item__position", "annotator_id")
        by_item: dict[str, list[Row]] = defaultdict(list)
        for item, who, label in counted.values_list("item__external_id", "annotator_id", "judgment__answer"):
            number = self._numbers.setdefault(who, len(self._numbers) + 1)
            population = str(self._study.population)
            by_item[item].append({"item": item, "annotator": number, "label": label, "population": population})
        return by_item


class CannotExport(ValueError):
    """A study without a target, or whose data changed meanwhile. str() says which."""


def make(study: Study, folder: Path, options: DatasetOptions) -> DatasetCounts:
    """Everything, into an empty folder. The same data and options give the same rows in the same parts."""
    before = read_one(study)
    if not before.items:
        raise CannotExport(f"{study.slug} has no target items, so there is no data set.")
    outset = read_outset(study, shares=options.shares, seed=options.seed)
    written = _write(study, folder, outset)
    if read_one(study).version != before.version:
        raise CannotExport(f"Labels of {study.slug} changed while its data set was being written. Write it again.")
    (folder / CARD).write_text(card(study, outset, written, options), encoding="utf-8", newline="\n")
    return written


def study_in(folder: Path) -> str:
    """The slug of the study whose data set it is; empty where it was not made here."""
    try:
        match = MARKED.search((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return match["slug"] if match else ""


def _write(study: Study, folder: Path, outset: Outset) -> DatasetCounts:
    labels, shares = Labels(study), Counter[tuple[str, str | None]]()
    with (
        Configuration(folder / ITEMS, outset.columns.of_items) as items,
        Configuration(folder / LABELS, OF_LABELS) as label_file,
    ):
        for block in _blocks(read_items(targets(study).order_by("position"))):
            by_item = labels.of([item.id for item in block])
            for part in PARTS:
                mine = [item for item in block if outset.parting.part_of(unit_of(item)) == part]
                items.write(part, [outset.columns.row(item) for item in mine])
                label_file.write(part, [row for item in mine for row in by_item.get(item.id, ())])
                shares.update((part, item.label) for item in mine)
    return DatasetCounts(items.rows, label_file.rows, shares, labels.annotators)


def _blocks(items: Iterable[ItemRead]) -> Iterator[list[ItemRead]]:
    waiting = iter(items)
    while block := list(islice(waiting, BLOCK)):
        yield block
