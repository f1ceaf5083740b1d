"""The Celery application. Scoring and training have queues and workers of their own: upkeep, and the figures that pages
wait for, never wait behind a model, and scoring never behind a training."""

import logging.config
import os
from typing import Any

from celery import Celery, Task
from celery.signals import setup_logging

from config.frames import with_room

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class TaskWithRoom(Task[Any, Any]):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return with_room(super().__call__)(*args, **kwargs)


app = Celery("parallax", task_cls=TaskWithRoom)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _log_as_the_web_process_does(**_: object) -> None:
    """Without this, Celery would write lines of its own form."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
