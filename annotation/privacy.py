"""What is kept of a person, and how it is erased: the platform's ids of all who are paid, or all that one has left.

A person is found by what the platform calls them, and everything that a study holds about them is shown as plain
values. Platforms' ids go once payment is decided, or so long after somebody was here last as the study says; what stays
is the keyed hash (annotation/arrival/visitor.py): who comes again is recognized. A new table that points at a sitting
is exported by itself, and erased by itself unless `erase` names it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, ForeignKey, Max, Min, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import LessThan

from annotation.arrival.ownership import seal
from annotation.arrival.visitor import known_by
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Annotator, Assignment, ComprehensionTry, Consent, PlatformId, Sitting, Study
from annotation.models.assignment import AssignmentQuerySet
from annotation.models.sitting import HOLDING
from annotation.platforms import Outcome
from annotation.quality.exclusion import count_surplus, give_back, look_again
from annotation.webhooks.outbox import end_sittings
from work.clock import database_now

BATCH = 500
DECIDED = ~Q(payment=Sitting.Payment.UNDECIDED)
_consent = Consent.objects.filter(sitting=OuterRef("pk")).values("decided_at")
_tries = ComprehensionTry.objects.filter(sitting=OuterRef("pk")).order_by().values("sitting")
_begun = F("started_at")
# The last sign of life in a sitting: the last answer, or of who gave none, how far they have come before the items.
LAST_HERE = Coalesce(
    "last_answer_at",
    Greatest(
        _begun,
        Coalesce(Subquery(_consent), _begun),
        Coalesce(Subquery(_tries.values(last=Max("at"))), _begun),
        Coalesce("instructed_at", _begun),
    ),
)

# Rows about a sitting that stay: labels are a choice of their own, payment has to be accounted for, and what somebody
# agreed to is why the labels may be kept.
STAYS = {"assignments", "decisions", "bonuses_handed_in", "consent"}


def decided_ids(study: Study) -> "QuerySet[PlatformId]":
    """Of people all of whose sittings in the study are paid, or rejected."""
    return study.platform_ids.exclude(Exists(_sittings(study).exclude(DECIDED)))


def count_platform_ids(study: Study) -> int:
    return study.platform_ids.count()


def forget_decided(study: Study) -> int:
    """Erase the ids of those who are paid, or rejected, and of their visits. Returns how many people's."""
    count = _erase(study, decided_ids(study), "payment is decided")
    _erase_visits(study, DECIDED)
    return count


def forget_due(now: datetime | None = None) -> int:
    """Erase what the studies keep for a number of days only, of those who were here last before that many."""
    count = 0
    for study in Study.objects.filter(forget_after_days__gt=0):
        now = now or database_now()
        count += _erase(study, due_ids(study, now), f"{study.forget_after_days} days have passed")
        _erase_visits(study, _due(study, now))
    return count


def due_ids(study: Study, now: datetime) -> "QuerySet[PlatformId]":
    """Those that a study which keeps ids for a number of days keeps no longer."""
    return study.platform_ids.exclude(Exists(_sittings(study).exclude(_due(study, now))))


def next_due(study: Study) -> datetime | None:
    """When the next id of the study is erased by itself; None if none ever is."""
    if not study.forget_after_days:
        return None
    last = _sittings(study).annotate(last_here=LAST_HERE).order_by("-last_here").values("last_here")[:1]
    kept = study.platform_ids.annotate(last_here=Subquery(last))
    first: datetime | None = kept.aggregate(first=Min("last_here"))["first"]
    return first and first + timedelta(days=study.forget_after_days)


def _erase_visits(study: Study, which: Q) -> None:
    """The platform's ids of the visits, and from where those came that have not ended."""
    study.sittings.filter(which).exclude(platform_session="", origin="").update(platform_session="", origin="")


def _sittings(study: Study) -> "QuerySet[Sitting]":
    """For rows of PlatformId: theirs in the study."""
    return Sitting.objects.filter(study=study, annotator=OuterRef("annotator"))


