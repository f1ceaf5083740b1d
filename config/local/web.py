"""The web application for `make run`, with its pages already imported.

gunicorn loads this once and then forks, so that the heavy imports are paid for once, and before the
first page rather than during it.
"""

from importlib import import_module

from django.conf import settings

from config.wsgi import application

import_module(settings.ROOT_URLCONF)

__all__ = ["application"]
