"""Trainings in each other's way: one that is still leaving, two that finish at once, and a disk that is full."""

import re
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.db import connection

from tests.training.classifier.trainings import SETTINGS, done, encoder, model_of, prepared, sent, study, var
from training.classifier import loop, trainer, working
from training.classifier.starting import go_on, start_training, stop_training
from training.classifier.working import TRAININGS, TrainingProgress, hold_folder, workplace
from training.models import Training
from training.shared.checkpoint import CHECKPOINT, load, save

__all__ = ["encoder", "prepared", "sent", "study", "var"]

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# Seconds, on a machine that does much else.
SOON = 240


def noted(fit, events):
    """`fit`, which also tells when a thread begins it and leaves it."""

    def told(*given, **more):
        name = threading.current_thread().name
        events.append(f"{name} begins")
        try:
            return fit(*given, **more)
        finally:
            events.append(f"{name} ends")

    return told


def telling(taken, turn):
    """`Watched`, which also tells when the second worker has taken the training.

    It asks the database with `turn` in hand: in one in memory, one thread's reading shuts out the other's writing.
    """

    class InTurn(TrainingProgress):
        def hold(self):
            with turn:
                return super().hold()

        def progress(self, **how_far):
            with turn:
                return super().progress(**how_far)

    def watched(training, **more):
        if training.worker == "second":
            taken.set()
        return InTurn(training, **more)

    return watched


@pytest.mark.django_db(transaction=True)
def test_whoever_goes_on_waits_until_the_one_that_was_stopped_has_left(prepared, monkeypatch):
    """Stopped and gone on with at once: the first worker has not noticed yet when the second one begins."""
    training = start_training(prepared, SETTINGS)
    others: list[threading.Thread] = []
    events: list[str] = []
    taken, turn = threading.Event(), threading.Lock()
    plain = trainer.ClassifierTrainer.training_step

    def second():
        try:
            TRAININGS.work(training.pk, worker="second")
        finally:
            connection.close()

    def stopping(trainer, *given):
        if trainer.step == 3 and not others:
            stop_training(Training.objects.get())
            go_on(Training.objects.get())
            others.append(threading.Thread(target=second, name="second"))
            others[0].start()
            assert taken.wait(SOON)
            with turn:
                assert Training.objects.get().worker == "second"
            # Time for the second one to begin, if nothing holds it.
            time.sleep(2)
        return plain(trainer, *given)

    monkeypatch.setattr(working, "TrainingProgress", telling(taken, turn))
    monkeypatch.setattr(trainer, "TELL_SECONDS", 0.0)
    monkeypatch.setattr(trainer.ClassifierTrainer, "training_step", stopping)
    monkeypatch.setattr(loop, "fit", noted(loop.fit, events))
    first = threading.current_thread().name
    TRAININGS.work(training.pk, worker="first")
    others[0].join()
    assert events == [f"{first} begins", f"{first} ends", "second begins", "second ends"]
    training.refresh_from_db()
    assert (training.state, training.error) == ("finished", "")


def test_a_training_that_was_stopped_while_it_waited_for_the_folder_is_left_alone(prepared, monkeypatch):
    training = start_training(prepared, SETTINGS)
    monkeypatch.setattr(working, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(loop, "fit", None)
    tries: list[int] = []
    hold = TrainingProgress.hold

    def held(watched):
        tries.append(1)
        if len(tries) == 3:
            stop_training(Training.objects.get())
        return hold(watched)

    monkeypatch.setattr(TrainingProgress, "hold", held)
    with hold_folder(workplace(training), is_wanted=lambda: True) as is_mine:
        assert is_mine
        assert done(training).state == "stopped"
    assert len(tries) == 3


def test_of_two_that_finish_at_once_the_better_is_kept(prepared, var, monkeypatch):
    """Neither had finished when the other looked."""
    trainings = [start_training(prepared, replace(SETTINGS, seed=seed), in_grid=True) for seed in (1, 2)]
    plain = loop.lay_out

    def meanwhile(*given, **more):
        monkeypatch.setattr(loop, "lay_out", plain)
        done(trainings[1])
        assert trainings[1].model is not None
        return plain(*given, **more)

    monkeypatch.setattr(loop, "lay_out", meanwhile)
    done(trainings[0])
    for one in trainings:
        one.refresh_from_db()
    best = min(trainings, key=lambda one: one.rank)
    assert [one for one in trainings if one.model is not None] == [best]
    assert [folder.name for folder in (var / "models").iterdir()] == [best.key]


def test_a_full_disk_fails_with_the_reason_and_it_goes_on_from_what_was_saved(prepared, monkeypatch):
    """Files may grow to 150 KB: the weights fit, AdamW's two moments of each weight do not."""
    whole = done(start_training(prepared, SETTINGS))
    weights = model_of(whole).file_hash
    model_of(whole).delete()
    Training.objects.all().delete()

    training = start_training(prepared, SETTINGS)

    def full(path, checkpoint):
        if checkpoint.state["step"] < 6:
            return save(path, checkpoint)
        with files_no_larger_than(150_000):
            return save(path, checkpoint)

    with monkeypatch.context() as patch:
        patch.setattr(trainer, "save", full)
        done(training)
    assert training.state == "failed"
    assert re.fullmatch("a file in .* could not be written or read: .*File too large.*", training.error)
    # Half a state is of no use, and holds the room that a full disk lacks.
    assert not list(workplace(training).glob("*.part"))
    assert load(workplace(training) / CHECKPOINT).state["step"] == 3
    done(go_on(training))
    training.refresh_from_db()
    assert (training.state, model_of(training).file_hash) == ("finished", weights)


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """The operating system refuses what would make a file larger, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
