"""`make run`, once the requirements are there: start everything, say where it is, stop everything."""

import fcntl
import os
import secrets
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kombu import Connection
from kombu.exceptions import OperationalError

from config.broker import broker_socket
from config.local.child import Program
from config.local.supervisor import Failed, StopAsked, Supervisor
from config.local.valkey import answers, valkey_program
from work.queues import Queue

ROOT = Path(__file__).resolve().parent.parent.parent
HOST = "127.0.0.1"
# What takes hours leaves the cores to scoring and to the pages.
YIELDING = (Queue.TRAINING, Queue.JOBS)
# Who listens on one's own machine is one's own, and seldom: no process is kept for that.
SHARED = {Queue.WEBHOOKS: Queue.UPKEEP}
WORKERS = [queue for queue in Queue if queue not in SHARED]
READY_WITHIN = 120  # seconds for the first page, generous for a loaded machine


def say(sentence: str) -> None:
    print(sentence, flush=True)


def chosen_port() -> int:
    """PORT, 8000 by default; Failed unless it is a free port."""
    given = os.environ.get("PORT") or "8000"
    if not given.isascii() or not given.isdigit() or not 1 <= int(given) <= 65535:
        raise Failed(f"PORT must be a number from 1 to 65535; it is {given!r}.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, int(given)))
        except OSError as error:
            raise Failed(
                f"Port {given} cannot be used ({error.strerror}). Choose another: make run PORT=8001"
            ) from None
    return int(given)


@contextmanager
def locked(var: Path) -> Iterator[None]:
    """Hold the installation for this process. The kernel lets go of the lock however the process ends."""
    handle = os.open(var / "running.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Failed(f"Parallax is already running with {var}. Stop it first, or set PARALLAX_VAR.") from None
    try:
        yield
    finally:
        os.close(handle)


def check_broker(url: str) -> None:
    """Failed unless the server that REDIS_URL names answers."""
    with Connection(url, connect_timeout=5) as connection:
        try:
            connection.ensure_connection(max_retries=1, timeout=10)
        except OperationalError as error:
            raise Failed(f"REDIS_URL names {connection.as_uri()}, which does not answer: {error}") from None


def login_page_answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/login/", timeout=5) as response:
            return bool(response.status == 200)
    except urllib.error.HTTPError as error:
        # It listens and is at fault: waiting would not mend it.
        raise Failed(f"The login page answers with status {error.code}; the log of the web server says why.") from None
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return False


def worker(queue: Queue, var: Path) -> list[str]:
    """The command of a queue's worker."""
    command = ["nice", "-n", "10"] if queue in YIELDING else []
    command += [sys.executable, "-m", "celery", "--app", "config", "worker"]
    # One process each: a second copy of a model would double the memory and halve the speed of each.
    command += ["--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "INFO"]
    taken = [queue, *(other for other, worker in SHARED.items() if worker is queue)]
    command += ["--queues", ",".join(taken), "--hostname", f"{queue}@%h"]
    if queue is Queue.UPKEEP:
        command += ["--beat", "--schedule", str(var / "beat-schedule")]
    return command


def programs(var: Path, logs: Path, *, port: int) -> dict[str, Program]:
    """Preparation, the workers, and the web server."""
    python = sys.executable
    prepare = [python, "-m", "config.local.prepare"]
    web = [python, "-m", "gunicorn", "config.local.web", "--preload", "--bind", f"{HOST}:{port}"]
    web += ["--workers", "2", "--threads", "4", "--graceful-timeout", "5", "--access-logfile", "-"]
    # The path alone: addresses carry platforms' ids behind it, and whose machine it was is nobody's business.
    web += ["--access-logformat", "%(t)s %(m)s %(U)s %(s)s %(B)s %(M)sms"]
    return {
        "prepare": Program("preparation", prepare, logs / "prepare.log", ROOT),
        "web": Program("web server", web, logs / "web.log", ROOT),
        # What a worker is at is not waited for: it is kept in parts, and taken up again at the next start.
        **{
            queue: Program(f"{queue} worker", worker(queue, var), logs / f"{queue}.log", ROOT, patience=2.0)
            for queue in WORKERS
        },
    }


def start(supervisor: Supervisor, var: Path, *, port: int) -> None:
    """Everything in order, until the login page answers."""
    logs = fresh_logs(var)
    if "REDIS_URL" in os.environ:
        check_broker(os.environ["REDIS_URL"])
    else:
        valkey = valkey_program(var, log=logs / "valkey.log", say=say)
        supervisor.start_and_wait(valkey, lambda: answers(broker_socket(var)), seconds=20)
    found = programs(var, logs, port=port)
    say("Preparing the database, the models and the sample studies")
    supervisor.run(found["prepare"])
    supervisor.start_and_wait(found["web"], lambda: login_page_answers(port), seconds=READY_WITHIN)
    # Last, so that its imports do not compete with those of the first page.
    for queue in WORKERS:
        supervisor.start(found[queue])


def fresh_logs(var: Path) -> Path:
    """The folder of logs, with those of the run before put aside as *.log.1."""
    logs = var / "log"
    logs.mkdir(exist_ok=True)
    for old in logs.glob("*.log"):
        old.replace(old.with_suffix(".log.1"))
    return logs


def stored_secret(file: Path, *, length: int) -> str:
    """The secret in `file`; if there is none yet, one of `length` random bytes, written with mode 0600."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text().strip()
    secret = secrets.token_urlsafe(length)
    with os.fdopen(handle, "w") as stream:
        stream.write(secret + "\n")
    return secret


def serve(port: int, var: Path) -> None:
    """Run until something asks us to stop."""
    if "SECRET_KEY" not in os.environ:
        stored_secret(var / "secret_key", length=50)
    password = stored_secret(var / "researcher.txt", length=12)
    env = {**os.environ, "PARALLAX_LOCAL": "1", "PARALLAX_VAR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"}
    with Supervisor(env=env, say=say) as supervisor:
        start(supervisor, var, port=port)
        say(
            f"Parallax is ready: http://{HOST}:{port}/ "
            f"(log in as researcher, password {password}, kept in {var / 'researcher.txt'}; Ctrl-C stops)"
        )
        while True:
            supervisor.look_after()


def main() -> int:
    var = Path(os.environ.get("PARALLAX_VAR") or ROOT / "var").absolute()
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with locked(var):
            serve(chosen_port(), var)
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    except StopAsked:
        say("Parallax has stopped.")
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
