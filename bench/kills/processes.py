"""What a server runs, as docs/running.md has it, and how it is hit: by SIGKILL, one process of a random kind at a time.

What ended is started again after two seconds, as its unit does (deploy/systemd); what it had started ends with it.
"""

import os
import pwd
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from bench import ROOT
from config.broker import broker_socket
from config.local.child import Child, Program
from config.local.valkey import answers, valkey_program
from tests.servers import postgres_programs, postgres_wheel, with_database
from work.queues import Queue

# Under nice, as docs/running.md has them.
YIELDING = (Queue.TRAINING, Queue.JOBS)
RESTART_SECONDS = 2.0
READY_SECONDS = 120
# What of a program is hit: itself, one of the processes that it has started, or it is asked to restart; or the disk.
WHOLE, PART, STOPPED, FULL = "whole", "part", "stopped", "full"
FULL_SECONDS = 6.0
WEB, CLOCK, QUEUE_SERVER, DATABASE = "web", "clock", "queue server", "database"
NAME = "kills"


@dataclass(frozen=True, slots=True)
class Blow:
    """`words` for the table; `what` of which program."""

    words: str
    program: str
    what: str = WHOLE


@dataclass(slots=True)
class Server:
    """All of it, started in this order. `struck` counts the blows by their words."""

    programs: dict[str, Program]
    # Where a file fills the disk; None: none does.
    filling: Path | None = None
    children: dict[str, Child] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)
    struck: Counter[str] = field(default_factory=Counter)
    started_again: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def running(self) -> Iterator[None]:
        """What must answer before others start has started; the rest is looked after from here on."""
        looking = threading.Thread(target=self._look_after, name="supervisor")
        looking.start()
        try:
            yield
        finally:
            self.over.set()
            looking.join()
            for child in reversed(self.children.values()):
                child.ask_to_stop()
            until = time.monotonic() + 20
            for child in reversed(self.children.values()):
                while child.status is None and time.monotonic() < until:
                    time.sleep(0.1)
                child.kill()

    def start(self, name: str) -> None:
        self.children[name] = Child(self.programs[name], env=os.environ)

    def _look_after(self) -> None:
        # The kernel ends what a thread has started with that thread: so one thread starts all.
        for name in self.programs:
            self.start(name)
        while not self.over.wait(0.1):
            with self.lock:
                for name, child in list(self.children.items()):
                    if child.status is not None:
                        self._once_more(name, child)

    def _once_more(self, name: str, child: Child) -> None:
        now = time.monotonic()
        if name not in self.ended:
            # Its group too, as systemd ends a unit's.
            child.kill()
            self.ended[name] = now
        elif now - self.ended[name] >= RESTART_SECONDS:
            del self.ended[name]
            self.start(name)
            self.started_again += 1

    def blows(self) -> list[Blow]:
        """One of each kind."""
        found = [Blow("web server", WEB), Blow("process of the web server", WEB, PART)]
        for queue in Queue:
            found += [Blow(f"worker of {queue}", queue), Blow(f"process of the worker of {queue}", queue, PART)]
        found += [Blow("clock", CLOCK), Blow("queue’s server", QUEUE_SERVER)]
        if DATABASE in self.programs:
            found += [
                Blow("database", DATABASE),
                Blow("process of the database", DATABASE, PART),
                Blow("database, restarted", DATABASE, STOPPED),
            ]
        return found if self.filling is None else [Blow("disk, full for six seconds", "", FULL)]

    def strike(self, blow: Blow, rng: random.Random) -> bool:
        """False where that process is not there just now."""
        if blow.what == FULL and self.filling is not None:
            fill(self.filling)
            self.struck[blow.words] += 1
            return True
        with self.lock:
            child = self.children[blow.program]
            if child.status is not None:
                return False
            target = child.process.pid
            if blow.what == PART:
                parts = started_by(target)
                if not parts:
                    return False
                target = rng.choice(parts)
            with suppress(ProcessLookupError):
                # PostgreSQL's way of a fast shutdown is SIGINT.
                os.kill(target, signal.SIGINT if blow.what == STOPPED else signal.SIGKILL)
            self.struck[blow.words] += 1
        return True


