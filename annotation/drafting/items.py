"""The verbs: items into a draft, an item of a draft changed, items out of it; all that is asked for, or nothing.

What the folder is held to when it is loaded holds here: the item file's rules for each item, the study file's for all
of them. What each costs grows with the items that it is about, not with those that the study has; only where variants
lie on lists, all have to be read.

An item that nobody has seen yet is reworded in a study that has opened too: the original, the new wording, who and why
are kept.

One option may become the correct answer of every regular item of a draft at once, as of minimal pairs; or of none.
Practice and checks keep their own. Where items have different answers nothing is changed: none of these would come
back. Scores go, as always where a correct answer changes: a model may have learned from it.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from accounts.models import User
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.balancing import lists_of
from annotation.bulk import insert
from annotation.drafting.rows import COLUMNS, as_revised, ids_there, read_outlines, read_rows, row_of, rows_to_hold
from annotation.itemfile import ItemRow, item_faults, sum_of, term_of
from annotation.loading import fill, new_item, replace_item, set_lists, store_settings
from annotation.models import Assignment, Item, ItemRevision, Study
from annotation.studyfile import settings_of, tables_of
from annotation.studyfile.collection import LATIN_SQUARE
from corpus.errors import Fault
from corpus.provenance import OrderedSum, digest

Placed = Mapping[int, ItemRow]


def sum_after(study: Study, *, out: Placed, into: Placed) -> OrderedSum:
    """The sum over its items once `out` has left its places and `into` stands in its own.

    An item's term includes the id of the item before it, so only the terms of these items and of those right after
    them change. The caller holds the study's lock and asks before it writes anything.
    """
    here = dict(out) | _around(study, {*out, *into})
    before = _terms(here, {*out, *_followers(here, {*out, *into})})
    then = {place: row for place, row in here.items() if place not in out} | dict(into)
    after = _terms(then, {*into, *_followers(then, {*out, *into})})
    return study.content.changed(less=before, more=after)


def _around(study: Study, places: set[int]) -> dict[int, ItemRow]:
    """The items that stand right before and right behind each place, by their own places."""
    end, beside = study.items.last_place(), set[int | None]()
    # Behind the last, all that come share one neighbor.
    for place in {min(place, end + 1) for place in places}:
        beside |= {study.items.place_before(place), study.items.place_behind(place) if place < end else None}
    found = study.items.at(place for place in beside if place is not None).values_list("position", *COLUMNS.values())
    return {one[0]: ItemRow(*one[1:]) for one in found.iterator(chunk_size=500)}


def _followers(rows: Placed, places: set[int]) -> set[int]:
    """The first of these rows behind each place."""
    order = sorted(rows)
    behind = (bisect_left(order, place + 1) for place in places)
    return {order[at] for at in behind if at < len(order)}


def _terms(rows: Placed, places: set[int]) -> int:
    order = sorted(rows)
    previous = dict(zip(order[1:], order, strict=False))
    return sum(term_of(rows[place], rows[previous[place]].id if place in previous else "") for place in places)


class DraftRefused(ValueError):
    """Nothing has changed. str() says why; `faults` name what is wrong with each item, by its line and field."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        self.faults = [*faults]
        super().__init__(message)


def add_items(study: Study, rows: Sequence[ItemRow]) -> Study:
    """Put items into a draft, behind its own. DraftRefused, or StudyFileError for what the study declares of items."""

    def behind(now: Study) -> Mapping[int, ItemRow]:
        return dict(enumerate(rows, start=now.items.last_place() + 1))

    return _put_in(study, rows, behind)


def put_back(study: Study, rows: Mapping[int, ItemRow]) -> Study:
    """Put what was taken out where it was; raises as `add_items`."""

    def where_they_were(now: Study) -> Mapping[int, ItemRow]:
        _make_room(now, rows)
        return rows

    return _put_in(study, [rows[place] for place in sorted(rows)], where_they_were)


