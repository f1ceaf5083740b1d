"""Items that share a `group` are variants of one source, and nobody sees two of them.

Where a study has lists (squares.py says which item lies on which), an annotator works on one, in all sittings. Who
begins gets the list of the item in greatest need: so lists fill evenly, and no item is left open to nobody.
"""

from collections.abc import Iterable

from django.db.models import Q

from annotation.balancing.squares import Square, list_numbers, square_of
from annotation.itemfile import ItemRow
from annotation.models import Annotator, Assignment, Item, Sitting, Study
from annotation.models.item import ItemQuerySet

# Items that are looked at at once until enough are found of different groups: most often the first will do.
CHUNK = 200


def lists_of(study: Study, rows: Iterable[ItemRow]) -> dict[str, int]:
    """The list of each of its targets that is on one, by its id, where the study has lists."""
    if study.lists != Study.Lists.LATIN_SQUARE:
        return {}
    return list_numbers(rows, condition=study.condition_attribute, named=study.list_attribute)


def square(study: Study) -> Square | None:
    """What lies on its lists; None where it has none."""
    read = study.items.filter(kind=Item.Kind.TARGET).order_by("position")
    listed = read.exclude(list_number=None) if study.lists == Study.Lists.LATIN_SQUARE else read.none()
    numbers: dict[str, int] = {}
    rows = []
    for name, group, number, attributes in listed.values_list("external_id", "group", "list_number", "attributes"):
        assert number is not None  # as asked
        numbers[name] = number
        rows.append(ItemRow(name, {}, group=group, attributes=attributes))
    if not rows:
        return None
    return square_of(rows, numbers, condition=study.condition_attribute, named=study.list_attribute)


def unmet(study: Study, annotator: Annotator, open_items: ItemQuerySet) -> ItemQuerySet:
    """Those of which the annotator has met no variant."""
    met = Assignment.objects.filter(sitting__study=study, annotator=annotator).exclude(item__group="")
    return open_items.exclude(group__in=met.values("item__group"))


def draw(study: Study, annotator: Annotator, open_items: ItemQuerySet, *, wanted: int) -> tuple[list[Item], int | None]:
    """The first of `open_items`, all unmet, locked, and the list that the annotator works on, if on any.

    Whose list has nothing left gets what is open on others, of sources that they have not met. The caller holds the
    study's lock.
    """
    if study.lists != Study.Lists.LATIN_SQUARE:
        return _of_different_groups(open_items, wanted), None
    number = _list_of(study, annotator, open_items)
    own = open_items.filter(Q(list_number=number) | Q(list_number=None))
    return _of_different_groups(own, wanted) or _of_different_groups(open_items, wanted), number


def variant_of(study: Study, item: Item) -> str:
    """What the database holds an annotator's assignments to: no two with the same."""
    is_variant = study.keeps_variants_apart and item.kind == Item.Kind.TARGET and item.group
    return f"{study.pk}/{item.group}" if is_variant else ""


def _list_of(study: Study, annotator: Annotator, open_items: ItemQuerySet) -> int | None:
    """The annotator's own, else that of the item in greatest need."""
    before = Sitting.objects.filter(study=study, annotator=annotator, list_number__isnull=False)
    number = before.values_list("list_number", flat=True).first()
    if number is None:
        number = open_items.filter(list_number__isnull=False).values_list("list_number", flat=True).first()
    return number


def _of_different_groups(items: ItemQuerySet, wanted: int) -> list[Item]:
    chosen: list[int] = []
    met: set[str] = set()
    for pk, group in items.values_list("pk", "group").iterator(chunk_size=CHUNK):
        if group not in met:
            chosen.append(pk)
            met |= {group} - {""}
        if len(chosen) == wanted:
            break
    return list(Item.objects.select_for_update(no_key=True).filter(pk__in=chosen))