def _due(study: Study, now: datetime) -> Q:
    """Sittings of the study of which no id is kept any longer, whatever was decided."""
    until = now - timedelta(days=study.forget_after_days)
    # Of one that holds items the lease runs out first; before the items nobody has one, and nothing ever lapses.
    holds = Q(state=Sitting.State.ACTIVE, stage__in=HOLDING)
    return Q(LessThan(LAST_HERE, until)) & ~holds


def _erase(study: Study, ids: "QuerySet[PlatformId]", because: str) -> int:
    """In batches, each looked at again once it is locked: who begins meanwhile keeps their id (Visitor.annotator)."""
    found = list(ids.order_by("pk").values_list("pk", flat=True))
    erased = 0
    for start in range(0, len(found), BATCH):
        batch = found[start : start + BATCH]
        with transaction.atomic():
            list(PlatformId.objects.select_for_update().filter(pk__in=batch).order_by("pk"))
            gone: int = ids.filter(pk__in=batch).delete()[0]
            if gone:
                record(study, Deed.IDS_FORGOTTEN, facts={"ids": gone, "since": because})
            erased += gone
    return erased


def find_person(study: Study, given: str) -> Annotator | None:
    """Who has taken part with this id of the platform's, also after the id itself was erased; else None."""
    known = Annotator.objects.filter(
        platform=study.id_parameter, external_id=known_by(study.id_parameter, given.strip())
    )
    return known.filter(sittings__study=study).distinct().first()


def everything_about(study: Study, annotator: Annotator) -> dict[str, Any]:
    """Every row of the study that points to the annotator, and what points to those: for a JSON file."""
    sittings = study.sittings.filter(annotator=annotator).order_by("pk")
    return {
        "study": study.slug,
        "annotator": _values(annotator, but=()),
        "platform_id": PlatformId.current(study.pk, annotator.pk),
        "sittings": _with_below(list(sittings.select_related("link")), but=("study", "annotator")),
        "exclusions": _with_below(list(study.exclusions.filter(annotator=annotator)), but=("study", "annotator")),
    }


def _with_below(rows: Sequence[Model], *, but: Sequence[str]) -> list[dict[str, Any]]:
    """Each with the rows that point to it, to any depth; one query for each kind of row."""
    if not rows:
        return []
    told = [_values(row, but=but) for row in rows]
    by_pk = {row.pk: values for row, values in zip(rows, told, strict=True)}
    for relation in type(rows[0])._meta.related_objects:
        field = relation.field
        below = relation.related_model._default_manager.filter(**{f"{field.name}__in": rows}).order_by("pk")
        others = [other for other in relation.related_model._meta.concrete_fields if isinstance(other, ForeignKey)]
        named = [other.name for other in others if other.name != field.name]
        found = list(below.select_related(*named))
        for row, values in zip(found, _with_below(found, but=(field.name, "annotator")), strict=True):
            by_pk[getattr(row, field.attname)].setdefault(relation.get_accessor_name() or "", []).append(values)
    return told


def _values(row: Model, *, but: Sequence[str]) -> dict[str, Any]:
    """Its columns; of rows that it points to, what they are called."""
    values = {}
    for field in row._meta.concrete_fields:
        if field.name in but or field.name == "browser":
            continue
        value = getattr(row, field.name)
        values[field.name] = str(value) if isinstance(value, Model) else value
    return values


class CannotErase(ValueError):
    """Why nothing was erased. str() is a sentence."""


@dataclass(frozen=True, slots=True)
class Erased:
    """`labels` that are gone, also those on checks."""

    sittings: int
    labels: int


def erase(study: Study, annotator: Annotator, *, labels: bool) -> Erased:
    """In one transaction: ids, sessions, the device, and what they said of themselves; with `labels`, every answer.

    An active sitting ends. Slots of labels that counted open again. What stays says that somebody took part, when,
    and what was paid. What other studies know of them is theirs. Raises CannotErase for annotators who never came here.
    """
    if annotator.is_imported or annotator.is_synthetic:
        raise CannotErase("Only people who came by a link can be erased, not imported or synthetic annotators.")
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
        name = study.annotator_numbers.name_of(annotator.pk)
        record(study, Deed.ERASED, name, facts={"sittings": done.sittings, "labels": done.labels})
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
