"""The verbs: items into a draft, an item of a draft changed, items out of it; all that is asked for, or nothing.

What the folder is held to when it is loaded holds here: the item file's rules for each item, the study file's for all
of them. The long part, reading and hashing every item, is done before the study is locked.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.db import transaction
from django.db.models import Case, F, PositiveIntegerField, QuerySet, When

from accounts.models import User
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.balancing.lists import list_numbers
from annotation.bulk.tables import insert
from annotation.drafting.rows import Rows, read_rows, state_of_items
from annotation.itemfile import ItemRow, item_faults
from annotation.loading import fill, new_item, replace_item, set_lists, set_targets, store_settings
from annotation.models import Assignment, Item, ItemRevision, Study
from annotation.revised import as_revised
from annotation.studyfile import settings_of, tables_of
from corpus.errors import Fault
from corpus.provenance import digest


class DraftRefused(ValueError):
    """Nothing has changed. str() says why; `faults` name what is wrong with each item, by its line and field."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        self.faults = [*faults]
        super().__init__(message)


def add_items(study: Study, rows: Sequence[ItemRow]) -> Study:
    """Put items into a draft, behind its own. DraftRefused, or StudyFileError for what the study declares of items."""
    before = read_rows(study)
    start = len(before.rows) + 1
    return _put_in(study, before, dict(enumerate(rows, start=start)))


def put_back(study: Study, rows: Mapping[int, ItemRow]) -> Study:
    """Put what was taken out where it was; raises as `add_items`."""
    before = read_rows(study)
    if any(place > len(before.rows) + len(rows) for place in rows):
        raise DraftRefused("Other items have been taken out since, so these have no place any more. Add them again.")
    return _put_in(study, before, rows)


def change_item(study: Study, row: ItemRow, *, seen: str, editor: User) -> Study:
    """Let the item of that id be this. Raises as `add_items`.

    `seen` is `state_of` the item as it was shown. Other words are kept as a revision, so that loading the folder that
    has the words of before keeps the new ones.
    """
    before = read_rows(study)
    place = next((at for at, one in enumerate(before.rows) if one.id == row.id), None)
    if place is None or state_of(before.rows[place]) != seen:
        raise DraftRefused("Somebody has changed this item since you opened it. Look at it again.")
    was = before.rows[place]
    if row == was:
        return study
    if faults := item_faults([row], study.task, beside=()):
        raise DraftRefused("The item is not complete.", faults)
    after = [*before.rows]
    after[place] = row
    with _amended(study, before, after) as now:
        item = now.items.get(external_id=row.id)
        _refuse_shown(now.items.filter(pk=item.pk))
        if was.content_hash != row.content_hash:
            replace_item(now, item, row)
        else:
            fill(item, row, item.position)
            item.save()
        if was.content != row.content:
            ItemRevision.objects.create(
                study=now, external_id=row.id, editor=editor, before=was.content, after=row.content
            )
        _set_lists(now, after)
        record(now, Deed.ITEM_CHANGED, row.id, by=editor)
    return now


def remove_items(study: Study, ids: Collection[str]) -> dict[int, ItemRow]:
    """Take items out of a draft, with their scores; they are returned by their places, so that they can be put back.

    DraftRefused if one is not there, or has been shown or labeled; StudyFileError if the study declares that it has
    them, as where more gold is asked for than is left.
    """
    before = read_rows(study)
    gone = {place: row for place, row in enumerate(before.rows, start=1) if row.id in set(ids)}
    if len(gone) < len(set(ids)):
        raise DraftRefused("Somebody has taken one of these items out already. Look at the list again.")
    after = [row for place, row in enumerate(before.rows, start=1) if place not in gone]
    if gone and not any(row.kind == Item.Kind.TARGET for row in after):
        raise DraftRefused("No target would be left, and a study has at least one.")
    with _amended(study, before, after) as now:
        out = now.items.filter(external_id__in=ids)
        _refuse_shown(out)
        out.delete()
        _move(now, sorted(gone), by=-1)
        _set_lists(now, after)
        if gone:
            record(now, Deed.ITEMS_REMOVED, facts={"items": len(gone)})
    return gone


def state_of(row: ItemRow) -> str:
    """A name for all that the item is: another one as soon as any of it changes."""
    return digest(row.fields())[:16]


def _put_in(study: Study, before: Rows, rows: Mapping[int, ItemRow]) -> Study:
    fresh = [rows[place] for place in sorted(rows)]
    faults = item_faults(fresh, study.task, beside={row.id for row in before.rows})
    faults = faults or _of_revised(study, fresh)
    if faults:
        raise DraftRefused("Nothing was added.", faults)
    after = [*before.rows]
    for place in sorted(rows):
        after.insert(place - 1, rows[place])
    with _amended(study, before, after) as now:
        if min(rows, default=0) <= len(before.rows):
            _move(now, sorted(rows), by=1)
        insert(Item, [new_item(now, rows[place], place) for place in sorted(rows)])
        set_targets(now)
        _set_lists(now, after)
        if rows:
            record(now, Deed.ITEMS_ADDED, facts={"items": len(rows)})
    return now


@contextmanager
def _amended(study: Study, before: Rows, after: list[ItemRow]) -> Iterator[Study]:
    """In one transaction: the study, locked, as it is with the items of `after`; changing them is the caller's."""
    content_hash = digest([row.as_json() for row in after])
    with transaction.atomic():
        now = Study.objects.select_for_update().get(pk=study.pk)
        if now.has_opened:
            raise DraftRefused(f"{now.title} has opened, and its items stay as they are since.")
        if state_of_items(now) != before.state:
            raise DraftRefused("Somebody has changed the items at the same time, so nothing was saved. Try again.")
        yield store_settings(settings_of(tables_of(now), after), content_hash=content_hash)


def _of_revised(study: Study, rows: list[ItemRow]) -> list[Fault]:
    """An item of that name was reworded here once: loading the folder would give this one those words."""
    kept = as_revised(study, rows)
    return [
        Fault(f"line {number}.id", f"{row.id!r} is the id of an item that was reworded here and taken out; use another")
        for number, (row, one) in enumerate(zip(rows, kept, strict=True), start=1)
        if row.content != one.content
    ]


def _refuse_shown(items: "QuerySet[Item]") -> None:
    """Labels from elsewhere may have come to a draft."""
    if shown := Assignment.objects.filter(item__in=items).values_list("item__external_id", flat=True).distinct()[:3]:
        raise DraftRefused(f"{', '.join(shown)}: what has been shown or labeled stays as it is.")


def _move(study: Study, places: list[int], *, by: int) -> None:
    """Make room at these places, or close the gaps there: an item's position is its line in the file."""
    # Behind the n-th place, n items have come or gone. Of items that come, a place counts those before it as well.
    passed = [place - number if by > 0 else place for number, place in enumerate(places)]
    cases = [
        When(position__gt=place - 1 if by > 0 else place, then=F("position") + by * number)
        for number, place in reversed([*enumerate(passed, start=1)])
    ]
    first = passed[0] - 1 if by > 0 else passed[0]
    study.items.filter(position__gt=first).update(
        position=Case(*cases, default=F("position"), output_field=PositiveIntegerField())
    )


def _set_lists(study: Study, rows: list[ItemRow]) -> None:
    if study.lists == Study.Lists.LATIN_SQUARE:
        set_lists(study, list_numbers(rows))
