"""Trainings from the command line: watched, with a bar over all their steps and a line for each when they have ended,
or done in the command's own process, for a machine that has a GPU and no worker.
"""

import os
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from celery import current_app
from tqdm import tqdm

from training.classifier.taking import waits_of
from training.classifier.working import TRAININGS, train
from training.models import Training
from work.queue import QueueGone, ask_workers

HERE = "here@"

POLL_SECONDS = 1.0
# How long nothing may move before the workers are asked whether one of them trains. Loading and reading take a while.
PATIENCE_SECONDS = 30.0


class NobodyTrains(RuntimeError):
    """No worker takes trainings. str() says how to start one."""


def watch(trainings: Sequence[Training]) -> None:
    """Return when all have ended, whatever came of them. NobodyTrains if none moves and no worker is there.

    That some wait for a worker which has their encoder is said from time to time.
    """
    moved = time.monotonic()
    with bar_over(trainings) as bar:
        while any(one.is_live for one in trainings):
            time.sleep(POLL_SECONDS)
            before = _signs(trainings)
            for one in trainings:
                one.refresh_from_db()
            show(bar, trainings)
            if _signs(trainings) != before:
                moved = time.monotonic()
            elif time.monotonic() - moved > PATIENCE_SECONDS:
                moved = time.monotonic()
                _require_worker()
                for message in dict.fromkeys(waits_of(trainings).values()):
                    bar.write(message)


def bar_over(trainings: Sequence[Training]) -> "tqdm[NoReturn]":
    """A bar over the steps of all of them."""
    return tqdm(total=sum(one.steps for one in trainings), initial=_done(trainings), unit="step", desc="training")


def show(bar: "tqdm[NoReturn]", trainings: Sequence[Training]) -> None:
    """Move the bar to where they are."""
    bar.n = _done(trainings)
    # After a kill a training goes on from its last checkpoint, which is behind what the row said last.
    bar.initial = min(bar.initial, bar.n)
    bar.set_postfix_str(_latest(trainings))


def report(trainings: Sequence[Training]) -> Iterator[str]:
    """A line a training as it stands now, and which is the best of several."""
    for one in trainings:
        # A later one of its grid may have taken its weights' place.
        one.refresh_from_db()
    for one in trainings:
        yield f"{one}: {_outcome(one)}"
    finished = [one for one in trainings if one.state == Training.State.FINISHED]
    if len(finished) > 1:
        best = min(finished, key=lambda one: one.rank)
        yield f"best of {len(finished)}: {best}, held-out accuracy {best.accuracy:.4f}: {_which_was_kept(best)}"


def _outcome(one: Training) -> str:
    if one.state == Training.State.FINISHED:
        return f"held-out accuracy {one.accuracy:.4f} after epoch {one.epoch}; {_which_was_kept(one)}"
    reached = f"{one.state}, {one.step} of {one.steps} steps"
    return f"{reached}: {one.error}" if one.error else reached


def _which_was_kept(one: Training) -> str:
    if one.model is not None:
        return f"model {one.model.key}"
    # Every training of this contest that was ever asked for in a grid, not only those of this command.
    rivals = Training.objects.filter(contest=one.contest, in_grid=True, state=Training.State.FINISHED)
    best = min(rivals.exclude(model=None).select_related("model"), key=lambda rival: rival.rank, default=None)
    return "weights not kept" + (f"; {best.model.key}, from the same items, is better" if best and best.model else "")


def _done(trainings: Sequence[Training]) -> int:
    return sum(one.steps if one.state == Training.State.FINISHED else one.step for one in trainings)


def _signs(trainings: Sequence[Training]) -> list[tuple[Any, ...]]:
    """What changes while someone trains: the lease also where a step, or judging the held-out part, takes long."""
    return [(one.state, one.step, one.lease_expires_at) for one in trainings]


def _latest(trainings: Sequence[Training]) -> str:
    running = next((one for one in trainings if one.state == Training.State.RUNNING), None)
    points = running.curves.get("loss") if running is not None else None
    return f"loss {points[-1][1]:.3f}" if points else ""


def _require_worker() -> None:
    try:
        queues = ask_workers(lambda: current_app.control.inspect(timeout=3.0).active_queues()) or {}
    except QueueGone as error:
        raise NobodyTrains(
            f"{error} The trainings are stored and continue when it can be reached. To train in this process, use "
            f"--here."
        ) from error
    if not any(queue["name"] == Training.QUEUE for worker_queues in queues.values() for queue in worker_queues):
        raise NobodyTrains(
            "No worker takes trainings. They are stored and start with one: make run, or celery --app config worker "
            f"--queues {Training.QUEUE}. To train in this process, use --here."
        )


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
                replace(TRAININGS, do=partial(train, on_step=on_step)).work(training.pk, worker=_place(os.getpid()))
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
