"""The Celery application. Scoring and training have queues and workers of their own: upkeep, and the figures that pages
wait for, never wait behind a model, and scoring never behind a training."""

import logging.config
import os

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("parallax")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _log_as_the_web_process_does(**_: object) -> None:
    """Without this, Celery would write lines of its own form."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
