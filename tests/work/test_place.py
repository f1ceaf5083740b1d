"""A worker's process gives back what its place held, also where the database is away just then."""

import threading
import time

import pytest
from django.db import OperationalError

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


def test_work_that_the_database_broke_off_waits_for_no_lease(recovered):
    places._lose_place(exception=OperationalError("server closed the connection unexpectedly"))
    assert recovered.found == [(places.place(), False)]


def test_work_that_failed_by_itself_is_not_given_back(recovered):
    places._lose_place(exception=ValueError("a fault of its own"))
    assert recovered.found == []
