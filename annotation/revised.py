"""Which items of a study a researcher should look at, and what those became that were looked at."""

from collections.abc import Sequence
from dataclasses import replace

from django.db.models import QuerySet

from annotation.itemfile import ItemRow
from annotation.models import Item, ItemRevision, Study

# Builders flag an item by the attribute `negation`: "revise: " and the rule that says why.
ATTRIBUTE = "negation"
FLAGGED, REVISED, KEPT = "revise: ", "revised: ", "kept: "


def to_revise(study: Study) -> QuerySet[Item]:
    """The flagged items that nobody has revised, or found to be right as they are, in the order of the file."""
    return study.items.filter(**{f"attributes__{ATTRIBUTE}__startswith": FLAGGED})


def flag(attributes: dict[str, str]) -> str:
    """The rule that flagged the item, whether it still stands or not; empty if none did."""
    value = attributes.get(ATTRIBUTE, "")
    for mark in (FLAGGED, REVISED, KEPT):
        if value.startswith(mark):
            return value.removeprefix(mark)
    return ""


def looked_at(attributes: dict[str, str], *, changed: bool) -> dict[str, str]:
    """The attributes after a researcher's decision: the flag says that it was seen to."""
    name = flag(attributes)
    return attributes | {ATTRIBUTE: (REVISED if changed else KEPT) + name} if name else attributes


def as_revised(study: Study, rows: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows of an item file, those that still have the original wording as they were revised.

    So loading a folder again undoes no revision, while a row that the file itself has changed counts as the file says.
    """
    histories: dict[str, list[ItemRevision]] = {}
    for revision in ItemRevision.objects.filter(study=study):
        histories.setdefault(revision.external_id, []).append(revision)
    return [_as_revised(row, histories.get(row.id, [])) for row in rows]


def _as_revised(row: ItemRow, history: list[ItemRevision]) -> ItemRow:
    if not history or row.content not in [history[-1].after, *(revision.before for revision in history)]:
        return row
    content = history[-1].after
    changed = any(revision.has_changed_it for revision in history)
    return replace(row, content=content, attributes=looked_at(row.attributes, changed=changed))
