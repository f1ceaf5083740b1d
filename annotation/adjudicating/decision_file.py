"""Decisions as CSV: `item`, `decision` and, where there is one, `note`. A file with any fault is refused with all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from accounts.models import User
from annotation.adjudicating.deciding import LONGEST_NOTE, UNDECIDED, adjudicate
from annotation.adjudicating.disputed import disputed
from annotation.models import Item, Study
from corpus.errors import Fault, SourceError
from corpus.source_text import rows, source_bytes

# What stands for an empty decision, which in a file means that nobody has decided yet.
UNDECIDABLE = UNDECIDED
NEEDED = ("item", "decision")
FIELDS = (*NEEDED, "note")
BATCH = 500


class DecisionFileError(SourceError):
    """A file of decisions that was refused."""


@dataclass(frozen=True, slots=True)
class Decided:
    stored: int
    unchanged: int

    def __str__(self) -> str:
        return f"{self.stored} decisions stored, {self.unchanged} stood already"


def listed(study: Study, *, under: float = 0.0) -> Iterator[list[str | int]]:
    """The disputed items as such a file, with further columns that a person decides by; the header first."""
    values, text = study.task.scale.values, study.task.text
    yield [*FIELDS, "text", *(f"labels:{value}" for value in values)]
    standing = {
        item: (decision or UNDECIDABLE, note)
        for item, decision, note in study.adjudications.filter(stands=True).values_list("item", "decision", "note")
    }
    for item in disputed(study, under=under).iterator(chunk_size=BATCH):
        decision, note = standing.get(item.pk, ("", ""))
        counts = [item.tally.get(value, 0) for value in values]
        yield [item.external_id, decision, note, text(item.content), *counts]


def import_decisions(study: Study, path: Path, *, by: User) -> Decided:
    """Store every decision of the file, or none; rows with an empty one are left out, and further columns not read.

    DecisionFileError with every fault, by line.
    """
    found, faults = _read(source_bytes(path, refused=DecisionFileError), study)
    if not found and not faults:
        faults.append(Fault("file", "holds no decisions"))
    if faults:
        raise DecisionFileError(path, faults)
    with transaction.atomic():
        # One who decides meanwhile on a page waits for this lock, and is then told.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        items = {item.external_id: item for item in _items(study, list(found))}
        standing = dict(study.adjudications.filter(stands=True).values_list("item", "pk"))
        stored = 0
        for name, (decision, note) in found.items():
            seen = standing.get(items[name].pk)
            stored += adjudicate(items[name], decision, note=note, by=by, seen=seen).pk != seen
    return Decided(stored, len(found) - stored)


def _read(data: bytes, study: Study) -> tuple[dict[str, tuple[str, str]], list[Fault]]:
    header: list[str] = []
    found: dict[str, tuple[str, str]] = {}
    lines: dict[str, int] = {}
    faults: list[Fault] = []
    for line, cells in rows(data):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {line}"))
        elif not header:
            header = [cell.strip() for cell in cells]
            faults += [Fault(f"line {line}.{name}", "is missing as a column") for name in NEEDED if name not in header]
            if faults:
                break
        elif len(cells) != len(header):
            expected = f"has {len(cells)} cells; the first line names {len(header)} columns"
            faults.append(Fault(f"line {line}", expected))
        else:
            row = dict(zip(header, cells, strict=True))
            if row["decision"].strip():
                faults += _row_faults(row, study, line, lines)
                lines.setdefault(row["item"], line)
                found[row["item"]] = _decision(row), row.get("note", "").strip()
    known = {item.external_id for item in _items(study, list(found))}
    missing = f"is not an item of {study.slug} that has all its labels"
    faults += [Fault(f"line {lines[name]}.item", f"{name!r} {missing}") for name in found if name not in known]
    return found, faults


def _row_faults(row: Mapping[str, str], study: Study, line: int, lines: Mapping[str, int]) -> Iterator[Fault]:
    values = study.task.scale.values
    if _decision(row) not in ("", *values):
        options = ", ".join([*values, UNDECIDABLE])
        yield Fault(f"line {line}.decision", f"{row['decision']!r} is not one of {options}")
    if len(row.get("note", "").strip()) > LONGEST_NOTE:
        yield Fault(f"line {line}.note", f"is longer than {LONGEST_NOTE:,} characters")
    if row["item"] in lines:
        yield Fault(f"line {line}.item", f"{row['item']!r} was decided already on line {lines[row['item']]}")


def _decision(row: Mapping[str, str]) -> str:
    decision = row["decision"].strip()
    return "" if decision == UNDECIDABLE else decision


def _items(study: Study, names: list[str]) -> Iterator[Item]:
    """Those of these items that have all their labels; few at a time, as databases take few values in one question."""
    for begin in range(0, len(names), BATCH):
        yield from study.items.complete().filter(external_id__in=names[begin : begin + BATCH]).select_related("study")
