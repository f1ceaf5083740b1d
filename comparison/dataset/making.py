"""The flow: a study's targets, with the labels that count, as a data set in a folder."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from annotation.models import Study
from comparison.dataset.asked import Asked, Written
from comparison.dataset.card import MARK, card
from comparison.dataset.columns import OF_LABELS, ItemRead
from comparison.dataset.labels import Labels
from comparison.dataset.outset import Outset, read_items, read_outset, targets, unit_of
from comparison.dataset.parting import PARTS
from comparison.dataset.writing import Configuration
from comparison.frame.kept.gathered import read_one

CARD, ITEMS, LABELS = "README.md", "items", "labels"
MARKED = re.compile(rf"^{MARK.format(slug='(?P<slug>[-a-z0-9]+)')}$", re.MULTILINE)
# Items whose rows and labels are held at once, however many there are in all.
BLOCK = 2_000


class CannotExport(ValueError):
    """A study without a target, or whose data changed meanwhile. str() says which."""


def make(study: Study, folder: Path, asked: Asked) -> Written:
    """Everything, into an empty folder. The same data and options give the same rows in the same parts."""
    before = read_one(study)
    if not before.items:
        raise CannotExport(f"{study.slug} has no target items, so there is no data set.")
    outset = read_outset(study, shares=asked.shares, seed=asked.seed)
    written = _write(study, folder, outset)
    if read_one(study).version != before.version:
        raise CannotExport(f"Labels of {study.slug} changed while its data set was written. Write it again.")
    (folder / CARD).write_text(card(study, outset, written, asked), encoding="utf-8", newline="\n")
    return written


def study_in(folder: Path) -> str:
    """The slug of the study whose data set it is; empty where it was not made here."""
    try:
        found = MARKED.search((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return found["slug"] if found else ""


def _write(study: Study, folder: Path, outset: Outset) -> Written:
    labels, shares = Labels(study), Counter[tuple[str, str | None]]()
    with (
        Configuration(folder / ITEMS, outset.columns.of_items) as items,
        Configuration(folder / LABELS, OF_LABELS) as given,
    ):
        for block in _blocks(read_items(targets(study).order_by("position"))):
            said = labels.of([item.id for item in block])
            for part in PARTS:
                mine = [item for item in block if outset.parting.part_of(unit_of(item)) == part]
                items.write(part, [outset.columns.row(item) for item in mine])
                given.write(part, [row for item in mine for row in said.get(item.id, ())])
                shares.update((part, item.label) for item in mine)
    return Written(items.rows, given.rows, shares, labels.annotators)


def _blocks(items: Iterable[ItemRead]) -> Iterator[list[ItemRead]]:
    waiting = iter(items)
    while block := list(islice(waiting, BLOCK)):
        yield block
