"""The servers that tests meet are real: what is written to them comes back."""

import os

import dj_database_url
import psycopg
import pytest
from kombu import Connection

from tests import forked
from tests.servers import fresh_database

pytestmark = pytest.mark.slow


def test_postgres_url_is_understood_by_django_and_by_psycopg(postgres_url):
    config = dj_database_url.parse(postgres_url)
    assert config["ENGINE"] == "django.db.backends.postgresql"
    assert config["NAME"].startswith("parallax_test_")
    with psycopg.connect(postgres_url) as connection:
        row = connection.execute("SELECT current_database(), current_setting('server_version_num')::int").fetchone()
    assert row is not None
    assert row[0] == config["NAME"]
    assert row[1] >= 140000


def test_every_migration_runs_on_postgres(postgres_server, migrated_postgres, tmp_path):
    """They run where the template is made, which is made anew when any of them changes; none is left to run here."""
    with fresh_database(postgres_server, template=migrated_postgres) as url:
        env = {**os.environ, "DATABASE_URL": url, "PARALLAX_VAR": str(tmp_path), "SECRET_KEY": "x"}
        checked = forked.run("manage.py", "migrate", "--check", "--skip-checks", env=env)
        assert checked.returncode == 0, checked.stderr


def test_valkey_carries_a_message_between_two_celery_connections(valkey_url):
    with Connection(valkey_url) as sender, Connection(valkey_url) as receiver:
        sender.SimpleQueue("house").put({"run": 7})
        message = receiver.SimpleQueue("house").get(timeout=60)
        assert message.payload == {"run": 7}
        message.ack()
