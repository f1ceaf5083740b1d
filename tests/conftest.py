"""Fixtures that several rooms share: a real browser on the live server, real database and queue servers."""

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
