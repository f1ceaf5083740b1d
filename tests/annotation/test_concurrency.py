"""Exactly k countable labels for every item while eight clients work at once, on both databases."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings

from tests.annotation.drain import ITEMS, LABELS
from tests.servers import fresh_database

pytestmark = pytest.mark.slow


def drained(folder, url: str, *options: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.annotation.drain", str(folder / "study"), *options],
        env=os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "postgresql":
        with fresh_database(request.getfixturevalue("postgres_server")) as fresh:
            yield fresh
    else:
        yield f"sqlite:///{tmp_path / 'drain.sqlite3'}"


@pytest.mark.parametrize("excluding", [False, True])
def test_eight_clients_drain_twenty_items(tmp_path, url, excluding):
    found = drained(tmp_path, url, *(["--excluding"] if excluding else []))
    assert found["errors"] == []
    assert found["vendor"] == url.split(":")[0]
    assert (found["countable"], found["counted"], found["reserved"]) == (ITEMS * LABELS, ITEMS * LABELS, 0)
    assert found["per_item"] == found["tallies"] == [LABELS] * ITEMS
    # The second run must really have thrown labels out, or it shows nothing.
    assert (found["excluded"] > 0) == excluding
    assert found["judgments"] == found["countable"] + found["excluded"]
