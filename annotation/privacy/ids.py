"""Erasing platforms' ids: once payment is decided, or so long after somebody was here last as the study says.

What stays is the keyed hash (annotation/arrival/known_by.py): who comes again is still known to have been here.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import LessThan
from django.utils import timezone

from annotation.models import ComprehensionTry, Consent, PlatformId, Sitting, Study
from annotation.models.sitting import HOLDING

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


def decided_ids(study: Study) -> "QuerySet[PlatformId]":
    """Of people in the study whose payment is decided, here and in every other study they have taken part in."""
    mine = Sitting.objects.filter(study=study, annotator=OuterRef("annotator"))
    return _not_needed(PlatformId.objects.filter(Exists(mine)), timezone.now())


def kept_ids(study: Study) -> int:
    mine = Sitting.objects.filter(study=study, annotator=OuterRef("annotator"))
    return PlatformId.objects.filter(Exists(mine)).count()


def forget_decided(study: Study) -> int:
    """Erase the ids of those who are paid, or rejected, and of their visits. Returns how many people's."""
    count = _erase(decided_ids(study), timezone.now())
    study.sittings.filter(DECIDED).exclude(platform_session="").update(platform_session="")
    return count


def forget_due(now: datetime | None = None) -> int:
    """Erase what the studies keep for a number of days only, of those who were here last before that many."""
    now = now or timezone.now()
    due = _due(now)
    if due is None:
        return 0
    mine = Sitting.objects.filter(due, annotator=OuterRef("annotator"))
    count = _erase(_not_needed(PlatformId.objects.filter(Exists(mine)), now), now)
    Sitting.objects.filter(due).exclude(platform_session="").update(platform_session="")
    return count


def next_due(study: Study) -> datetime | None:
    """When the next id of the study is erased by itself; None if none ever is."""
    if not study.forget_after_days:
        return None
    kept = study.sittings.filter(source=None, annotator__platform_id__isnull=False)
    first: datetime | None = kept.annotate(last_here=LAST_HERE).aggregate(first=Min("last_here"))["first"]
    return first and first + timedelta(days=study.forget_after_days)


def is_needed_elsewhere(study: Study) -> "Exists":
    """For rows of PlatformId: whether another study has yet to decide whether to pay."""
    needed = _needed(timezone.now()).exclude(study=study)
    return Exists(needed.filter(annotator=OuterRef("annotator")))


def _not_needed(ids: "QuerySet[PlatformId]", now: datetime) -> "QuerySet[PlatformId]":
    return ids.exclude(Exists(_needed(now).filter(annotator=OuterRef("annotator"))))


def _needed(now: datetime) -> "QuerySet[Sitting]":
    """Sittings held here that are neither paid nor rejected, unless the time that their study keeps ids has passed."""
    undecided = Sitting.objects.filter(source=None, payment=Sitting.Payment.UNDECIDED)
    due = _due(now)
    return undecided if due is None else undecided.exclude(due)


def _due(now: datetime) -> Q | None:
    """Sittings of which no id is kept any longer, whatever was decided; None where no study has such a time."""
    due = None
    for pk, days in Study.objects.filter(forget_after_days__gt=0).values_list("pk", "forget_after_days"):
        until = now - timedelta(days=days)
        # Of one that holds items the lease runs out first; before the items nobody has one, and nothing ever lapses.
        holds = Q(state=Sitting.State.ACTIVE, stage__in=HOLDING)
        one = Q(study=pk) & Q(LessThan(LAST_HERE, until)) & ~holds
        due = one if due is None else due | one
    return due


def _erase(ids: "QuerySet[PlatformId]", now: datetime) -> int:
    """In batches, each looked at again once it is locked: who begins meanwhile keeps their id (Visitor.annotator)."""
    found = list(ids.order_by("pk").values_list("pk", flat=True))
    erased = 0
    for start in range(0, len(found), BATCH):
        with transaction.atomic():
            batch = PlatformId.objects.filter(pk__in=found[start : start + BATCH])
            list(batch.select_for_update().order_by("pk"))
            erased += _not_needed(batch, now).delete()[0]
    return erased
