"""Trainings as rows, without a queue: fixtures for a small study and a tiny encoder."""

from pathlib import Path

import pytest

from annotation.loading import load_study
from scoring.models import LanguageModel
from scoring.runs import starting as runs
from scoring.scorers.recipes import recipe
from tests.scoring.scorers.little.bert import adept_rows, write_encoder
from tests.studies import write_study
from training.classifier import starting
from training.classifier.bases import find_base
from training.classifier.settings import Settings
from training.classifier.starting import prepare
from training.classifier.working import TRAININGS
from training.models import Training
from work import queue

SETTINGS = Settings(learning_rate=5e-3, epochs=2, batch_size=16, held_out=0.25)


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """What was put on the queue. The queue itself is met in test_kill.py."""
    messages: list[int] = []
    for module in (starting, queue):
        monkeypatch.setattr(module, "send", lambda rows: messages.extend(row.pk for row in rows))
    monkeypatch.setattr(runs, "send", lambda chunks: None)
    return messages


@pytest.fixture(autouse=True)
def var(tmp_path, settings):
    settings.VAR_DIR = tmp_path / "var"
    settings.MODELS_DIR = tmp_path / "var" / "models"
    return tmp_path / "var"


@pytest.fixture
def encoder(tmp_path) -> Path:
    return write_encoder(tmp_path / "little-bert")


@pytest.fixture
def study(tmp_path):
    return load_study(write_study(tmp_path / "adept", adept_rows(), slug="adept")).study


@pytest.fixture
def prepared(encoder, study):
    return ready(encoder, [study])


def ready(encoder, studies, *, key="adept", apart_from=(), settings=SETTINGS):
    return prepare(find_base(str(encoder)), recipe(key), studies, apart_from=apart_from, settings=settings)


def model_of(training: Training) -> LanguageModel:
    assert training.model is not None
    return training.model


def done(training: Training) -> Training:
    TRAININGS.work(training.pk, worker="w")
    training.refresh_from_db()
    return training
