"""Webhooks against a real server: what is told, signed, tried again, and never twice under two names."""

import importlib.util
import json
import re
import socket
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.assignment import finish, start
from annotation.audit.history import acts_of
from annotation.loading import load_study
from annotation.models import Annotator, Delivery, Sitting, Study, Webhook
from annotation.platforms import Outcome
from annotation.privacy import erase
from annotation.recording import record
from annotation.tasks import send_webhooks
from annotation.webhooks import sending
from annotation.webhooks.declaring import (
    MOST,
    AddressRefused,
    WebhookRefused,
    add_webhook,
    read_address,
    remove_webhook,
    resolved,
    secret_of,
    send_test,
)
from annotation.webhooks.outbox import Event, tell_completed
from annotation.webhooks.sending import WAITS, forget_old, send_due
from tests.annotation.webhooks.receiving import Receiver, receiving
from tests.house.sources import ROOT
from tests.studies import person, plausibility_rows, write_study
from work.queue import recover

pytestmark = pytest.mark.django_db
EVERYTHING = [Event.STUDY_COMPLETE, Event.RUN_FINISHED, Event.SITTING_FINISHED]


@pytest.fixture
def study(tmp_path, settings) -> Study:
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]
    collection = {"labels_per_item": 1, "sitting_length": 5}
    folder = write_study(tmp_path / "small", plausibility_rows(2), collection=collection)
    return load_study(folder, open_study=True).study


@pytest.fixture
def receiver():
    with receiving() as found:
        yield found


def webhook(study: Study, receiver: Receiver, events=EVERYTHING) -> Webhook:
    return add_webhook(study, address=receiver.address, events=events)


def sit(study: Study, name: str = "ann") -> Sitting:
    sitting = start(study, person(name))
    while (current := sitting.current()) is not None:
        record(sitting, current.position, "impossible")
    sitting.refresh_from_db()
    return sitting


def answer(sitting: Sitting) -> None:
    current = sitting.current()
    assert current is not None
    record(sitting, current.position, "impossible")


def told(receiver: Receiver) -> list[dict[str, Any]]:
    return [json.loads(body) for _, _, body in receiver.got]


def due_again() -> None:
    """As much time passes as the next attempt waits for."""
    Delivery.objects.filter(state="waiting").update(next_at=timezone.now())


class TestWhatIsTold:
    @pytest.mark.slow
    def test_a_sitting_that_ends_and_the_study_that_it_completes(self, study, receiver):
        made = webhook(study, receiver)
        sit(study)
        send_webhooks()
        assert [one["event"] for one in told(receiver)] == ["sitting.finished", "study.complete"]
        first = told(receiver)[0]
        assert (first["study"], first["outcome"]) == ("small", "completed")
        assert first["counts"] == {"population": "people", "labels": 2, "labels_wanted": 2, "sittings_finished": 1}
        path, headers, _ = receiver.got[0]
        assert path == "/hook?key=1"
        assert headers["host"] == f"127.0.0.1:{receiver.port}"
        assert headers["parallax-event"] == "sitting.finished"
        assert headers["parallax-delivery"] == first["id"]
        assert Delivery.objects.filter(webhook=made, state="delivered", status=200, attempts=1).count() == 2
        send_webhooks()
        assert len(receiver.got) == 2

    @pytest.mark.slow
    def test_nothing_of_who_took_part(self, study, receiver):
        webhook(study, receiver)
        sitting = sit(study, "5f1d-planted-id")
        send_webhooks()
        for _, headers, body in receiver.got:
            said = body.decode() + str(headers)
            assert set(re.findall(r'"(\w+)":', body.decode())) <= {
                "id", "event", "happened_at", "study", "outcome", "counts", "population", "labels", "labels_wanted",
                "sittings_finished",
            }  # fmt: skip
            assert not [one for one in (sitting.token, sitting.annotator.external_id, "5f1d") if one in said]

    def test_only_what_was_asked_for(self, study, receiver):
        webhook(study, receiver, [Event.RUN_FINISHED])
        sit(study)
        send_webhooks()
        assert not receiver.got

    @pytest.mark.slow
    def test_completed_again_is_told_again_and_before_it_was_asked_for_not_at_all(self, study, receiver):
        sitting = sit(study)
        webhook(study, receiver, [Event.STUDY_COMPLETE])
        tell_completed()
        assert not Delivery.objects.exists()
        erase(study, sitting.annotator, labels=True)
        tell_completed()
        sit(study, "ben")
        tell_completed()
        tell_completed()
        assert [one.event for one in Delivery.objects.all()] == ["study.complete"]

    def test_a_sitting_that_is_erased_has_ended_by_that(self, study, receiver):
        webhook(study, receiver, [Event.SITTING_FINISHED])
        sitting = start(study, person("ann"))
        erase(study, sitting.annotator, labels=False)
        assert [one.facts for one in Delivery.objects.all()] == [{"outcome": "withdrawn"}]

    def test_what_is_undone_is_not_told(self, study, receiver):
        webhook(study, receiver)
        sitting = start(study, person("ann"))
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            finish(sitting, Outcome.TOO_LATE)
            assert Delivery.objects.count() == 1
            raise ZeroDivisionError
        assert not Delivery.objects.exists()

    def test_an_end_costs_one_look_where_nobody_is_told_and_an_answer_none(self, study):
        sitting = start(study, person("ann"))
        asked = re.compile(r'FROM "annotation_webhook"|"annotation_delivery"')
        with CaptureQueriesContext(
            connection,
        ) as first:
            answer(sitting)
        assert not [one for one in first.captured_queries if asked.search(one["sql"])]
        with CaptureQueriesContext(connection) as last:
            answer(sitting)
        sitting.refresh_from_db()
        assert sitting.is_over
        assert len([one for one in last.captured_queries if asked.search(one["sql"])]) == 1


