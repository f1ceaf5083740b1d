"""A real worker on a real queue, killed in the middle of a training: the weights are those of one left alone."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.scoring.littlebert import adept_rows, write_encoder
from tests.studies import write_study

pytestmark = pytest.mark.slow

PATIENCE = 600.0
# Long enough to be killed in the middle, with states saved by the epoch.
EPOCHS = 60
OPTIONS = ["--learning-rate", "1e-4", "--batch-size", "4", "--epochs", str(EPOCHS), "--held-out", "0.25"]


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

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, env=self.env, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def training(self) -> dict[str, Any]:
        """The one training as the database has it now; read past Django, which takes seconds to start."""
        asked = (
            "SELECT state, step, error, file_hash AS hash FROM scoring_training "
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

    def wait_for(self, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while not reached(found := self.training()):
            time.sleep(0.1)
            assert time.monotonic() < deadline, f"{found}\n{self.log.read_text()[-3000:]}"
        return found


@pytest.fixture
def installation(tmp_path: Path, valkey_url: str) -> Installation:
    made = Installation(tmp_path, valkey_url)
    made.manage("migrate", "-v", "0")
    write_encoder(tmp_path / "little-bert")
    made.manage("load_study", str(write_study(tmp_path / "study", adept_rows(), slug="killed")))
    return made


def test_a_killed_worker_goes_on_from_its_last_saved_state(installation, tmp_path):
    ask = ["train_classifier", "killed", "--recipe", "adept", "--base", str(tmp_path / "little-bert"), *OPTIONS]
    installation.manage(*ask, "--no-wait")
    worker = installation.worker()
    try:
        installation.wait_for(lambda found: found["step"] > 0)
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        partly = installation.training()
        # Killed in the middle, or the test shows nothing.
        assert partly["state"] == "running"
        assert 0 < partly["step"] < 9 * EPOCHS
        assert list((tmp_path / "training").glob("*/saved-*"))
        worker = installation.worker()
        found = installation.wait_for(lambda found: found["state"] in ("finished", "failed"))
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    assert (found["state"], found["error"], found["step"]) == ("finished", "", 9 * EPOCHS)
    # The same once more, left alone, in a process of its own.
    forget = "from scoring.models import LanguageModel, Training; LanguageModel.objects.all().delete();"
    installation.manage("shell", "-v", "0", "-c", forget + "Training.objects.all().delete()")
    installation.manage(*ask, "--here")
    assert installation.training()["hash"] == found["hash"]
