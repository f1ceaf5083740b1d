"""Messages for trainings to their worker."""

from collections.abc import Iterable

from scoring.runs.queue import Outbox
from training.models import Training

# A queue of its own, so that scoring never waits for hours behind a training.
TRAININGS = Outbox(task="training.tasks.train", what="training")


def send(trainings: Iterable[Training]) -> None:
    """Messages for trainings that are committed. QueueSilent if the queue does not take them."""
    for training in trainings:
        if training.state != Training.State.FINISHED:
            TRAININGS.send(training.pk)


def recover(*, worker: str | None = None, crashed: bool = True) -> int:
    """Put lost trainings back on the queue; returns how many. The arguments are those of `give_back`."""
    orphans = Training.objects.give_back(worker=worker, crashed=crashed)
    send(orphans)
    return len(orphans)


def resend() -> None:
    """Put every queued training on the queue: it may have been emptied since."""
    send(Training.objects.filter(state=Training.State.QUEUED).order_by("pk"))


def keep_moving() -> None:
    """What upkeep does for trainings: take back lost ones, and fill a queue that was emptied under us."""
    recover()
    if Training.objects.filter(state=Training.State.QUEUED).exists() and TRAININGS.is_empty():
        resend()
