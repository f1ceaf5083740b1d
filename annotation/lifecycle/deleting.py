"""Deleting a study for good: first it is out of everybody's sight, then its rows go in pieces, and its own row last.

A large study has a million rows, and nobody else's label may wait while they go. Whoever is killed at it leaves a study
that is out of sight; `rest` goes on where that one was. Which rows are a study's, the references say: what points at it
without which it could not be there, in whatever room.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import CASCADE, PROTECT, SET_NULL, Model, QuerySet
from django.utils import timezone

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Annotator, Assignment, Membership, Study
from annotation.up_to import UpTo, up_to

# Rows in one transaction.
PIECE = 5_000
# Rows of a kind that are counted for the page that asks: of ten million, it is enough that they are many.
COUNTED = 100_000
# They say who may see how far it is, so that they go with the study's own row.
TO_THE_END = (Membership,)


class CannotDelete(ValueError):
    """Why nothing was deleted. str() is a sentence."""


@dataclass(frozen=True, slots=True)
class Lost:
    """What would be gone. `excluding`: studies that do not take its participants, and could not tell them any more."""

    items: UpTo
    labels: UpTo
    annotators: int
    sittings: int
    links: int
    excluding: list[str]


def lost(study: Study) -> Lost:
    """Counted now."""
    return Lost(
        items=up_to(study.items.all(), COUNTED),
        # Each of these has a judgment, and to join ten million takes ten seconds.
        labels=up_to(Assignment.objects.filter(sitting__study=study, state__in=Assignment.BEHIND), COUNTED),
        annotators=study.sittings.values("annotator").distinct().count(),
        sittings=study.sittings.count(),
        links=study.links.count(),
        excluding=[one.slug for one in Study.objects.order_by("slug") if study.slug in one.excludes],
    )


def put_out_of_sight(study: Study) -> Study:
    """From now on nobody finds it, and its name is free. CannotDelete where it is open, since people may be at it."""
    with transaction.atomic():
        now = Study.objects.select_for_update().filter(pk=study.pk).first()
        if now is None:
            raise CannotDelete(f"{study.title} was already deleted.")
        if now.state == Study.State.OPEN:
            raise CannotDelete(f"{study.title} is open. Close it first.")
        # Under the name that it had.
        record(now, Deed.DELETED, facts={"items": now.items.count()})
        now.deleted_at = timezone.now()
        now.slug = f"deleted-{now.pk}"
        now.save(update_fields=["deleted_at", "slug"])
    return now


def rest() -> "QuerySet[Study]":
    """Studies that are out of sight and not yet gone."""
    return Study.with_deleted.exclude(deleted_at=None).order_by("deleted_at")


def delete_rows(study: Study, *, report: Callable[[int, int], None]) -> int:
    """Delete all that belongs to a study that is out of sight, and the study; returns how many rows went."""
    assert study.deleted_at is not None, "it is put out of sight first"
    annotators = list(study.sittings.values_list("annotator", flat=True).distinct())
    found = [(rows, list(rows.order_by().values_list("pk", flat=True).iterator())) for rows in rows_of(study)]
    every, gone = sum(len(keys) for _, keys in found), 0
    for rows, keys in found:
        for at in range(0, len(keys), PIECE):
            piece = keys[at : at + PIECE]
            _delete(rows.model, piece, rows.db)
            gone += len(piece)
            report(gone, every)
    study.delete()
    for at in range(0, len(annotators), PIECE):
        # They may have taken part in other studies as well, where they stay.
        Annotator.objects.filter(pk__in=annotators[at : at + PIECE], sittings=None, exclusions=None).delete()
    return gone + 1


def rows_of(study: Study) -> Iterator["QuerySet[Model]"]:
    """All rows of a study, what refers to others before what it refers to."""
    paths = _paths()
    left = dict(paths)
    while left:
        free = [model for model in left if not _pointed_at(model, by=left)]
        assert free, f"{', '.join(model.__name__ for model in left)} refer to one another in a circle"
        for model in free:
            yield model._base_manager.filter(**{left.pop(model): study})


def _paths() -> dict[type[Model], str]:
    """The models whose rows are a study's, each with the way to it."""
    paths: dict[type[Model], str] = {}
    models: list[type[Model]] = [Study]
    for model in models:
        for relation in model._meta.related_objects:
            child = relation.related_model
            if relation.on_delete in (CASCADE, PROTECT) and child not in (*TO_THE_END, *models):
                paths[child] = "__".join(filter(None, [relation.field.name, paths.get(model, "")]))
                models.append(child)
    return paths


def _pointed_at(model: type[Model], *, by: Collection[type[Model]]) -> bool:
    return any(one.related_model in by and one.related_model is not model for one in model._meta.related_objects)


def _delete(model: type[Model], keys: list[Any], using: str) -> None:
    """In one transaction, without looking up what refers to them: what is the study's is gone by now.

    What only knew of them, and is kept, knows it no longer.
    """
    with transaction.atomic():
        for relation in model._meta.related_objects:
            if relation.on_delete is SET_NULL:
                knew = relation.related_model._base_manager.filter(**{f"{relation.field.name}__in": keys})
                knew.update(**{relation.field.name: None})
        model._base_manager.filter(pk__in=keys)._raw_delete(using)
