"""What a study's hash becomes when some of its items come, go or change, from these and their neighbors alone."""

from bisect import bisect_left
from collections.abc import Mapping

from annotation.drafting.rows import COLUMNS
from annotation.itemfile import ItemRow, term_of
from annotation.models import Study
from corpus.provenance import OrderedSum

Placed = Mapping[int, ItemRow]


def sum_after(study: Study, *, out: Placed, into: Placed) -> OrderedSum:
    """The sum over its items once `out` has left its places and `into` stands in its own.

    An item is summed up with the id of the one before it: so what changes are the terms of these items and of those
    that follow one of them. Asked before anything is written, by whoever holds the study's lock.
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
    found = study.items.at(place for place in beside if place is not None).values_list("position", *COLUMNS)
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