def fill(path: Path) -> None:
    """No byte is left on its disk, for so long."""
    try:
        with suppress(OSError), path.open("wb", buffering=0) as out:
            for size in (2**20, 2**12):
                with suppress(OSError):
                    while True:
                        out.write(bytes(size))
        time.sleep(FULL_SECONDS)
    finally:
        path.unlink(missing_ok=True)


def started_by(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


@contextmanager
def struck_at_random(
    server: Server, *, kills: int, every: float, seed: int, say: Callable[[str], None]
) -> Iterator[threading.Event]:
    """Meanwhile every kind is hit in a random order, again and again; the event is set after so many blows."""
    done, over, rng = threading.Event(), threading.Event(), random.Random(f"{seed}/kills")

    def strike() -> None:
        waiting: list[Blow] = []
        while not over.wait(rng.uniform(0.5 * every, 1.5 * every)):
            if not waiting:
                waiting = server.blows()
                rng.shuffle(waiting)
            blow = waiting.pop()
            if server.strike(blow, rng):
                say(f"kill {server.struck.total()}: {blow.words}")
            if server.struck.total() >= kills:
                done.set()
                return

    striking = threading.Thread(target=strike, name="kills")
    striking.start()
    try:
        yield done
    finally:
        over.set()
        striking.join()
        done.set()


def programs(folder: Path, port: int) -> dict[str, Program]:
    """As docs/running.md starts them; the database comes first where it is this bench's own."""
    var, logs = folder / "var", folder / "log"
    logs.mkdir(exist_ok=True)
    python = sys.executable
    broker_socket(var).unlink(missing_ok=True)
    found = {QUEUE_SERVER: valkey_program(var, log=logs / "valkey.log", say=print)}
    web = [python, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}", "--workers", "3", "--threads", "4"]
    celery = [python, "-m", "celery", "--app", "config"]
    beat = [*celery, "beat", "--schedule", str(var / "beat-schedule"), "--pidfile=", "--loglevel", "INFO"]
    found[WEB] = Program(WEB, web, logs / "web.log", ROOT)
    for queue in Queue:
        nice = ["nice", "-n", "10"] if queue in YIELDING else []
        command = [*nice, *celery, "worker", "--queues", queue, "--concurrency", "1", "--hostname", f"{queue}@%h"]
        found[queue] = Program(queue, [*command, "--loglevel", "INFO"], logs / f"{queue}.log", ROOT, patience=2)
    found[CLOCK] = Program(CLOCK, beat, logs / "clock.log", ROOT)
    return found


def own_database(folder: Path) -> tuple[Program, str]:
    """A PostgreSQL server of this bench, and the URL of an empty database in it: from the wheel, as another user where
    we are root. It waits for the disk, as a server does.
    """
    place = folder / "postgres"
    made = postgres_wheel()(place, cleanup_mode="stop")
    url = made.get_uri()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME}".encode())
        connection.execute(f"CREATE DATABASE {NAME}".encode())
        sockets = connection.execute("SHOW unix_socket_directories").fetchone()
    assert sockets is not None
    made.cleanup()
    command = [str(postgres_programs() / "postgres"), "-D", str(place), "-k", sockets[0], "-h", ""]
    if os.geteuid() == 0:
        user = pwd.getpwnam("pgserver")
        command = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", *command]
    log = folder / "log" / "postgres.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    return Program(DATABASE, command, log, place), with_database(url, NAME)


def wait_until(reached: Callable[[], bool], what: str, *, seconds: float = READY_SECONDS) -> None:
    until = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > until:
            raise TimeoutError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.3)


def database_answers(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=3):
            return True
    except psycopg.OperationalError:
        return False


def queue_answers(folder: Path) -> bool:
    return answers(broker_socket(folder / "var"))
