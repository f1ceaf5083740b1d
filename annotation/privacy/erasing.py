"""Taking away what one person has left in a study: who they are, and their labels too where that is asked for."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Model, QuerySet

from annotation.arrival.holding import seal
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Annotator, Assignment, Sitting, Study
from annotation.models.assignment import AssignmentQuerySet
from annotation.platforms.contract import Outcome
from annotation.quality.exclusion import count_surplus, give_back, look_again
from annotation.webhooks.outbox import end_sittings

# Rows about a sitting that stay: labels are a choice of their own, payment has to be accounted for, and what somebody
# agreed to is why the labels may be kept.
STAYS = {"assignments", "decisions", "bonuses_handed_in", "consent"}


class CannotErase(ValueError):
    """Why nothing was erased. str() is a sentence."""


@dataclass(frozen=True, slots=True)
class Erased:
    """`labels` that are gone, also those on checks."""

    sittings: int
    labels: int


def erase(study: Study, annotator: Annotator, *, labels: bool) -> Erased:
    """In one transaction: ids, sessions, the device, and what they said of themselves; with `labels`, every answer.

    A sitting under way ends. Slots of labels that counted open again. What stays says that somebody took part, when,
    and what was paid. What other studies know of them is theirs. Raises CannotErase for annotators who never came here.
    """
    if annotator.is_imported or annotator.is_synthetic:
        raise CannotErase(
            "Only who came here by a link can be erased; imported and synthetic labels came in one piece."
        )
    with transaction.atomic():
        ids = study.platform_ids.filter(annotator=annotator)
        # Before the study, as whoever begins does (Visitor.annotator).
        list(ids.select_for_update())
        # Study, sittings, assignments, items: the order that annotation.assignment explains.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        sittings = study.sittings.filter(annotator=annotator)
        list(sittings.select_for_update(no_key=True).order_by("pk"))
        mine = Assignment.objects.filter(sitting__study=study, annotator=annotator)
        give_back(study, mine.filter(state=Assignment.State.RESERVED))
        end_sittings(sittings, study.pk, Outcome.WITHDRAWN)
        for relation in Sitting._meta.related_objects:
            if relation.get_accessor_name() not in STAYS:
                _delete(relation.related_model._default_manager.filter(**{f"{relation.field.name}__in": sittings}))
        gone = _erase_labels(study, annotator, mine) if labels else 0
        seal(sittings)
        sittings.update(device=Sitting.Device.UNKNOWN, platform_study="", platform_session="")
        ids.delete()
        done = Erased(sittings.count(), gone)
        # The number of who was erased is nobody's name, and stays with what is left of their sittings.
        record(study, Deed.ERASED, f"a{annotator.pk}", facts={"sittings": done.sittings, "labels": done.labels})
        return done


def _erase_labels(study: Study, annotator: Annotator, mine: AssignmentQuerySet) -> int:
    counted = list(mine.filter(state=Assignment.State.COUNTED).select_related("judgment").order_by("pk"))
    for assignment in counted:
        assignment.item_for_update().discount(assignment.judgment.answer)
    gone = mine.labels().count()
    # Its evidence is their answers.
    study.exclusions.filter(annotator=annotator).delete()
    study.repeaters.filter(annotator=annotator).delete()
    _delete(mine)
    count_surplus(study, {one.item_id for one in counted})
    # Of all, since nothing tells any more with whom they shared an item.
    look_again(study)
    return gone


def _delete(rows: "QuerySet[Any]") -> None:
    """With what points to them, the farthest first: most of that protects what it points to."""
    pks = list(rows.values_list("pk", flat=True))
    if not pks:
        return
    model: type[Model] = rows.model
    for relation in model._meta.related_objects:
        _delete(relation.related_model._default_manager.filter(**{f"{relation.field.name}__in": pks}))
    model._default_manager.filter(pk__in=pks).delete()
