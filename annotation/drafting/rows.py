"""A study's items as rows of an item file, and of them those that its settings are held to."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import islice

from annotation.itemfile import CHECKS, ItemRow
from annotation.models import Item, ItemRevision, Study
from corpus.decimals import is_absent

# Of each field of ItemRow, in their order, the column of Item.
COLUMNS = {field.name: field.name for field in fields(ItemRow)} | {
    "id": "external_id",
    "strength": "reference_strength",
}
# Names that are asked for at once.
NAMES = 5_000


def row_of(item: Item) -> ItemRow:
    """The item as the item file has it."""
    return ItemRow(**{name: getattr(item, column) for name, column in COLUMNS.items()})


def as_revised(study: Study, rows: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows of an item file, those that still have a wording that was revised with the newest one.

    A row that the file itself has changed counts as the file says.
    """
    histories: dict[str, list[ItemRevision]] = {}
    names = iter(rows)
    while some := [row.id for row in islice(names, NAMES)]:
        for revision in ItemRevision.objects.filter(study=study, external_id__in=some):
            histories.setdefault(revision.external_id, []).append(revision)
    return [_as_revised(row, histories.get(row.id, [])) for row in rows]


def _as_revised(row: ItemRow, history: list[ItemRevision]) -> ItemRow:
    if not history or row.content not in [history[-1].after, *(revision.before for revision in history)]:
        return row
    return replace(row, content=history[-1].after)


def read_rows(study: Study) -> list[ItemRow]:
    """All items in their order."""
    read = study.items.order_by("position").values_list(*COLUMNS.values())
    return [ItemRow(*row) for row in read.iterator(chunk_size=5_000)]


def read_outlines(study: Study, *, attributes: bool = False) -> list[ItemRow]:
    """All items in their order, of each only whose variant it is and what is known of it; its attributes if asked for,
    which take most of the time.
    """
    columns = ("external_id", "kind", "group", "reference", *(["attributes"] if attributes else []))
    read = study.items.order_by("position").values_list(*columns)
    return [
        ItemRow(id=name, content={}, kind=kind, group=group, reference=reference, attributes=more[0] if more else {})
        for name, kind, group, reference, *more in read.iterator()
    ]


def ids_there(study: Study, names: Iterable[str]) -> set[str]:
    """Which of these names an item of the study has."""
    rest, found = iter(names), set[str]()
    while some := list(islice(rest, NAMES)):
        found |= set(study.items.filter(external_id__in=some).values_list("external_id", flat=True))
    return found


def rows_to_hold(study: Study, fresh: Iterable[ItemRow]) -> list[ItemRow]:
    """Enough of its items, `fresh` among them, that its settings are held to them as they would be to all.

    It was sound before these came or others went. So of what it asks for, as many are read as it asks for; only
    where variants are kept apart, every item can stand against every other.
    """
    outlines = read_outlines(study, attributes=bool(study.lists)) if study.keeps_variants_apart else []
    return [*{row.id: row for row in (*outlines, *_asked_for(study), *fresh)}.values()]


def _asked_for(study: Study) -> Iterator[ItemRow]:
    """The checks of a sitting, the shots of its prompt, and an item with each attribute that is a number."""
    items = study.items.values_list(*COLUMNS.values())
    for kind in CHECKS:
        wanted = max(1, getattr(study, f"{kind}_per_sitting"))
        yield from (ItemRow(*row) for row in items.filter(kind=kind).order_by("position")[:wanted])
    shots = study.prompt.get("shots", [])
    yield from (ItemRow(*row) for row in items.filter(external_id__in=shots, kind=Item.Kind.PRACTICE))
    for name in study.numbers:
        having = (ItemRow(*row) for row in items.filter(attributes__has_key=name).order_by("position").iterator())
        yield from islice((row for row in having if not is_absent(row.attributes[name])), 1)
