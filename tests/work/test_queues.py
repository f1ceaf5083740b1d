"""Every queue has its worker, every kind of work is known to workers, and nothing slow holds up what takes moments."""

from celery import current_app
from django.conf import settings

from work.kinds import KINDS
from work.queue import sent_models

MOMENTS = settings.CELERY_TASK_DEFAULT_QUEUE
MINUTES = ("comparison.tasks.compute", "researcher.tasks.plan", "researcher.tasks.what_if", "researcher.tasks.sum_up")


def queue_of(task: str) -> str:
    route = current_app.amqp.router.route({}, task)
    return str(getattr(route.get("queue"), "name", MOMENTS))


def test_what_takes_minutes_has_another_queue():
    current_app.loader.import_default_modules()
    ours = {name for name in current_app.tasks if not name.startswith("celery.")} - {"work.tasks.do"}
    struck = {one["task"] for one in settings.CELERY_BEAT_SCHEDULE.values()}
    assert struck <= ours
    assert {name for name in ours if queue_of(name) != MOMENTS} == ours - struck == set(MINUTES)
    assert MOMENTS not in {model.QUEUE for model in sent_models()}


def test_every_kind_of_which_messages_are_sent_is_registered():
    current_app.loader.import_default_modules()
    assert {model._meta.label for model in sent_models()} == set(KINDS)
