"""Every queue has its worker, every kind of work is known to workers, and nothing slow holds up what takes moments."""

import re
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings

from config.local.__main__ import programs
from tests.house.sources import ROOT
from work.kinds import KINDS, in_words
from work.queue import GRACE, send, sent_models
from work.queues import Queue

# A slow receiver holds up no other work.
OTHERS = {"annotation.tasks.send_webhooks": Queue.WEBHOOKS}
RUNNING = ROOT / "docs" / "running.md"
WORKER = re.compile(r"^(nice -n 10 )?.*celery --app config worker .*--queues (\S+) .*--hostname (\w+)@%h")


def queue_of(task: str) -> str:
    route = current_app.amqp.router.route({}, task)
    return str(getattr(route.get("queue"), "name", settings.CELERY_TASK_DEFAULT_QUEUE))


def workers(commands: list[str]) -> dict[str, tuple[str, bool]]:
    """By queue, the name of the worker that reads it, and whether it yields to others."""
    found = [match.groups() for match in map(WORKER.match, commands) if match]
    return {queue: (name, bool(nice)) for nice, queues, name in found for queue in queues.split(",")}


def test_what_takes_minutes_has_another_queue():
    current_app.loader.import_default_modules()
    ours = {name for name in current_app.tasks if not name.startswith("celery.")} - {"work.tasks.do"}
    struck = {one["task"] for one in settings.CELERY_BEAT_SCHEDULE.values()}
    assert struck == ours, "all else is a row that waits, and is counted"
    assert {name: queue for name in ours if (queue := queue_of(name)) != Queue.UPKEEP} == OTHERS
    assert Queue.UPKEEP not in {model.QUEUE for model in sent_models()}


def test_every_kind_of_which_messages_are_sent_is_registered():
    current_app.loader.import_default_modules()
    assert {model._meta.label for model in sent_models()} == set(KINDS)


def test_make_run_and_its_docs_have_a_worker_for_every_queue_on_which_something_is_sent():
    started = workers([" ".join(one.command) for one in programs(Path("var"), Path("log"), port=8000).values()])
    rows = dict(re.findall(r"^\| [a-z ]+ \| `parallax-worker@(\w+)` \| (.+) \|$", RUNNING.read_text(), re.MULTILINE))
    told = {queue: (queue, "`nice`" in said) for queue, said in rows.items()}
    sent = {model.QUEUE for model in sent_models()} | {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
    assert sent | {settings.CELERY_TASK_DEFAULT_QUEUE} <= set(started) == set(Queue)
    assert told == started | {Queue.WEBHOOKS: ("webhooks", False)}


def test_every_message_says_how_long_its_worker_may_take(monkeypatch):
    sent = {}
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: sent.update(options))
    models: list[Any] = [*sent_models()]
    for model in models:
        row = model(state=model.WAITS)
        monkeypatch.setattr(model, "queue", model.QUEUE)
        monkeypatch.setattr(model, "priority", 0)
        send([row])
        seconds = row.limit.total_seconds()
        assert (sent["soft_time_limit"], sent["time_limit"]) == (seconds, seconds + GRACE), model
    assert settings.CELERY_TASK_SOFT_TIME_LIMIT < settings.CELERY_TASK_TIME_LIMIT <= 300


def test_docs_say_the_limits():
    said = (ROOT / "docs/running.md").read_text()
    for limit in {model.LIMIT for model in sent_models()}:
        assert in_words(limit) in said
