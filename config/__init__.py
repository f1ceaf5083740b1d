"""Settings, addresses and the Celery application of Parallax."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
