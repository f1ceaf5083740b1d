"""Fixtures that several rooms share: a real browser on the live server, real database and queue servers."""

from hypothesis import HealthCheck, settings

from tests.browser import browser_page, chromium, open_page
from tests.either_database import either_url
from tests.servers import postgres_server, postgres_url, queue, valkey_url

__all__ = [
    "browser_page",
    "chromium",
    "either_url",
    "open_page",
    "postgres_server",
    "postgres_url",
    "queue",
    "valkey_url",
]

# No test may fail because the machine is slow: a bound on time says nothing about what is tested.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
