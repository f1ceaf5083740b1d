"""Training in the process of the command, without a queue: for a machine that has a GPU and no worker."""

import os
import socket
from collections.abc import Sequence
from typing import Any

from training.classifier.watching import bar_over, show
from training.classifier.working import work
from training.models import Training

HERE = "here@"


def train_here(trainings: Sequence[Training]) -> None:
    """Do those that wait, one after the other, with a bar over the steps of all.

    Interrupted, the one under way is given back where it was last saved.
    """
    give_back_dead()
    with bar_over(trainings) as bar:
        for training in trainings:

            def on_step(step: int, curves: dict[str, Any], training: Training = training) -> None:
                training.state, training.step, training.curves = Training.State.RUNNING, step, curves
                show(bar, trainings)

            try:
                work(training.pk, worker=_place(os.getpid()), on_step=on_step)
            except KeyboardInterrupt:
                _give_back(_place(os.getpid()))
                raise
            training.refresh_from_db()
            show(bar, trainings)


def give_back_dead() -> None:
    """Trainings of commands on this machine that were killed: their claims need not run out first."""
    mine = Training.objects.filter(state=Training.State.RUNNING, worker__startswith=f"{HERE}{socket.gethostname()}/")
    for worker in set(mine.values_list("worker", flat=True)):
        if not _is_alive(int(worker.rpartition("/")[2])):
            _give_back(worker)


def _place(pid: int) -> str:
    return f"{HERE}{socket.gethostname()}/{pid}"


def _give_back(worker: str) -> None:
    claimed = Training.objects.filter(state=Training.State.RUNNING, worker=worker)
    claimed.update(state=Training.State.QUEUED, worker="", lease_expires_at=None)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
