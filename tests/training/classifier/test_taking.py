"""A training whose encoder this machine has not waits for a worker that has it, and says so; it does not fail."""

from datetime import timedelta

import pytest
from celery import current_app
from django.db.models.functions import Now
from django.urls import reverse

from researcher.management.commands import doctor
from training.classifier import taking
from training.classifier.taking import of_others, waits_of, whose_turn
from training.classifier.working import TRAININGS
from training.models import Training, TrainingWorker
from work import kinds
from work import taking as work_taking
from work.place import place
from work.queue import resend
from work.queues import Queue

pytestmark = pytest.mark.django_db

SENTENCE = "Waits: no running worker has Big encoder."


@pytest.fixture
def training(settings, tmp_path, monkeypatch) -> Training:
    settings.MODELS_DIR, settings.MODEL_STORE = tmp_path / "models", ""
    monkeypatch.setattr(taking.REASONS, "_looked", {})
    base = {"key": "big", "name": "Big encoder", "location": "models", "source": "big", "revision": "", "license": ""}
    settings_of_it = {"learning_rate": 1e-4, "epochs": 1, "batch_size": 1, "seed": 1}
    return Training.objects.create(
        base=base | {"files": {"model.safetensors": "00"}}, recipe="adept", studies=[], settings=settings_of_it,
        labels=[], train_items=1, held_out_items=1, steps=1,
    )  # fmt: skip


@pytest.fixture
def sent(monkeypatch) -> list[int]:
    found: list[int] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: found.append(args[1]))
    monkeypatch.setattr(work_taking, "messages_waiting", lambda queue: 0)
    monkeypatch.setattr(kinds, "PAUSE_SECONDS", 0.0)
    return found


def handed(training: Training) -> None:
    assert TRAININGS.work(training.pk, worker=place(), queue=Queue.TRAINING) is False
    training.refresh_from_db()
    assert (training.state, training.attempts, training.error) == ("queued", 0, "")


def test_it_waits_and_is_left_to_a_worker_that_has_its_encoder(training, sent, client, admin_user):
    handed(training)
    assert sent == [] and waits_of([training]) == {}, "nobody else is known"
    taking.say()
    assert waits_of([training]) == {training.pk: SENTENCE}
    client.force_login(admin_user)
    training.owners.add(admin_user)
    assert client.get(reverse("trainings")).content.decode().count(SENTENCE) == 1
    [said] = doctor._trainings()
    assert said.startswith("No running worker has Big encoder") and "its files are not here" in said
    resend()
    assert sent == []
    other = TrainingWorker.objects.create(place="elsewhere/0", said_at=Now())
    assert waits_of([training]) == {} and of_others(Queue.TRAINING) == training
    handed(training)
    resend()
    assert sent == [training.pk] * 2
    TrainingWorker.objects.filter(pk=other.pk).update(refuses={str(training.pk): "its files are not here"})
    handed(training)
    assert len(sent) == 2 and of_others(Queue.TRAINING) is None


def test_it_starts_by_itself_where_its_encoder_comes(training, sent, settings, monkeypatch):
    taking.say()
    assert whose_turn(Queue.TRAINING) is None
    (settings.MODELS_DIR / "big").mkdir(parents=True)
    Training.objects.update(created_at=Now() - timedelta(minutes=1))
    monkeypatch.setattr(work_taking, "EVERY", 0.0)
    taking.say()
    assert sent == [training.pk] and whose_turn(Queue.TRAINING) == training.pk
    assert waits_of([training]) == {}