class TestTheSignature:
    def test_the_check_in_the_docs_takes_ours_and_nothing_else(self, study, receiver, tmp_path):
        [code] = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "webhooks.md").read_text(), re.DOTALL)
        (tmp_path / "checking.py").write_text(code)
        spec = importlib.util.spec_from_file_location("checking", tmp_path / "checking.py")
        assert spec is not None
        assert spec.loader is not None
        checking = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(checking)
        made = webhook(study, receiver)
        send_test(made)
        send_due(seconds=60)
        [(_, headers, body)] = receiver.got
        header, secret = headers["parallax-signature"], secret_of(made)
        assert checking.is_ours(secret, header, body)
        assert not checking.is_ours(secret, header, body + b" ")
        assert not checking.is_ours(f"{secret}0", header, body)
        old = sending.signature(secret, body, 1)
        assert not checking.is_ours(secret, old, body)

    def test_no_two_webhooks_have_the_same_secret_and_no_row_has_one(self, study, receiver):
        made = webhook(study, receiver)
        other = add_webhook(study, address=f"{receiver.address}&b", events=EVERYTHING)
        assert secret_of(made) != secret_of(other)
        assert not [row for row in Webhook.objects.values() if secret_of(made) in map(str, row.values())]


class TestUntilItArrives:
    @pytest.mark.slow
    @pytest.mark.parametrize("status", [500, 302, 404])
    def test_it_is_tried_again_with_the_same_id_and_the_same_body(self, study, receiver, status):
        receiver.answers = [status, status]
        send_test(webhook(study, receiver))
        before = timezone.now()
        send_due(seconds=60)
        waiting = Delivery.objects.get()
        assert (waiting.state, waiting.status, waiting.attempts) == ("waiting", status, 1)
        assert waiting.trouble == f"The answer was {status}."
        assert waiting.next_at >= before + WAITS[0]
        send_due(seconds=60)
        assert len(receiver.got) == 1
        for _ in range(2):
            due_again()
            send_due(seconds=60)
        # A redirect is not followed: all three came to the same place.
        assert [path for path, _, _ in receiver.got] == ["/hook?key=1"] * 3
        assert len({body for _, _, body in receiver.got}) == 1
        assert Delivery.objects.get().state == "delivered"

    @pytest.mark.slow
    def test_what_never_arrives_is_given_up(self, study, receiver):
        receiver.answers = [500] * 20
        send_test(webhook(study, receiver))
        for _ in range(20):
            due_again()
            send_due(seconds=60)
        given_up = Delivery.objects.get()
        assert (given_up.state, given_up.attempts) == ("given up", len(WAITS) + 1)
        assert len(receiver.got) == len(WAITS) + 1

    @pytest.mark.slow
    def test_a_server_that_is_not_there_is_no_end_of_the_others(self, study, receiver):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{nobody.getsockname()[1]}/"
        send_test(add_webhook(study, address=address, events=EVERYTHING))
        send_test(webhook(study, receiver))
        assert send_due(seconds=60) == 1
        assert {(one.state, one.trouble) for one in Delivery.objects.all()} == {
            ("waiting", "ConnectError"),
            ("delivered", ""),
        }

    def test_a_worker_that_dies_in_an_attempt_leaves_it_to_the_next(self, study, receiver, monkeypatch):
        def dies(*args: object, **named: object) -> int:
            raise KeyboardInterrupt

        send_test(webhook(study, receiver))
        with monkeypatch.context() as patch:
            patch.setattr(sending, "_post", dies)
            with pytest.raises(KeyboardInterrupt):
                send_due(seconds=60)
        claimed = Delivery.objects.get()
        assert claimed.body
        assert send_due(seconds=60) == 0
        Delivery.objects.update(lease_expires_at=timezone.now())
        recover()
        assert send_due(seconds=60) == 1
        assert receiver.got[0][2].decode() == claimed.body

    def test_of_two_workers_one_sends(self, study, receiver):
        send_test(webhook(study, receiver))
        [pk] = Delivery.objects.waiting().values_list("pk", flat=True)
        assert Delivery.objects.claim(pk, worker="one")
        sending.DELIVERIES.work(pk, worker="other")
        assert not receiver.got

    def test_old_ones_are_forgotten_and_waiting_ones_are_not(self, study, receiver):
        made = webhook(study, receiver)
        send_test(made)
        send_due(seconds=60)
        send_test(made)
        Delivery.objects.update(happened_at=timezone.now() - timedelta(days=31))
        assert forget_old() == 1
        assert Delivery.objects.get().state == "waiting"


