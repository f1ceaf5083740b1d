"""What is to be told, stored in the transaction in which it happens: a crash loses none, and none is told of what was
undone. A worker sends it (`sending`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.audit.deeds import Worded
from annotation.models import Delivery, Study, Webhook
from annotation.models.sitting import SittingQuerySet
from annotation.platforms import Outcome


class Event(Worded):
    """The value stands in messages."""

    STUDY_COMPLETE = "study.complete", "every item has its labels"
    RUN_FINISHED = "run.finished", "a run has finished or failed"
    SITTING_FINISHED = "sitting.finished", "a batch has ended"
    TEST = "test", "a message to try an address, which is only ever asked for on the page"


# What an address can be told of by itself.
TOLD = tuple(event for event in Event if event is not Event.TEST)


def tell(study_id: int, event: Event, facts: Mapping[str, Any]) -> None:
    """In the caller's transaction. `facts` name nobody."""
    put(_wanting(study_id, event), event, facts)


def end_sittings(sittings: SittingQuerySet, study_id: int, outcome: Outcome) -> int:
    """End those of the study that have not ended, and tell of each. The caller holds the study's lock.

    Where nobody is to be told, which is one look into an index, it is one update.
    """
    ended = sittings.end(outcome)
    if ended and (wanting := _wanting(study_id, Event.SITTING_FINISHED)):
        put(wanting * ended, Event.SITTING_FINISHED, {"outcome": outcome.value})
    return ended


def tell_completed() -> None:
    """Of every study that has come to all its labels since it was looked at last; once it lacks some, anew."""
    for webhook in Webhook.objects.filter(study__deleted_at=None).select_related("study"):
        shut = webhook.told_complete and webhook.study.state != Study.State.OPEN
        if Event.STUDY_COMPLETE not in webhook.events or shut:
            continue
        complete = is_complete(webhook.study)
        # By whoever is first, of two workers.
        with transaction.atomic():
            turned = Webhook.objects.filter(pk=webhook.pk, told_complete=not complete)
            if turned.update(told_complete=complete) and complete:
                put([webhook], Event.STUDY_COMPLETE, {})


def put(webhooks: Iterable[Webhook], event: Event, facts: Mapping[str, Any]) -> None:
    now = timezone.now()
    Delivery.objects.bulk_create(
        Delivery(webhook=webhook, event=event.value, facts=dict(facts), happened_at=now, next_at=now)
        for webhook in webhooks
    )


def _wanting(study_id: int, event: Event) -> list[Webhook]:
    return [one for one in Webhook.objects.filter(study=study_id) if event in one.events]


def is_complete(study: Study) -> bool:
    targets = study.items.targets()
    return targets.exists() and not targets.filter(counted__lt=F("target")).exists()
