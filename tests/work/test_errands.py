"""An errand is asked for once, done once, and gone whatever came of it."""

import os
import signal
import time
from contextlib import suppress

import pytest
from billiard.pool import soft_timeout_sighandler

from tests.queued import listened_to
from work import errands
from work.kinds import KINDS, MOST_ATTEMPTS
from work.models import Errand

pytestmark = pytest.mark.django_db


@pytest.fixture
def done(monkeypatch):
    """What the errand `note` was done with."""
    found = []
    monkeypatch.setitem(errands.ERRANDS, "note", lambda *given: found.append(given))
    return found


def ask(name, *given, study=1, is_large=False, **more):
    errands.ask(name, *given, study=study, is_large=is_large, **more)


def work(row: Errand) -> None:
    KINDS["work.Errand"].work(row.pk, worker="here")


def test_the_same_is_asked_for_once_and_again_when_it_is_done(done, monkeypatch):
    sent = listened_to(monkeypatch)
    for given in (("a", 1), ("a", 1), ("b", 2)):
        ask("note", *given)
    first, second = Errand.objects.order_by("pk")
    assert set(sent) == {("note", "a", 1), ("note", "b", 2)}
    for row in (first, first, second):
        work(row)
    assert done == [("a", 1), ("b", 2)] and not Errand.objects.exists()
    ask("note", "a", 1)
    assert Errand.objects.count() == 1


def test_what_is_asked_for_while_a_worker_is_at_it_is_done_again(done, monkeypatch):
    listened_to(monkeypatch)
    monkeypatch.setitem(errands.ERRANDS, "note", lambda *given: ask("note", *given) if not done else None)
    ask("note", "a")
    work(Errand.objects.get())
    again = Errand.objects.get()
    done.append(again.given)
    work(again)
    assert not Errand.objects.exists()


def test_a_fault_is_raised_and_it_is_not_tried_for_ever(done, monkeypatch):
    listened_to(monkeypatch)
    ask("note", "a")
    Errand.objects.update(attempts=MOST_ATTEMPTS)
    work(Errand.objects.get())
    assert not done and not Errand.objects.exists()
    monkeypatch.setitem(errands.ERRANDS, "note", lambda *given: 1 / 0)
    ask("note", "a")
    with pytest.raises(ZeroDivisionError):
        work(Errand.objects.get())
    assert not Errand.objects.exists()


def test_the_page_that_waits_is_told_that_it_was_given_up_and_may_ask_again(done, monkeypatch, request):
    listened_to(monkeypatch)
    told = []
    monkeypatch.setitem(errands.TELLING, "note", lambda waits, why: told.append((waits, why)))
    ask("note", "a", waits=("page", 1))
    Errand.objects.update(attempts=MOST_ATTEMPTS)
    work(Errand.objects.get())
    assert told == [(["page", 1], "Stopped: it was cut off 3 times, by its worker’s crash or by the database.")]

    def takes_long(*given):
        # A library on the way takes every Exception for its own.
        with suppress(Exception):
            os.kill(os.getpid(), signal.SIGUSR1)
            time.sleep(60)

    # As in a worker's process.
    before = signal.signal(signal.SIGUSR1, soft_timeout_sighandler)
    request.addfinalizer(lambda: signal.signal(signal.SIGUSR1, before))
    monkeypatch.setitem(errands.ERRANDS, "note", takes_long)
    ask("note", "a", waits=("page", 1))
    work(Errand.objects.get())
    assert told[1:] == [(["page", 1], "Stopped: it took longer than 1 hour.")]
    assert not Errand.objects.exists()


def test_studies_take_turns_and_one_that_comes_new_is_behind_those_that_wait(done, monkeypatch):
    listened_to(monkeypatch)
    for number in range(4):
        ask("note", "one", number, study=1)
    for _ in range(2):
        KINDS["work.Errand"].work(0, worker="here", queue="figures")
    ask("note", "two", 0, study=2)
    ask("note", "two", 1, study=2)
    ask("note", "one", 4, study=1)
    while Errand.objects.exists():
        KINDS["work.Errand"].work(0, worker="here", queue="figures")
    assert done == [("one", 0), ("one", 1), ("one", 2), ("two", 0), ("one", 3), ("two", 1), ("one", 4)]


@pytest.mark.slow
@pytest.mark.parametrize("when", ["taken", "done"])
def test_studies_that_ask_again_when_theirs_is_taken_or_done_keep_none_waiting(monkeypatch, when):
    listened_to(monkeypatch)
    monkeypatch.setitem(errands.ERRANDS, "note", lambda *given: None)
    for number in range(50):
        ask("note", 1, number, study=1)
    taken: list[int] = []
    for study in (2, 3):
        ask("note", study, 0, study=study)
    for number in range(1, 40):
        pk = errands.whose_turn("figures")
        assert pk is not None
        row = Errand.objects.claim(pk, worker="here")
        assert row is not None
        taken.append(row.study)
        if when == "done":
            errands.do(row)
        if row.study != 1:
            ask("note", row.study, number, study=row.study)
    assert {study: taken.count(study) for study in (1, 2, 3)} == {1: 13, 2: 13, 3: 13}


def test_what_is_large_has_a_queue_of_its_own(done, monkeypatch):
    listened_to(monkeypatch)
    ask("note", "long", is_large=True)
    ask("note", "short")
    assert [row.queue for row in Errand.objects.order_by("pk")] == ["large", "figures"]
    waiting = Errand.objects.all().waiting_by_queue()
    assert {queue: [row.given for row in rows] for queue, rows in waiting.items()} == {
        "figures": [["short"]], "large": [["long"]]
    }  # fmt: skip
    KINDS["work.Errand"].work(0, worker="here", queue="figures")
    assert done == [("short",)]
    KINDS["work.Errand"].work(0, worker="here", queue="figures")
    assert done == [("short",)]
    KINDS["work.Errand"].work(0, worker="here", queue="large")
    assert done == [("short",), ("long",)]
