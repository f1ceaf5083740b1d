"""What an operator asks: whether it lives, whether all is there, what was counted; and the log in JSON."""

import json
import logging
import sqlite3
import sys
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from redis.exceptions import RedisError

from accounts.models import User
from annotation.views.away import failed
from work.models import Errand
from work.queue import leased_models
from work.queues import Queue
from work.watching import counted, health, metrics
from work.watching.health import is_away
from work.watching.lines import JsonLines, TextLines, about

TOKEN = "only-for-tests"


class Server(dict[str, Any]):
    """The cache's, as far as it is asked here."""

    def get_many(self, keys):
        return {key: self[key] for key in keys if key in self}

    def set_many(self, found, seconds):
        self.update(found)

    def add(self, key, value, seconds):
        self.setdefault(key, value)

    def incr(self, key, by):
        self[key] += by


class Gone:
    def __getattr__(self, name):
        raise RedisError("redis://:secret@host is away")


@pytest.fixture
def server(monkeypatch):
    return served(monkeypatch, Server())


def served(monkeypatch, found):
    for module in (health, counted):
        monkeypatch.setattr(module, "cache", found)
    return found


def live(server, *queues):
    server.set_many({f"alive:{queue}": 1.0 for queue in queues}, 1)


@pytest.mark.django_db
def test_all_that_is_needed_is_there(client, server):
    live(server, *Queue)
    lives = client.get("/healthz")
    assert (lives.content, lives.headers["Content-Type"]) == (b"ok\n", "text/plain; charset=utf-8")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (200, True)


@pytest.mark.django_db
def test_a_worker_that_is_missing_and_a_queue_that_is_away_are_named_without_a_secret(client, server, monkeypatch):
    live(server, Queue.UPKEEP, Queue.FIGURES, Queue.LARGE)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["workers"]) == (503, "No worker reads: scoring.")
    served(monkeypatch, Gone())
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["queue"]) == (503, "The task queue cannot be reached.")
    assert b"secret" not in answer.content
    assert client.get("/healthz").status_code == 200


@pytest.mark.django_db
def test_a_database_that_is_away_or_not_migrated_is_named(client, server, monkeypatch):
    live(server, *Queue)
    monkeypatch.setitem(health._migrated, "done", False)
    monkeypatch.setattr("work.watching.health.MigrationExecutor.migration_plan", lambda self, targets: [1, 2])
    assert client.get("/readyz").json()["migrations"] == "Migrations are not applied: 2. Run manage.py migrate."

    def away(*given):
        raise OperationalError("password=secret")

    monkeypatch.setattr("work.watching.health.connection.cursor", away)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "The database does not answer.")
    assert b"secret" not in answer.content


@pytest.mark.slow
@pytest.mark.django_db
def test_metrics_are_for_the_token_and_for_superusers(client, server, settings):
    live(server, Queue.SCORING)
    counted.count("items_scored", 5)
    assert client.get("/metrics").status_code == 403
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics", headers={"Authorization": "Bearer other"}).status_code == 403
    client.get("/healthz")
    client.post(reverse("login"), {"login": "nobody", "password": "wrong"})
    said = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    assert "parallax_items_scored_total 5.0" in said
    assert "parallax_failed_logins_total 1.0" in said
    assert 'parallax_waiting{kind="scoring.Chunk",queue="scoring"} 0.0' in said
    assert 'parallax_request_seconds_count{method="GET",status="2xx",view="healthz"}' in said
    settings.METRICS_TOKEN = ""
    client.force_login(User.objects.create_superuser("root"))
    assert client.get("/metrics").status_code == 200


@pytest.mark.django_db
def test_what_does_not_answer_is_left_out_of_the_metrics(monkeypatch):
    served(monkeypatch, Gone())
    said = metrics.as_text().decode()
    assert "parallax_queue_up 0.0" in said and "parallax_database_up 1.0" in said


