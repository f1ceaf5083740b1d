"""Databases with all migrations, as copies of one that has them: to migrate takes ten seconds, to copy a moment."""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import django
import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from tests.servers import fresh_database, postgres_programs, runtime_folder


@cache
def migrated_file() -> Path:
    """A SQLite database as the migrations leave it."""
    return kept_sqlite("sqlite3", migrate)


def kept_sqlite(ending: str, make: Callable[[str], None]) -> Path:
    """A SQLite database as `make` leaves an empty one of that address."""

    def filled(part: Path) -> None:
        make(f"sqlite:///{part}")
        with closing(sqlite3.connect(part)) as made:
            # One file is copied, so nothing may stand in a second one.
            made.execute("PRAGMA journal_mode=DELETE")

    return kept(ending, filled)


@cache
def migrated_sequences() -> dict[str, int]:
    """The last number that each table has given by then."""
    with closing(sqlite3.connect(migrated_file())) as whole:
        return dict(whole.execute("SELECT name, seq FROM sqlite_sequence"))


def kept(ending: str, make: Callable[[Path], None]) -> Path:
    """A file that is made once and kept between runs until a migration changes."""
    folder = runtime_folder()
    whole = folder / f"migrated-{state_of_migrations()}.{ending}"
    with (folder / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            part = whole.with_suffix(f".{os.getpid()}")
            make(part)
            part.replace(whole)
    return whole


def state_of_migrations() -> str:
    """Of the packages' apps as well as ours."""
    digest = hashlib.sha256(f"{django.__version__} {sqlite3.sqlite_version}".encode())
    for app in apps.get_app_configs():
        for path in sorted(Path(app.path, "migrations").glob("*.py")):
            digest.update(f"{app.label} {path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def migrate(url: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        env=os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        cwd=settings.BASE_DIR,
        check=True,
    )


def fill(url: str, server: str, ending: str, make: Callable[[str], None]) -> None:
    """A database on the PostgreSQL server as `make` leaves an empty one: once, until a migration changes."""
    if "TEST_DATABASE_URL" in os.environ:
        # Of a version that our programs may not know.
        make(url)
        return
    programs = postgres_programs()

    def dumped(part: Path) -> None:
        with fresh_database(server) as made:
            make(made)
            subprocess.run([programs / "pg_dump", "--no-owner", "--file", part, made], check=True)

    dump = kept(ending, dumped)
    subprocess.run([programs / "psql", "--quiet", "--output", os.devnull, "--file", dump, url], check=True)


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """A file that is there before the tests is taken as it is."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The tests' own database begins as such a copy: pytest-django then finds nothing to migrate.

    It is a file: one in memory would be one connection for a test and its live server, whose threads then wait for one
    another forever where one holds Python's lock and the other SQLite's.
    """
    if connection.vendor == "sqlite":
        name = settings.VAR_DIR / "tests.sqlite3"
        shutil.copyfile(migrated_file(), name)
        connection.settings_dict["TEST"]["NAME"] = str(name)
        # No power cut is survived by it, and no commit waits for the disk.
        connection.settings_dict["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str) -> Iterator[str]:
    """The name of a migrated database on the server, for copies."""
    with fresh_database(postgres_server) as url:
        fill(url, postgres_server, "postgresql", migrate)
        yield url.partition("?")[0].rpartition("/")[2]
