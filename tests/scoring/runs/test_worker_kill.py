"""A real worker on a real queue, killed in the middle of a run: the run completes, every item scored once."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings

from tests.scoring.scorers.weights import MODELS_DIR, needs_weights
from tests.studies import plausibility_rows, write_study

pytestmark = [pytest.mark.slow, needs_weights]

TARGETS = 400
PATIENCE = 120.0


class Installation:
    """A database, a queue and a command line of their own."""

    def __init__(self, var: Path, redis_url: str) -> None:
        self.env = os.environ | {
            "PARALLAX_VAR": str(var),
            "PARALLAX_LOCAL": "1",
            "SECRET_KEY": "only-for-tests",
            "REDIS_URL": redis_url,
            "DATABASE_URL": f"sqlite:///{var / 'worker.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        (var / "models").symlink_to(MODELS_DIR)
        self.log = var / "worker.log"

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=self.env,
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def counts(self) -> dict[str, Any]:
        """The run as the database has it now."""
        script = (
            "import json; from scoring.models import Run, Score; run = Run.objects.get();"
            "print(json.dumps({'state': run.state, 'scored': run.scored, 'unscored': run.unscored,"
            "'total': run.total, 'error': run.error, 'scores': Score.objects.count(),"
            "'items': Score.objects.values('item').distinct().count(), 'chunks': run.chunks.count()}))"
        )
        found: dict[str, Any] = json.loads(self.manage("shell", "-v", "0", "-c", script).strip().splitlines()[-1])
        return found

    def worker(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "celery", "--app", "config", "worker", "--queues", "scoring,upkeep"]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [*command, "--concurrency", "1", "--loglevel", "INFO", "--hostname", "test@%h"],
                env=self.env,
                cwd=settings.BASE_DIR,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_for(self, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while not reached(found := self.counts()):
            assert time.monotonic() < deadline, f"{found}\n{self.log.read_text()[-3000:]}"
        return found


@pytest.fixture
def installation(tmp_path: Path, valkey_url: str) -> Installation:
    made = Installation(tmp_path, valkey_url)
    made.manage("migrate", "-v", "0")
    made.manage("fetch_models")
    folder = write_study(tmp_path / "study", plausibility_rows(TARGETS), slug="killed")
    made.manage("load_study", str(folder))
    # Each test ends the workers that it started, by their process group.
    return made


def test_a_queue_that_is_emptied_under_a_run_is_filled_again(installation, valkey_url):
    """The queue's server died and came back with nothing; upkeep sees chunks that wait for no message."""
    installation.manage("score", "killed", "--model", "splade-tiny", "--metric", "pll", "--no-wait")
    url = valkey_url.replace("redis+socket://", "unix://")
    redis.Redis.from_url(url).flushall()
    worker = installation.worker()
    try:
        # A worker that starts sends them by itself; empty the queue again once it has begun.
        installation.wait_for(lambda found: found["scores"] > 0)
        redis.Redis.from_url(url).delete("scoring")
        assert installation.counts()["chunks"] > 1
        installation.manage("shell", "-v", "0", "-c", "from scoring.runs.queue import keep_moving; keep_moving()")
        found = installation.wait_for(lambda found: found["state"] != "running")
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    assert (found["state"], found["scored"], found["items"]) == ("finished", TARGETS, TARGETS)


def test_a_killed_worker_loses_nothing_and_repeats_nothing(installation):
    worker = installation.worker()
    try:
        installation.manage("score", "killed", "--model", "splade-tiny", "--metric", "pll", "--no-wait")
        partly = installation.wait_for(lambda found: found["scores"] > 0)
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        partly = installation.counts()
        # Killed in the middle, or the test shows nothing.
        assert 0 < partly["scores"] < TARGETS
        assert partly["state"] == "running"
        worker = installation.worker()
        found = installation.wait_for(lambda found: found["state"] != "running")
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    assert found == {
        "state": "finished",
        "scored": TARGETS,
        "unscored": 0,
        "total": TARGETS,
        "error": "",
        "scores": TARGETS,
        "items": TARGETS,
        "chunks": 0,
    }
