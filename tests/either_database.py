"""Programs of the tests that run by themselves, on SQLite and on PostgreSQL, and print what they found as JSON."""

import json
import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

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
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        _loaded().send((url, ("-m", module, *arguments), out, err))
        assert _loaded().poll(forked.PATIENCE), f"{module} does not end"
        assert _loaded().recv() == 0, err.read_text()
        found: dict[str, Any] = json.loads(out.read_text().strip().splitlines()[-1])
    return found


@cache
def _loaded() -> Connection:
    """To a process that has loaded Django and all addresses, and forks for each program: to load takes a second."""
    ours, theirs = forked.CONTEXT.Pipe()
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    forked.CONTEXT.Process(target=_fork_for_each, args=(theirs, env), daemon=True).start()
    theirs.close()
    return ours


def _fork_for_each(asked: Connection, env: dict[str, str]) -> None:
    os.chdir(forked.ROOT)
    os.environ.clear()
    os.environ.update(env)
    import django

    django.setup()
    from django.urls import get_resolver

    assert get_resolver().url_patterns
    while True:
        try:
            wanted = asked.recv()
        except EOFError:
            return
        if not (child := os.fork()):
            asked.close()
            _run(*wanted)
        asked.send(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _run(url: str, arguments: tuple[str, ...], out: Path, err: Path) -> NoReturn:
    code = 1
    try:
        forked.write_to(out, err)
        _take_database(url)
        forked.be_python(arguments, out)
        code = 0
    finally:
        if code:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _take_database(url: str) -> None:
    """What settings and connections hold of a database is what they would have read at their start."""
    from django.conf import settings
    from django.db import connections

    from config.settings import database

    os.environ["DATABASE_URL"] = url
    settings.DATABASES["default"] = database()
    connections.settings = connections.configure_settings(settings.DATABASES)
    # One made before for nothing but its kind: what is asked for next is made anew.
    if connections.all(initialized_only=True):
        del connections["default"]