@pytest.mark.django_db
def test_the_page_is_for_superusers(client, server):
    client.force_login(User.objects.create_user("mira"))
    assert client.get(reverse("system")).status_code == 403
    client.force_login(User.objects.create_superuser("root"))
    said = client.get(reverse("system")).content.decode()
    assert "No worker reads: upkeep, figures, large, scoring." in said
    row = Errand.objects.create(name="figures", given=[1, "overview", ""], fingerprint="a", state="held", worker="anna")
    said = client.get(reverse("system")).content.decode()
    assert "Figures of a deleted study: anna" in said and "Figures and files" in said
    assert str(row) not in said and "work.Errand" not in said
    assert all(model.NOUNS for model in leased_models())


def test_a_line_is_an_object_with_ids_and_no_path():
    record = logging.LogRecord("django.request", logging.WARNING, "", 1, "Not Found: %s", ("/s/token/",), None)
    record.status_code = 404
    with about(request="abc", study=7):
        line = json.loads(JsonLines().format(record))
    assert (line["message"], line["request"], line["study"]) == ("404", "abc", 7)
    assert "token" not in json.dumps(line)
    forged = logging.LogRecord("x", logging.WARNING, "", 1, "sent %s", ("a\nWARNING x: b",), None)
    assert TextLines("%(message)s").format(forged) == "sent a\\nWARNING x: b"


@pytest.mark.django_db
def test_no_line_has_the_secret_of_a_link(caplog):
    client = Client(enforce_csrf_checks=True)
    for room in ("sitting", "s", "invitations", "shared"):
        assert client.post(f"/{room}/secret-token/").status_code in (403, 404, 405)
    assert "secret-token" in caplog.text, "Django says it"
    for form in (JsonLines(), TextLines("%(message)s")):
        assert not [line for line in map(form.format, caplog.records) if "secret-token" in line]
    assert "403 s/<slug:token>/" in map(TextLines("%(message)s").format, caplog.records)


def answered(request, error):
    """What handler500 says where a view raised it."""
    try:
        raise error
    except OperationalError:
        assert sys.exc_info()[1]
        return failed(request)


@pytest.fixture
def silent(monkeypatch):
    """A database that has gone away."""

    def away(*given):
        raise OperationalError("gone")

    monkeypatch.setattr("django.db.connection.cursor", away)


@pytest.mark.django_db
def test_an_answer_that_was_not_saved_is_kept_in_the_page(monkeypatch, silent):
    counts: list[str] = []
    monkeypatch.setattr("annotation.views.away.count", counts.append)
    request = RequestFactory().post("/b/x/", {"answer": '"><b>no'}, headers={"accept-language": "de"})
    request.resolver_match = resolve(reverse("item", args=["x" * 22]))
    page = answered(request, OperationalError())
    said = page.content.decode()
    assert (page.status_code, page["Retry-After"], counts) == (503, "10", ["database_errors"])
    assert 'name="answer" value="&quot;&gt;&lt;b&gt;no"' in said
    assert "Ihre Antwort wurde nicht gespeichert" in said and "Noch einmal senden" in said


@pytest.mark.django_db
def test_a_researchers_form_is_sent_again_from_its_own_page(silent):
    address = reverse("study_close", args=["small"])
    request = RequestFactory().post(address, {"title": "mine"})
    request.resolver_match = resolve(address)
    page = answered(request, OperationalError())
    said = page.content.decode()
    assert page.status_code == 503
    assert "go back and send the form again" in said
    assert "Your answer" not in said and "href=" + f'"{address}"' not in said


@pytest.mark.django_db
def test_a_database_that_answers_is_not_blamed():
    request = RequestFactory().post("/studies/small/close/")
    assert answered(request, OperationalError("too many SQL variables")).status_code == 500
    with pytest.raises(OperationalError) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")
    assert not is_away(caught.value)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (sqlite3.OperationalError, {"sqlite_errorcode": sqlite3.SQLITE_BUSY}),
        # As psycopg says a deadlock, and that the server is shut down.
        (Exception, {"sqlstate": "40P01"}),
        (Exception, {"sqlstate": "57P01"}),
    ],
)
def test_a_database_that_will_answer_in_a_moment_is_away(fault, code):
    error = OperationalError()
    error.__cause__ = fault("busy")
    vars(error.__cause__).update(code)
    assert is_away(error)
