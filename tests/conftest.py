"""Fixtures that several rooms share: a real browser on the live server, real database and queue servers."""

import gc
import random
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Error

from annotation.models import Sitting
from tests.browser import browser_page, chromium, open_page
from tests.either_database import either_url
from tests.migrated import django_db_modify_db_settings, migrated_postgres
from tests.servers import postgres_server, postgres_url, queue, valkey_url

__all__ = [
    "browser_page",
    "chromium",
    "django_db_modify_db_settings",
    "either_url",
    "migrated_postgres",
    "open_page",
    "postgres_server",
    "postgres_url",
    "queue",
    "valkey_url",
]

# No test may fail because the machine is slow: a bound on time says nothing about what is tested. Nor by chance: the
# same examples come at each run.
settings.register_profile("patient", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(autouse=True)
def the_same_draws(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of a sitting's items is drawn by its token: a test has the same tokens at each run."""
    tokens = random.Random(request.node.nodeid)
    token = Sitting._meta.get_field("token")
    monkeypatch.setattr(token, "_get_default", lambda: f"{tokens.getrandbits(128):032x}")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting makes millions of objects that stay: looking for garbage among them took a quarter of its time.

    Afterwards garbage is looked for again, but not among what was there before the first test, and a tenth as often:
    a test makes thousands of objects that go by themselves.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 10, 10)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where Chromium itself did not do as it was asked, the test is run once more, and the summary lists it.

    Our own claims are not: an assertion that fails, fails.
    """
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=[Error], rerun_except=[AssertionError]))
