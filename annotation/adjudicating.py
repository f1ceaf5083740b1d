"""Items whose labels do not agree, and what a researcher decides of them. No label, majority or reference changes.

A decision is kept with who made it, when and on what. Many come as CSV: `item`, `decision` and, where there is one,
`note`; a file with any fault is refused whole. To decide by another rule: a column of Item that is kept with the
tally, as `agreed` is, and its index.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from accounts.models import User
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Adjudication, Item, Study
from annotation.models.item import ItemQuerySet
from corpus.errors import Fault, SourceError
from corpus.source_text import rows, source_bytes

LONGEST_NOTE = 1_000
UNDECIDED = "cannot be decided"
# What stands for an empty decision, which in a file means that nobody has decided yet.
UNDECIDABLE = UNDECIDED
NEEDED = ("item", "decision")
FIELDS = (*NEEDED, "note")
BATCH = 500


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """How many items there are to decide, and of how many of them a decision stands."""

    items: int
    decided: int

    @property
    def left(self) -> int:
        return self.items - self.decided


def disputed(study: Study, *, under: float = 0.0) -> ItemQuerySet:
    """Targets with all their labels and no majority, or a smaller share than `under`; none of averaged ratings."""
    if study.is_averaged:
        return study.items.none()
    most = math.ceil(round(under * study.labels_per_item, 9))
    return study.items.complete().filter(agreed__lt=max(most, 1)).order_by("agreed", "position")


def undecided(items: ItemQuerySet) -> ItemQuerySet:
    return items.exclude(pk__in=_standing().values("item"))


def adjudicated(items: ItemQuerySet) -> Adjudicated:
    return Adjudicated(items.count(), items.filter(pk__in=_standing().values("item")).count())


def after(items: ItemQuerySet, item: Item) -> ItemQuerySet:
    """Those behind the item in the order of `disputed`."""
    return items.filter(Q(agreed__gt=item.agreed) | Q(agreed=item.agreed, position__gt=item.position))


def before(items: ItemQuerySet, item: Item) -> ItemQuerySet:
    """Those in front of it, the nearest first."""
    found = items.filter(Q(agreed__lt=item.agreed) | Q(agreed=item.agreed, position__lt=item.position))
    return found.order_by("-agreed", "-position")


def _standing() -> QuerySet[Adjudication]:
    return Adjudication.objects.filter(stands=True)


def has_adjudicated(study: Study) -> bool:
    """Whether a researcher has decided the label of any item."""
    return study.adjudications.filter(stands=True).exclude(decision="").exists()


def newest_decision(study: Study) -> int | None:
    """The key of the last decision that was made, which is another whenever one is made or made anew."""
    found: int | None = study.adjudications.aggregate(last=Max("pk"))["last"]
    return found


class DecisionRefused(ValueError):
    """A decision that was not stored. str() is a sentence for the researcher."""


def adjudicate(item: Item, decision: str, *, note: str, by: User, seen: int | None) -> Adjudication:
    """Store a decision, empty if it cannot be decided; an earlier one is kept and no longer stands.

    `seen` is the key of the decision that the researcher knew of, None if there was none. DecisionRefused if another
    stands by now, if the item does not have all its labels, or for a decision that is no label of the study.
    """
    with transaction.atomic():
        # Study first, then item: the order that annotation.assignment explains.
        Study.objects.select_for_update(no_key=True).get(pk=item.study_id)
        locked = item.study.items.select_for_update(no_key=True).complete().filter(pk=item.pk).first()
        if locked is None:
            raise DecisionRefused(f"{item.external_id} still lacks labels.")
        if decision and decision not in item.study.task.scale.values:
            raise DecisionRefused(f"{decision!r} is not one of {', '.join(item.study.task.scale.values)}.")
        if len(note) > LONGEST_NOTE:
            raise DecisionRefused(f"The note is longer than {LONGEST_NOTE:,} characters.")
        standing = Adjudication.objects.filter(item=locked, stands=True).first()
        if (standing and standing.pk) != seen:
            raise DecisionRefused("Someone adjudicated this item since you opened it. Check it again.")
        if standing is not None and (standing.decision, standing.note) == (decision, note):
            return standing
        Adjudication.objects.filter(item=locked, stands=True).update(stands=False)
        before = "no decision" if standing is None else standing.decision or UNDECIDED
        facts = {"decision": [before, decision or UNDECIDED]}
        record(item.study, Deed.DECIDED, item.external_id, by=by, facts=facts)
        return Adjudication.objects.create(
            study_id=item.study_id, item=locked, decision=decision, note=note, tally=locked.tally, by=by
        )


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
    """Store every decision of the file, or none; rows with an empty one are left out. DecisionFileError for faults."""
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
            faults += [
                Fault(f"line {line}.{name}", "is missing: there is no such column")
                for name in NEEDED
                if name not in header
            ]
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
