"""Programs of the tests that run by themselves, on SQLite and on PostgreSQL, and print what they found as JSON."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import forked
from tests.migrated import migrated_file
from tests.servers import fresh_database


@pytest.fixture(params=["sqlite", "postgresql"])
def either_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The DATABASE_URL of a migrated database of either kind, for a process of its own."""
    if request.param == "postgresql":
        server, template = (request.getfixturevalue(name) for name in ("postgres_server", "migrated_postgres"))
        with fresh_database(server, template=template) as fresh:
            yield fresh
    else:
        yield f"sqlite:///{shutil.copyfile(migrated_file(), tmp_path / 'apart.sqlite3')}"


def found_by(module: str, *arguments: str, url: str) -> dict[str, Any]:
    """What `python -m module` prints in its last line, on that database."""
    env = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = forked.run("-m", module, *arguments, env=env)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found
