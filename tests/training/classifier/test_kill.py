"""A real worker on a real queue, killed in the middle of a training: the weights are those of one left alone."""

import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch
from django.conf import settings

from scoring.scorers import ModelSpec
from scoring.scorers.networks.weights import file_hashes
from tests.scoring.scorers.little_bert import adept_rows, write_encoder
from tests.studies import write_study
from tests.training.classifier.test_loop import Told, parted
from training.classifier.loop import Task, fit
from training.classifier.settings import Settings
from training.shared.checkpoint import CHECKPOINT, load, save

pytestmark = pytest.mark.slow

PATIENCE = 600.0
# Killed once the first of them has ended and is saved; the others take a second or more.
EPOCHS = 12
SETTINGS = Settings(learning_rate=1e-4, batch_size=4, epochs=EPOCHS, held_out=0.25)
OPTIONS = ["--learning-rate", "1e-4", "--batch-size", "4", "--epochs", str(EPOCHS), "--held-out", "0.25"]
# No training has such a loss: where it is found afterwards, the state that it was written into was gone on from.
MARK = 1000.0


class Installation:
    """A database, a queue and a command line of their own."""

    def __init__(self, var: Path, redis_url: str) -> None:
        self.env = os.environ | {
            "PARALLAX_VAR": str(var),
            "PARALLAX_LOCAL": "1",
            "SECRET_KEY": "only-for-tests",
            "REDIS_URL": redis_url,
            "DATABASE_URL": f"sqlite:///{var / 'trainings.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            # One thread: what two add up may come in another order.
            "OMP_NUM_THREADS": "1",
        }
        self.database = var / "trainings.sqlite3"
        self.log = var / "worker.log"

    def call(self, *commands: Sequence[str]) -> None:
        """Some of manage.py's commands, in one process."""
        code = (
            "import django; django.setup()\nfrom django.core.management import call_command\n"
            f"for command in {[list(command) for command in commands]!r}: call_command(*command)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=self.env, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def training(self) -> dict[str, Any]:
        """The one training as the database has it now; read past Django, which takes seconds to start."""
        asked = (
            "SELECT training_training.state, step, error, curves, files FROM training_training "
            "LEFT JOIN scoring_languagemodel ON scoring_languagemodel.id = model_id"
        )
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)) as connection:
            connection.row_factory = sqlite3.Row
            return dict(connection.execute(asked).fetchone())

    def worker(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "celery", "--app", "config", "worker", "--queues", "training"]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [*command, "--concurrency", "1", "--loglevel", "INFO", "--hostname", "training@%h"],
                env=self.env,
                cwd=settings.BASE_DIR,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_for(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not reached():
            time.sleep(0.02)
            assert time.monotonic() < deadline, f"{self.training()}\n{self.log.read_text()[-3000:]}"


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    return write_encoder(tmp_path / "little-bert")


@pytest.fixture
def installation(tmp_path: Path, encoder: Path, valkey_url: str) -> Installation:
    """With one training on its queue."""
    made = Installation(tmp_path, valkey_url)
    folder = write_study(tmp_path / "study", adept_rows(), slug="killed")
    ask = ["train_classifier", "killed", "--recipe", "adept", "--base", str(encoder), *OPTIONS, "--no-wait"]
    made.call(["migrate", "-v", "0"], ["load_study", str(folder)], ask)
    return made


def test_a_killed_worker_goes_on_from_its_last_saved_state(installation, encoder, tmp_path):
    worker = installation.worker()
    try:
        installation.wait_for(lambda: any((tmp_path / "training").glob(f"*/{CHECKPOINT}")))
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        # Killed in the middle, or the test shows nothing.
        assert installation.training()["state"] == "running"
        mark(tmp_path / "training")
        worker = installation.worker()
        installation.wait_for(lambda: installation.training()["state"] in ("finished", "failed"))
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    found = installation.training()
    assert (found["state"], found["error"], found["step"]) == ("finished", "", 9 * EPOCHS)
    assert max(loss for _, loss in json.loads(found["curves"])["loss"]) > MARK / 9
    assert json.loads(found["files"])["model.safetensors"] == left_alone(encoder, tmp_path / "alone")


def mark(folder: Path) -> None:
    """Write a loss of its own into the last state: it is told with the others, and nothing is learnt from it."""
    (path,) = folder.glob(f"*/{CHECKPOINT}")
    checkpoint = load(path)
    losses = checkpoint.state["history"]["losses"]
    assert 0 < len(losses) < 9 * EPOCHS
    losses[0] = MARK
    save(path, checkpoint)


def left_alone(encoder: Path, folder: Path) -> str:
    """The sha256 of the weights that the same training has in this process, without a worker and without a pause."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        base = ModelSpec("encoder", str(encoder), "", file_hashes(encoder))
        trained = fit(Task(base=base, split=parted(), settings=SETTINGS), folder=folder, listener=Told())
    finally:
        torch.set_num_threads(threads)
    return hashlib.sha256(trained.weights.read_bytes()).hexdigest()
