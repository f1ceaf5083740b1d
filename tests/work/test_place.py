"""A worker's process gives back what its place held, also where the database is away just then."""

import threading
import time

import pytest
from django.db import DataError, IntegrityError, InterfaceError, OperationalError, connection, connections
from django.utils import timezone

from annotation.models import Delivery
from tests.either_database import found_by
from tests.servers import fresh_database
from tests.studies import open_small_study, plausibility_rows
from work import place as places


class Recover:
    """How often, and as what, the place's work was given back; the database is away as often as `away` says."""

    def __init__(self) -> None:
        self.found: list[tuple[str, bool]] = []
        self.away: list[Exception] = []

    def __call__(self, *, worker: str, crashed: bool) -> None:
        if self.away:
            raise self.away.pop()
        self.found.append((worker, crashed))


@pytest.fixture
def recovered(monkeypatch):
    recover = Recover()

    class Connections:
        def close_all(self):
            """That of the test stays."""

    monkeypatch.setattr(places, "recover", recover)
    monkeypatch.setattr(places, "connections", Connections())
    monkeypatch.setattr(places, "RETRY_SECONDS", 0.01)
    yield recover
    for thread in threading.enumerate():
        if thread.name == "place":
            thread.join(5)


def until(reached):
    deadline = time.monotonic() + 10
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_process_that_starts_while_the_database_is_away_gives_back_once_it_answers(recovered):
    recovered.away.extend([OperationalError("the connection is lost")] * 3)
    places._take(crashed=True)
    assert recovered.found == []
    until(lambda: recovered.found == [(places.place(), True)])


def test_nothing_is_claimed_before_that(recovered):
    recovered.away.extend([OperationalError("terminating connection")] * 3)
    places._take(crashed=True)
    places._take_first()
    assert recovered.found == [(places.place(), True)]
    places._take_first()
    assert len(recovered.found) == 1


@pytest.fixture
def lost(monkeypatch):
    """This thread's connection is no longer usable."""
    monkeypatch.setattr(connections["default"], "is_usable", lambda: False)
    places._broken.clear()


CLOSED = OperationalError("server closed the connection unexpectedly")


@pytest.mark.parametrize("error", [CLOSED, InterfaceError("the connection is closed")])
def test_work_that_the_database_broke_off_waits_for_no_lease(db, recovered, lost, error):
    places._lose_place(exception=error)
    assert recovered.found == [(places.place(), False)]


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("database is locked"),
        OperationalError("could not extend file: No space left on device"),
        DataError("value too long for type character varying(10)"),
        IntegrityError("duplicate key value violates unique constraint"),
    ],
)
def test_what_the_database_refuses_waits_for_its_lease(db, recovered, error):
    connection.ensure_connection()
    places._lose_place(exception=error)
    assert recovered.found == []


def test_work_that_ends_the_database_each_time_is_an_attempt_in_the_end(db, recovered, lost):
    for _ in range(places.MOST_BROKEN + 1):
        places._lose_place(exception=CLOSED, args=("scoring.Chunk", 1))
    places._lose_place(exception=CLOSED, args=("scoring.Chunk", 2))
    assert [crashed for _, crashed in recovered.found] == [False] * places.MOST_BROKEN + [True, False]


def test_what_another_machine_lost_keeps_its_attempts(db, tmp_path):
    webhook = open_small_study(tmp_path, plausibility_rows(2)).webhooks.create(address="https://example.org/")
    for worker in ("here", "there"):
        waits = Delivery.objects.create(webhook=webhook, event="test", next_at=timezone.now())
        Delivery.objects.claim(waits.pk, worker=worker, until=timezone.now() - Delivery.LEASE)
    assert len(Delivery.objects.give_back(worker="here", crashed=False)) == 2
    assert list(Delivery.objects.order_by("pk").values_list("attempts", flat=True)) == [0, 1]


def test_work_that_failed_by_itself_is_not_given_back(recovered):
    places._lose_place(exception=ValueError("a fault of its own"))
    assert recovered.found == []


@pytest.mark.slow
def test_what_postgres_ends_is_broken_off_and_what_it_refuses_is_not(postgres_server, migrated_postgres):
    with fresh_database(postgres_server, template=migrated_postgres) as url:
        found = found_by("tests.work.broken_off", url=url)
    assert found == {"ended": True, "ended in a transaction": True, "too slow": False, "refused": False}
