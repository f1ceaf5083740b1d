"""Which trainings this machine's workers take: those whose encoder is here or can be fetched."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models.functions import Now

from scoring.library.model_store import lack
from training.classifier.bases import Base
from training.models import Training, TrainingWorker
from work.queues import Queue
from work.taking import EVERY, Reasons, keep_saying, send_without_message


def _look(pks: set[int]) -> dict[int, str]:
    return {row.pk: lack(Base(**row.base)) for row in Training.objects.filter(pk__in=pks)}


REASONS = Reasons(_look)


def refused(trainings: Iterable[Training]) -> set[int]:
    return {*REASONS.of(row.pk for row in trainings)}


def whose_turn(queue: str) -> int | None:
    """The first that waits and that this worker takes."""
    waiting = Training.objects.waiting()
    first = waiting.exclude(pk__in=refused(waiting)).first()
    return first.pk if first else None


def of_others(queue: str) -> Training | None:
    """One that waits, which this worker does not take and another one does, as far as is known."""
    theirs = refused(Training.objects.waiting())
    if not theirs:
        return None
    for worker in TrainingWorker.objects.others():
        if pks := theirs - {int(pk) for pk in worker.refuses}:
            return Training.objects.waiting().filter(pk__in=pks).first()
    return None


def waits_of(trainings: Iterable[Training]) -> dict[int, str]:
    """By training, in a sentence, that it waits for a worker that has its encoder."""
    waiting = [row for row in trainings if row.state == row.WAITS]
    nowhere = TrainingWorker.objects.all_refuse() if waiting else set()
    return {row.pk: f"Waits: no running worker has {row.base['name']}." for row in waiting if str(row.pk) in nowhere}


def say() -> None:
    """Write down what this process refuses, and send what it takes and finds without a message."""
    waiting = Training.objects.waiting()
    reasons = REASONS.of(row.pk for row in waiting)
    TrainingWorker.objects.say(refuses={str(pk): reason for pk, reason in reasons.items()})
    # Of what was asked for just now the message is on its way.
    mine = waiting.exclude(pk__in=reasons).filter(created_at__lt=Now() - timedelta(seconds=EVERY))
    send_without_message(mine, Queue.TRAINING)


keep_saying(Queue.TRAINING, say)
