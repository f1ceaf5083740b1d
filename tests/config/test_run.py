"""`make run` as a person uses it: it comes up, can be logged in to, survives a crash, and leaves nothing behind."""

import http.cookiejar
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.sources import ROOT
from tests.parallax_client.serving import free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for left-over processes in /proc"),
    pytest.mark.skipif(shutil.which("make") is None, reason="there is no make on this machine"),
]
# Generous: on a machine that has not fetched the models yet, this is their download and conversion as well.
READY_WITHIN = 600
READY = re.compile(r"Parallax is ready: (?P<address>http://\S+) \(log in as (?P<name>\w+), password (?P<password>\S+),")


def processes_of(var: Path) -> dict[int, str]:
    """Process id → command line of everything that runs with this PARALLAX_VAR in its environment."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (PermissionError, FileNotFoundError, ProcessLookupError):
            continue  # Someone else's, or gone meanwhile.
        if f"PARALLAX_VAR={var}".encode() in environment and command:
            found[int(folder.name)] = command
    return found


def eventually(holds, *, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


class Running:
    """A `make run` in a process group of its own, as under a terminal, and the lines it has printed."""

    def __init__(self, var: Path, *, port: int) -> None:
        kept_out = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PARALLAX_LOCAL", "DJANGO_SETTINGS_MODULE", "MAKEFLAGS"}
        env = {name: value for name, value in os.environ.items() if name not in kept_out}
        self.make = subprocess.Popen(
            ["make", "run"],
            cwd=ROOT,
            env={**env, "PARALLAX_VAR": str(var), "PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.make.stdout is not None
        for line in self.make.stdout:
            self.lines.append(line)

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def ready(self) -> re.Match[str]:
        came = eventually(lambda: READY.search(self.text) or self.make.poll() is not None, seconds=READY_WITHIN)
        found = READY.search(self.text)
        assert came and found, self.text
        return found

    def press_ctrl_c(self) -> None:
        os.killpg(self.make.pid, signal.SIGINT)


@pytest.fixture
def var(tmp_path: Path) -> Iterator[Path]:
    """A fresh PARALLAX_VAR that borrows the models, if they have been fetched. Whatever a failed test left is ended."""
    folder = tmp_path / "var"
    folder.mkdir()
    if (ROOT / "var" / "models").exists():
        (folder / "models").symlink_to(ROOT / "var" / "models")
    yield folder
    for pid in processes_of(folder):
        os.kill(pid, signal.SIGKILL)


def log_in(address: str, name: str, password: str) -> tuple[str, str]:
    """Log in through the real form; where that led, and the page."""
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    opener.open(f"{address}login/", timeout=30).read()
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    form = urllib.parse.urlencode({"login": name, "password": password, "csrfmiddlewaretoken": token})
    with opener.open(f"{address}login/", data=form.encode(), timeout=30) as answer:
        return answer.url, answer.read().decode()


def test_make_run_comes_up_survives_a_killed_worker_and_leaves_nothing_behind(var):
    running = Running(var, port=free_port())
    ready = running.ready()

    where, page = log_in(ready["address"], ready["name"], ready["password"])
    assert not where.endswith("/login/")
    assert "Intensifier" in page
    assert (var / "researcher.txt").stat().st_mode & 0o077 == 0
    assert (var / "secret_key").stat().st_mode & 0o077 == 0

    workers = {pid for pid, command in processes_of(var).items() if "--queues scoring" in command}
    os.kill(min(workers), signal.SIGKILL)
    assert eventually(lambda: "The scoring worker ended (signal SIGKILL)" in running.text, seconds=120), running.text
    assert eventually(
        lambda: (
            not workers & set(processes_of(var)) and any("--queues scoring" in c for c in processes_of(var).values())
        ),
        seconds=120,
    )

    running.press_ctrl_c()
    running.make.wait(timeout=120)
    assert eventually(lambda: not processes_of(var), seconds=60), processes_of(var)
    assert "Parallax has stopped." in running.text


def test_a_port_in_use_is_said_in_one_line(var):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        running = Running(var, port=taken.getsockname()[1])
        assert running.make.wait(timeout=READY_WITHIN) != 0
        assert eventually(lambda: "cannot be used" in running.text, seconds=60)
    own = [line for line in running.lines if not line.startswith(("make", "Making", "Installing"))]
    assert len(own) == 1, own
    assert not processes_of(var)
