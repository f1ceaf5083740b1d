"""Settings, addresses and the Celery application of Parallax; `local` is `make run`.

The roof: config may import every room, and no room imports config (but for Django, which loads the settings by name).
To add a setting: read it with `env` in settings.py, and a line in docs/settings.md (a test asks for both).
"""

from config.celery import app as celery_app

__all__ = ["celery_app"]
