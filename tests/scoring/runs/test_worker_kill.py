"""A real worker on a real queue, killed in the middle of a run: the run completes, every item scored once."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.installation import Installation
from tests.scoring.scorers.weights import MODELS_DIR, needs_weights
from tests.studies import plausibility_rows, write_study
from work.queues import Queue

pytestmark = [pytest.mark.slow, needs_weights]

TARGETS = 400
QUEUES = f"{Queue.SCORING},{Queue.UPKEEP}"
SCORE = ["score", "killed", "--model", "splade-tiny", "--metric", "pll", "--no-wait"]
KEEP_MOVING = "import django; django.setup(); from work.queue import keep_moving; keep_moving()"


def counts(installation: Installation) -> dict[str, Any]:
    """The run as the database has it now."""
    return installation.row(
        "SELECT state, scored, unscored, total, error, (SELECT count(*) FROM scoring_score) AS scores, "
        "(SELECT count(DISTINCT item_id) FROM scoring_score) AS items, "
        "(SELECT count(*) FROM scoring_chunk) AS chunks FROM scoring_run"
    )


def wait_for(installation: Installation, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The run, as soon as it has come that far."""
    return installation.wait_for(lambda: found if reached(found := counts(installation)) else None)


@pytest.fixture
def installation(tmp_path: Path, valkey_url: str) -> Installation:
    made = Installation(tmp_path, valkey_url)
    (tmp_path / "models").symlink_to(MODELS_DIR)
    folder = write_study(tmp_path / "study", plausibility_rows(TARGETS), slug="killed")
    made.call(["fetch_models", "--only", "splade-tiny"], ["load_study", str(folder)])
    return made


def test_a_queue_that_is_emptied_under_a_run_is_filled_again(installation, valkey_url):
    """The queue's server died and came back with nothing; upkeep sees chunks that wait for no message."""
    installation.call(SCORE)
    url = valkey_url.replace("redis+socket://", "unix://")
    redis.Redis.from_url(url).flushall()
    worker = installation.worker(QUEUES)
    try:
        # A worker that starts sends them by itself; empty the queue again once it has begun.
        wait_for(installation, lambda found: found["scores"] > 0)
        server = redis.Redis.from_url(url)
        # One list for each priority.
        if keys := server.keys("scoring*"):
            server.delete(*keys)
        assert counts(installation)["chunks"] > 1
        assert installation.run("-c", KEEP_MOVING).returncode == 0
        found = wait_for(installation, lambda found: found["state"] != "running")
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    assert (found["state"], found["scored"], found["items"]) == ("finished", TARGETS, TARGETS)


def test_a_killed_worker_loses_nothing_and_repeats_nothing(installation):
    worker = installation.worker(QUEUES)
    try:
        installation.call(SCORE)
        partly = wait_for(installation, lambda found: found["scores"] > 0)
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        partly = counts(installation)
        # Killed in the middle, or the test shows nothing.
        assert 0 < partly["scores"] < TARGETS
        assert partly["state"] == "running"
        worker = installation.worker(QUEUES)
        found = wait_for(installation, lambda found: found["state"] != "running")
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
