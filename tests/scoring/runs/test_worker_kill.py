"""A real worker on a real queue, killed in the middle of a run: the run completes, every item scored once."""

import copy
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.forked import Forked
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


def test_a_run_waits_for_a_worker_that_takes_its_model_and_survives_its_kill(installation, tmp_path, valkey_url):
    """The other worker, which does not take it, lives all the time, and has most of the messages."""
    little = shutil.copytree(MODELS_DIR / "splade-tiny", tmp_path / "little")
    installation.call(
        ["add_model", "little", "--source", str(little), "--family", "masked"],
        SCORE,
        [part if part != "splade-tiny" else "little" for part in SCORE],
    )
    state = "SELECT state, scored, error, (SELECT COALESCE(MAX(attempts), 0) FROM scoring_chunk) AS attempts "
    of = state + "FROM scoring_run JOIN scoring_languagemodel ON scoring_languagemodel.id = model_id WHERE key = "

    def worker(model: str) -> Forked:
        one: Installation = copy.copy(installation)
        one.env = installation.env | {"SCORING_MODELS": model}
        return one.worker(Queue.SCORING, name=model)

    workers = [worker("splade-tiny")]
    try:
        installation.wait_for(lambda: installation.row(of + "'splade-tiny'")["state"] == "finished")
        said = "SELECT COUNT(*) AS workers, MAX(refuses) AS refuses FROM scoring_scoringworker"
        found = installation.wait_for(lambda: one if "little" in (one := installation.row(said))["refuses"] else None)
        assert found == {"workers": 1, "refuses": '{"little": "its SCORING_MODELS does not name it"}'}
        assert installation.row(of + "'little'") == {"state": "queued", "scored": 0, "error": "", "attempts": 0}
        workers.append(worker("little"))
        installation.wait_for(lambda: installation.row(of + "'little'")["scored"])
        kill(workers.pop())
        assert installation.row(of + "'little'")["scored"] < TARGETS
        redis.Redis.from_url(valkey_url.replace("redis+socket://", "unix://")).flushall()
        workers.append(worker("little"))
        installation.wait_for(lambda: installation.row(of + "'little'")["state"] != "running")
        assert installation.row(of + "'little'") == {"state": "finished", "scored": TARGETS, "error": "", "attempts": 0}
    finally:
        for one in workers:
            kill(one)


def kill(worker: Forked) -> None:
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
