"""The Celery application. Scoring has a queue of its own, so that upkeep never waits behind a model."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("parallax")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
