"""Erasing platforms' ids: once payment is decided, or so long after somebody was here last as the study says.

What stays is the keyed hash (annotation/arrival/visitor.py): who comes again is still known to have been here.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import LessThan
from django.utils import timezone

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
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
    """Of people all of whose sittings in the study are paid, or rejected."""
    return study.platform_ids.exclude(Exists(_sittings(study).exclude(DECIDED)))


def kept_ids(study: Study) -> int:
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
        due = _due(study, now or timezone.now())
        ids = study.platform_ids.exclude(Exists(_sittings(study).exclude(due)))
        count += _erase(study, ids, f"{study.forget_after_days} days have passed")
        _erase_visits(study, due)
    return count


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
