"""The Celery application. Scoring and training have queues and workers of their own: upkeep, and the figures that pages
wait for, never wait behind a model, and scoring never behind a training."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("parallax")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