def change_item(study: Study, row: ItemRow, *, seen: str, editor: User) -> Study:
    """Let the item of that id be this. Raises as `add_items`.

    `seen` is `state_of` the item as it was shown. Other words are kept as a revision, so that loading the folder that
    has the words of before keeps the new ones.
    """
    faults = item_faults([row], study.task, beside=())
    with amended(study) as now:
        item = now.items.filter(external_id=row.id).first()
        if item is None or state_of(was := row_of(item)) != seen:
            raise DraftRefused("Someone changed this item since you opened it. Check it again.")
        if row == was:
            return now
        if faults:
            raise DraftRefused("The item is not complete.", faults)
        refuse_shown(now.items.filter(pk=item.pk))
        content = sum_after(now, out={item.position: was}, into={item.position: row})
        if was.content_hash != row.content_hash:
            replace_item(now, item, row)
        else:
            fill(item, row, item.position)
            item.save()
        if was.content != row.content:
            ItemRevision.objects.create(
                study=now, external_id=row.id, editor=editor, before=was.content, after=row.content
            )
        now = store_settings(settings_of(tables_of(now), rows_to_hold(now, [row])), content=content)
        _set_lists(now)
        record(now, Deed.ITEM_CHANGED, row.id, by=editor)
    return now


def make_gold(study: Study, ids: Collection[str], *, editor: User) -> int:
    """Let items be gold, all or none; how many were not. Raises as `change_item`, and DraftRefused if one is not there
    or has no correct answer.
    """
    with amended(study) as now:
        found = now.items.filter(external_id__in=ids)
        if found.count() < len(set(ids)):
            raise DraftRefused("Someone removed one of these items. Check the list again.")
        rows = [row_of(item) for item in found.exclude(kind=Item.Kind.GOLD).order_by("position")]
        if without := [row.id for row in rows if row.reference is None]:
            are = "has no correct answer" if len(without) == 1 else "have no correct answers"
            raise DraftRefused(f"Nothing has changed: {', '.join(without[:3])} {are}.")
        for row in rows:
            gold = replace(row, kind=Item.Kind.GOLD.value)
            now = change_item(now, gold, seen=state_of(row), editor=editor)
        if not now.items.targets().exists():
            raise DraftRefused("A study needs at least one item that is not gold.")
    return len(rows)


def remove_items(study: Study, ids: Collection[str]) -> dict[int, ItemRow]:
    """Take items out of a draft, with their scores; they are returned by their places, so that they can be put back.

    DraftRefused if one is not there, or has been shown or labeled; StudyFileError if the study declares that it has
    them, as where more gold is asked for than is left.
    """
    with amended(study) as now:
        out = now.items.filter(external_id__in=ids)
        gone = {item.position: row_of(item) for item in out.order_by("position")}
        if len(gone) < len(set(ids)):
            raise DraftRefused("Someone already removed one of these items. Check the list again.")
        if not gone:
            return {}
        refuse_shown(out)
        content = sum_after(now, out=gone, into={})
        out.delete()
        if not now.items.targets().exists():
            raise DraftRefused("A study needs at least one item.")
        now = store_settings(settings_of(tables_of(now), rows_to_hold(now, [])), content=content)
        _set_lists(now)
        record(now, Deed.ITEMS_REMOVED, facts={"items": len(gone)})
    return gone


def state_of(row: ItemRow) -> str:
    """A name for all that the item is: another one as soon as any of it changes."""
    return digest(row.fields())[:16]


def _put_in(study: Study, fresh: Sequence[ItemRow], placed: Callable[[Study], Mapping[int, ItemRow]]) -> Study:
    # Before the study is locked: of many items, that takes most of the time.
    there = ids_there(study, (row.id for row in fresh))
    faults = item_faults(fresh, study.task, beside=there) or _of_revised(study, fresh)
    if faults:
        raise DraftRefused("No items added.", faults)
    with amended(study) as now:
        if not fresh:
            return now
        if ids_there(now, (row.id for row in fresh)):
            raise DraftRefused("Someone added items with these IDs at the same time. Check the list again.")
        rows = placed(now)
        content = sum_after(now, out={}, into=rows)
        insert(Item, [new_item(now, rows[place], place) for place in sorted(rows)])
        now = store_settings(settings_of(tables_of(now), rows_to_hold(now, fresh)), content=content)
        _set_lists(now)
        record(now, Deed.ITEMS_ADDED, facts={"items": len(rows)})
    return now


@contextmanager
def amended(study: Study) -> Iterator[Study]:
    """In one transaction: the study as it is, locked. What stands against it is raised inside, and nothing is kept."""
    with transaction.atomic():
        now = Study.objects.select_for_update().get(pk=study.pk)
        if now.has_opened:
            raise DraftRefused(f"{now.title} has opened, so its items are locked.")
        yield now


