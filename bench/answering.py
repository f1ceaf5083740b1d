"""Annotators at the real pages: how long an answer takes until the next item is there, and how many a second.

    make bench-answering ARGS=FOLDER    (or: python -m bench.answering FOLDER [--items N] [--database URL])

Loads and opens a made study of 50,000 items in FOLDER (kept for the next time), starts the web server as
docs/running.md does, and lets 1 and then 8 annotators answer for so many seconds as fast as they can: each submits
with htmx's header, reads the next item out of the page and begins another sitting where one ends. The clients run in
one other process on the same machine, so that their work is in the figures too.
"""

import argparse
import http.client
import os
import re
import secrets
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

from bench.million import ROOT, installation

SLUG = "answering"
CLIENTS = (1, 8)
FORM = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
HEAD = (
    "| clients | answers | items/s | median, ms | p95, ms | p99, ms | web server, CPU ms an answer |\n"
    "|---|---|---|---|---|---|---|"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the study and its database are")
    parser.add_argument("--items", type=int, default=50_000, help="how many targets (50000)")
    parser.add_argument("--seconds", type=int, default=30, help="how long each number of clients answers (30)")
    parser.add_argument("--database", default="", metavar="URL", help="another database than FOLDER/million.sqlite3")
    options = parser.parse_args()
    folder = options.folder.absolute()
    installation(folder, options.database)
    os.environ["STARTS_PER_ADDRESS"] = "0"
    link, port = prepared(folder, options.items), free_port()
    server = start_web(port)
    try:
        print(HEAD)
        for clients in CLIENTS:
            measured(link, port, server.pid, clients=clients, seconds=options.seconds)
    finally:
        server.terminate()
        server.wait()


def prepared(folder: Path, items: int) -> str:
    """The address of the open study, loaded if it is not there."""
    import django
    from django.core.management import call_command

    django.setup()
    from annotation.loading import load_study
    from annotation.models import Study
    from tests.studies import plausibility_rows, write_study

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    study = Study.objects.filter(slug=SLUG).first()
    if study is None:
        collection = {"labels_per_item": 5, "sitting_length": 50, "max_items_per_annotator": 50, "max_unanswered": 0}
        write_study(folder / SLUG, plausibility_rows(items), slug=SLUG, collection=collection)
        study = load_study(folder / SLUG, open_study=True).study
    found = study.links.get()
    return found.get_absolute_url()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def start_web(port: int) -> "subprocess.Popen[bytes]":
    command = ["-m", "gunicorn", "config.local.web", "--preload", "--bind", f"127.0.0.1:{port}", "--log-level", "error"]
    server = subprocess.Popen([sys.executable, *command, "--workers", "3", "--threads", "4"], cwd=ROOT)  # noqa: S603
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return server
        except OSError:
            time.sleep(0.1)


def measured(link: str, port: int, server: int, *, clients: int, seconds: int) -> None:
    """One line: what these many annotators saw."""
    until = time.monotonic() + seconds
    annotators = [Annotator(link, port) for _ in range(clients)]
    started, before = time.monotonic(), cpu(server)
    with ThreadPoolExecutor(clients) as pool:
        for working in [pool.submit(one.work, until) for one in annotators]:
            working.result()
    spent = time.monotonic() - started
    took = sorted(1000 * one for annotator in annotators for one in annotator.took)
    points = " | ".join(f"{took[int(share * len(took))]:.0f}" for share in (0.5, 0.95, 0.99))
    each = 1000 * (cpu(server) - before) / len(took)
    print(f"| {clients} | {len(took):,} | {len(took) / spent:.0f} | {points} | {each:.1f} |", flush=True)


def cpu(server: int) -> float:
    """Seconds of a processor that gunicorn and its workers have spent."""
    workers = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    # After the program's name, which may hold spaces: user and system time are the 12th and the 13th.
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in (server, *workers)]
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


class Annotator:
    """One browser after another: a new id for every sitting."""

    def __init__(self, link: str, port: int) -> None:
        self.link, self.line = link, http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookies: dict[str, str] = {}
        self.took: list[float] = []

    def work(self, until: float) -> None:
        while self.goes_on(until):
            address, page = self.begin()
            while self.goes_on(until) and (position := re.search(r'name="position" value="(\d+)"', page)):
                answer = re.search(r'name="answer" value="([^"]*)"', page)
                assert answer is not None, page[:2000]
                started = time.monotonic()
                given = {"position": position[1], "answer": answer[1], "response_ms": "900", **self.token(page)}
                page, _ = self.ask("POST", address, given)
                self.took.append(time.monotonic() - started)

    def goes_on(self, until: float) -> bool:
        """Each answers once at least, also on a machine that does much else."""
        return time.monotonic() < until or not self.took

    def begin(self) -> tuple[str, str]:
        """The address of a sitting and its first item."""
        self.cookies = {}
        start = f"{self.link}?annotator={secrets.token_hex(8)}"
        page, _ = self.ask("GET", start)
        _, address = self.ask("POST", start, self.token(page))
        return address, self.ask("GET", address)[0]

    def token(self, page: str) -> dict[str, str]:
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]*)"', page)
        assert found is not None, page[:2000]
        return {"csrfmiddlewaretoken": found[1]}

    def ask(self, method: str, address: str, form: dict[str, str] | None = None) -> tuple[str, str]:
        """The page, and where it leads to."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form:
            headers |= FORM if "sitting" in address else {"Content-Type": FORM["Content-Type"]}
        self.line.request(method, address, urlencode(form) if form else None, headers)
        answer = self.line.getresponse()
        text = answer.read().decode()
        assert answer.status < 400, f"{answer.status} {address} {text[:2000]}"
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return text, answer.headers.get("Location") or ""


if __name__ == "__main__":
    main()
