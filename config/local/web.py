"""The web application for `make run`, with its pages already imported.

gunicorn loads this once and then forks, so that the heavy imports are paid for once, and before the
first page rather than during it; so are addresses and the tags of templates, which Django reads with the first page.
"""

from importlib import import_module

from django.conf import settings
from django.template import engines
from django.urls import reverse

from config.wsgi import application

import_module(settings.ROOT_URLCONF)
reverse("login")
engines.all()

__all__ = ["application"]