class TestWhereItGoes:
    @pytest.mark.parametrize(
        ("address", "why"),
        [
            ("https://other.example.org/", "Messages to other.example.org are not allowed"),
            ("https://hooks.example.org.evil.org/", "Messages to hooks.example.org.evil.org are not allowed"),
            ("http://hooks.example.org/", "The address must start with https."),
            ("https://user:word@hooks.example.org/", "no user"),
            ("https://hooks.example.org/#a", "or spaces"),
            ("https://hooks.example.org:0/", "Not a valid address"),
            ("https://hooks.example.org:99999/", "Not a valid address"),
            ("ftp://hooks.example.org/", "Not a valid address"),
            ("hooks.example.org", "Not a valid address"),
            ("https://hooks.example.org/\r\nX: y", "Not a valid address"),
            ("https://hooks.example.org\\@127.0.0.1/", "not allowed|Not a valid address|no user"),
            ("http://127.0.0.1/", "Messages to 127.0.0.1 are not allowed"),
            ("https://hooks.example.org/" + "x" * 500, "at most 500 characters"),
        ],
    )
    def test_only_to_hosts_that_are_named_and_by_https(self, settings, address, why):
        settings.WEBHOOK_HOSTS = ["hooks.example.org"]
        assert read_address("https://Hooks.example.org/a?b=c").path == "/a?b=c"
        with pytest.raises(AddressRefused, match=why):
            read_address(address)

    def test_by_default_nowhere(self, settings):
        assert settings.WEBHOOK_HOSTS == []
        with pytest.raises(AddressRefused, match="allows no hosts"):
            read_address("https://hooks.example.org/")

    @pytest.mark.parametrize("inside", ["10.0.0.7", "127.0.0.1", "169.254.169.254", "::1", "fd00::1", "192.168.1.1"])
    def test_a_named_host_does_not_lead_into_a_private_network(self, settings, monkeypatch, inside):
        settings.WEBHOOK_HOSTS = ["hooks.example.org"]
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (inside, 443))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: found)
        target = read_address("https://hooks.example.org/")
        with pytest.raises(AddressRefused, match="in a private network"):
            resolved(target)
        settings.WEBHOOK_HOSTS = ["hooks.example.org", inside]
        assert resolved(target) == inside

    def test_a_host_that_is_named_no_more_is_told_nothing_more(self, study, receiver, settings):
        send_test(webhook(study, receiver))
        settings.WEBHOOK_HOSTS = []
        send_due(seconds=60)
        assert not receiver.got
        assert "Messages to 127.0.0.1 are not allowed" in Delivery.objects.get().trouble


class TestDeclaring:
    @pytest.mark.slow
    def test_there_are_so_many_and_each_once(self, study, receiver):
        made = webhook(study, receiver)
        with pytest.raises(WebhookRefused, match="already has a webhook"):
            webhook(study, receiver)
        for number in range(MOST - 1):
            add_webhook(study, address=f"{receiver.address}&{number}", events=EVERYTHING)
        with pytest.raises(WebhookRefused, match="at most"):
            add_webhook(study, address=f"{receiver.address}&x", events=EVERYTHING)
        for events, why in (([], "Choose"), (["test"], "There is no event test")):
            with pytest.raises(WebhookRefused, match=why):
                add_webhook(study, address=receiver.address, events=events)
        sit(study)
        remove_webhook(made)
        assert not Delivery.objects.filter(webhook=made.pk).exists()

    def test_acts_name_the_host_and_not_what_may_be_a_password(self, study, receiver):
        remove_webhook(webhook(study, receiver))
        assert [(act.deed, act.subject) for act in acts_of(study)][:2] == [
            ("webhook removed", "127.0.0.1"),
            ("webhook added", "127.0.0.1"),
        ]
        assert not Annotator.objects.exists()


@pytest.mark.slow
def test_a_receiver_that_drips_is_left_after_so_long_in_all(study, receiver, monkeypatch):
    """Each byte comes well within the time that one may take; the worker has others to serve."""
    monkeypatch.setattr(sending, "TIMEOUT_SECONDS", 0.5)
    receiver.drips = 0.2
    send_test(webhook(study, receiver))
    send_due(seconds=60)
    found = Delivery.objects.get()
    assert (found.state, found.trouble) == (Delivery.State.WAITING, "No full answer within 0.5 seconds.")


def test_a_server_of_names_that_does_not_answer_is_left_as_soon(study, receiver, monkeypatch):
    answered = threading.Event()
    monkeypatch.setattr(sending, "TIMEOUT_SECONDS", 0.2)
    monkeypatch.setattr(sending, "resolved", lambda target: answered.wait(30) and "127.0.0.1")
    send_test(webhook(study, receiver))
    send_due(seconds=60)
    answered.set()
    found = Delivery.objects.get()
    assert (found.state, found.trouble) == (Delivery.State.WAITING, "No full answer within 0.2 seconds.")
