"""Writers on SQLite: one at a time asks for the lock, the others sleep until it is their turn."""

import threading
import time
from collections.abc import Callable
from functools import partial

import pytest
from django.db import OperationalError, connections, transaction

from config.sqlite import base

pytestmark = pytest.mark.django_db


@pytest.fixture
def connect(tmp_path, monkeypatch):
    """New connections to one file, each for a thread; what a thread began, it closes."""
    made: list[base.DatabaseWrapper] = []

    def one(*, timeout: float = 30.0) -> base.DatabaseWrapper:
        options = {"transaction_mode": "IMMEDIATE", "timeout": timeout, "init_command": "PRAGMA journal_mode=WAL"}
        settings = {**connections["default"].settings_dict, "NAME": str(tmp_path / "some.sqlite3"), "OPTIONS": options}
        made.append(base.DatabaseWrapper(settings, alias=f"queue-{len(made)}"))
        # Made here, used by a thread.
        made[-1].inc_thread_sharing()
        return made[-1]

    yield one
    for connection in made:
        connection.close()


def begin(connection: base.DatabaseWrapper) -> None:
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def end(connection: base.DatabaseWrapper) -> None:
    connection.commit()
    connection.set_autocommit(True)


def waiting(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


@pytest.mark.slow
def test_of_all_who_wait_one_asks(connect, monkeypatch):
    holder = connect()
    askers: set[int | None] = set()
    began: list[int | None] = []
    asked = threading.Event()

    def note(seconds: float) -> None:
        askers.add(threading.get_ident())
        asked.set()
        real(seconds)

    real = time.sleep
    monkeypatch.setattr(base, "sleep", note)
    begin(holder)

    def wait(connection: base.DatabaseWrapper) -> None:
        begin(connection)
        began.append(threading.get_ident())
        end(connection)

    threads = [waiting(partial(wait, connect())) for _ in range(4)]
    assert asked.wait(60)
    real(0.05)
    assert len(askers) == 1
    assert not began
    end(holder)
    for thread in threads:
        thread.join(60)
    assert set(began) == {thread.ident for thread in threads}
    assert began[0] in askers, "the first in the queue is the first to write"


@pytest.mark.slow
def test_whoever_waits_too_long_is_told_and_lets_the_next_ask(connect):
    holder, late = connect(), connect(timeout=0.05)
    begin(holder)
    with pytest.raises(OperationalError, match="locked"):
        begin(late)
    late.close()
    end(holder)
    begin(late)
    end(late)


def test_statements_of_their_own_wait_as_before(connect):
    connection = connect(timeout=7)
    begin(connection)
    end(connection)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (7000,)


@pytest.mark.django_db(transaction=True)
def test_the_site_uses_it():
    if connections["default"].vendor == "sqlite":
        assert isinstance(connections["default"], base.DatabaseWrapper)
        with transaction.atomic():
            assert connections["default"].in_atomic_block
