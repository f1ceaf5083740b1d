"""Studies with which many tests begin: made once a process, and put back for each test after the first.

To load a study, label it and score it takes a hundred statements and more; to put its rows back takes one a table.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.core.cache import cache as figures
from django.db import connection, transaction

from accounts.models import User
from annotation.models import Sitting, Study
from tests.migrated import migrated_sequences


@dataclass(frozen=True, slots=True)
class World:
    """The statements that store what making it stored, the figures that were remembered, and its study's number."""

    statements: list[str]
    remembered: dict[str, object]
    study: int


# Whose every study is, at the moment.
OWNERS: list[User] = []
MADE: dict[object, World] = {}


def draw_alike(patch: pytest.MonkeyPatch, seed: str) -> None:
    """The order of a sitting's items is drawn by its token: the same seed gives the same tokens at each run."""
    tokens = random.Random(seed)
    token = Sitting._meta.get_field("token")
    patch.setattr(token, "_get_default", lambda: f"{tokens.getrandbits(128):032x}")


def world(name: str, make: Callable[[], Study]) -> Study:
    """The study that `make` makes; it is put back in a test that has stored nothing yet but users and their logins.

    What differs between two studies is in their names. What a test does with a cache's server it does by itself.
    """
    users = _users()
    if users is None or not isinstance(_held(), dict):
        return make()
    key = (name, users, tuple(owner.pk for owner in OWNERS))
    if key not in MADE:
        MADE[key] = _made(name, make)
    else:
        # At once: a row may stand before the one that it refers to.
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in MADE[key].statements:
                cursor.execute(statement)
        figures.set_many(MADE[key].remembered)
    return Study.objects.get(pk=MADE[key].study)


def _made(name: str, make: Callable[[], Study]) -> World:
    before, known = _rows(), _names()
    with pytest.MonkeyPatch.context() as patch:
        draw_alike(patch, name)
        study = make()
    after = _rows()
    assert all(before[table] <= after[table] for table in before), "a world changes no row that was there"
    added = {table: sorted(after[table] - before[table]) for table in after}
    statements = [f"INSERT INTO {table} VALUES {', '.join(rows)}" for table, rows in added.items() if rows]  # noqa: S608
    return World(statements, figures.get_many(_names() - known), study.pk)


def _names() -> set[str]:
    """Of all that is remembered; the cache of tests holds it behind a prefix and a version."""
    return {name.split(":", 2)[2] for name in _held()}


def _held() -> Any:
    return figures._cache  # type: ignore[attr-defined]


def _users() -> tuple[tuple[object, ...], ...] | None:
    """Who is there; None where anything else was ever stored, or the database is not of SQLite."""
    if connection.vendor != "sqlite":
        return None
    with connection.cursor() as cursor:
        # A login leaves an event of its account.
        cursor.execute(
            "SELECT name, seq FROM sqlite_sequence WHERE name NOT IN ('accounts_user', 'accounts_accountevent')"
        )
        if any(migrated_sequences().get(table) != last for table, last in cursor.fetchall()):
            return None
        cursor.execute("SELECT id, username, is_superuser FROM accounts_user")
        return tuple(cursor.fetchall())


def _rows() -> dict[str, set[str]]:
    """Of every table with its columns, as SQL writes them."""
    found = {}
    with connection.cursor() as cursor:
        for table, columns in _columns().items():
            values = " || ', ' || ".join(f'quote("{column}")' for column in columns)
            cursor.execute(f'SELECT {values} FROM "{table}"')  # noqa: S608
            names = ", ".join(f'"{column}"' for column in columns)
            found[f'"{table}" ({names})'] = {f"({row})" for (row,) in cursor.fetchall()}
    return found


@cache
def _columns() -> dict[str, list[str]]:
    """Of every table that migrations leave empty those that are stored: what SQLite computes is none of them."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        found = {}
        for table in sorted(tables - {name for name, last in migrated_sequences().items() if last}):
            cursor.execute(f'PRAGMA table_info("{table}")')
            found[table] = [row[1] for row in cursor.fetchall()]
        return found