def _of_revised(study: Study, rows: Sequence[ItemRow]) -> list[Fault]:
    """An item of that name was reworded here once: loading the folder would give this one those words."""
    kept = as_revised(study, rows)
    return [
        Fault(f"line {number}.id", f"{row.id!r} is the ID of a reworded item that was removed; use another")
        for number, (row, one) in enumerate(zip(rows, kept, strict=True), start=1)
        if row.content != one.content
    ]


def refuse_shown(items: "QuerySet[Item]") -> None:
    """Labels from elsewhere may have come to a draft."""
    if shown := Assignment.objects.filter(item__in=items).values_list("item__external_id", flat=True).distinct()[:3]:
        raise DraftRefused(f"{', '.join(shown)}: shown or labeled items cannot change.")


def _make_room(study: Study, rows: Mapping[int, ItemRow]) -> None:
    """At places that are taken by now: whatever stands there or behind came later, and moves on."""
    taken = study.items.at(rows).order_by("position").first()
    if taken is not None:
        by = max(rows) - taken.position + 1
        study.items.filter(position__gte=taken.position).update(position=F("position") + by)


def _set_lists(study: Study) -> None:
    """Where one variant comes or goes, those of other sources may lie on other lists."""
    if study.lists == LATIN_SQUARE:
        set_lists(study, lists_of(study, read_outlines(study, attributes=True)))


def revise(item: Item, content: dict[str, Any], *, seen: str, editor: User, reason: str) -> ItemRevision:
    """Give the item this content, and say so; the same content means that there was nothing to change.

    `seen` is the content hash that the researcher had on screen. Scores of the old content go: they are about
    other words. DraftRefused if the item was shown to an annotator, has changed meanwhile, or would not be sound.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=item.study_id)
        current = study.items.select_for_update().filter(external_id=item.external_id).first()
        if current is None or current.content_hash != seen:
            raise DraftRefused("Someone changed this item since you opened it. Check it again.")
        if current.was_shown():
            raise DraftRefused("This item has been shown to annotators, so its text is locked.")
        faults = study.task.validate(content)
        if faults:
            raise DraftRefused("The new wording is not complete.", faults)
        if content == current.content:
            # As it is stored, down to the order of its parts: by this an item is known to have been looked at.
            content = current.content
        else:
            was, place = row_of(current), current.position
            row = replace(was, content=content)
            study.keep_content(sum_after(study, out={place: was}, into={place: row}))
            replace_item(study, current, row)
        deed = Deed.LOOKED_AT if content is current.content else Deed.REWORDED
        record(study, deed, current.external_id, by=editor)
        return ItemRevision.objects.create(
            study=study,
            external_id=current.external_id,
            editor=editor,
            before=current.content,
            after=content,
            reason=reason,
        )


def common_answer(study: Study) -> str | None:
    """The correct answer that all regular items share, empty for none; None where they differ."""
    found = [*study.items.targets().order_by().values_list("reference", flat=True).distinct()[:2]]
    return (found[0] or "") if len(found) == 1 else None


def set_common_answer(study: Study, value: str) -> Study:
    """DraftRefused where the study has opened, items were shown, or they have different answers; and for a value that
    is no label of the study. StudyFileError if the study declares what then no longer holds.
    """
    if value and value not in study.task.scale.values:
        raise DraftRefused("Nothing has changed: this study has no such option.")
    with amended(study) as now:
        was = common_answer(now)
        if was is None:
            raise DraftRefused("Nothing has changed: items have different correct answers.")
        if was == value:
            return now
        targets = now.items.targets()
        refuse_shown(targets)
        changed = [_answered(now, item, value or None) for item in targets]
        targets.delete()
        insert(Item, changed)
        content = sum_of(read_rows(now))
        now = store_settings(settings_of(tables_of(now), rows_to_hold(now, [])), content=content)
        record(now, Deed.ANSWER_SET, value or "none", facts={"items": len(changed)})
    return now


def _answered(study: Study, item: Item, reference: str | None) -> Item:
    """The item with this correct answer, in the same place and on the same list."""
    fresh = new_item(study, replace(row_of(item), reference=reference), item.position)
    fresh.list_number = item.list_number
    return fresh
