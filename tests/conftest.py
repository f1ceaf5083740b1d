"""Fixtures that several rooms share: a real browser on the live server, real database and queue servers."""

import gc
import re
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import transaction
from hypothesis import HealthCheck, settings
from playwright.sync_api import Error
from pytest_django.plugin import DjangoDbBlocker

from corpus.formats import apart
from tests.browser import browser_page, chromium, open_page
from tests.copies import pytest_addoption, pytest_runtestloop
from tests.either_database import either_url
from tests.migrated import django_db_keepdb, django_db_modify_db_settings, migrated_postgres
from tests.servers import postgres_server, postgres_url, queue, valkey_url
from tests.worlds import draw_alike

__all__ = [
    "browser_page",
    "chromium",
    "django_db_keepdb",
    "django_db_modify_db_settings",
    "either_url",
    "migrated_postgres",
    "open_page",
    "postgres_server",
    "postgres_url",
    "pytest_addoption",
    "pytest_runtestloop",
    "queue",
    "valkey_url",
]

# No test may fail because the machine is slow: a bound on time says nothing about what is tested. Nor by chance: the
# same examples come at each run.
settings.register_profile("patient", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(autouse=True)
def the_same_draws(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    draw_alike(monkeypatch, request.node.nodeid)


@pytest.fixture(autouse=True)
def pages_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what is read apart, however slow the machine: a test of the worker's part says that a page does not."""
    monkeypatch.setattr(apart, "PAGE_PATIENCE", 60)


@pytest.fixture(scope="module")
def rows_of_module(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """What a fixture of a module stores stands until its last test; what a test changes is undone before the next.

    No test of such a module commits.
    """
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        draw_alike(patch, request.node.nodeid)
        # Figures are remembered by study and data; the tests before have had studies of the same numbers.
        cache.clear()
        yield
        transaction.set_rollback(True)
    cache.clear()


# The longest tests.
PAPERS = Path(__file__).parent / "papers"
# A mark of all tests of a file.
SLOW = re.compile(r"^pytestmark = (?:\[[^\]]*)?pytest\.mark\.slow\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where no slow tests are wanted, files of slow tests alone are not imported."""
    if config.option.markexpr == "not slow" and collection_path.suffix == ".py":
        return SLOW.search(collection_path.read_text()) is not None or None
    return None


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

    Our own claims are not: an assertion that fails, fails. The papers, whose tests are the longest, come first, so that
    no process is left alone with one at the end.
    """
    items.sort(key=lambda item: PAPERS not in item.path.parents)
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=[Error], rerun_except=[AssertionError]))
