"""The web server: how long an answer takes until the next item is there, and how fast the API lists a large study.

    make bench-serving ARGS=FOLDER
    (or: python -m bench.serving FOLDER [--only annotators|api] [--web 3 …] [--database URL])

Loads and opens a made study of 50,000 items in FOLDER (kept for the next time), starts gunicorn as docs/running.md
does, and lets 1 and then 8 annotators answer for so many seconds as fast as they can: each submits with htmx's header,
reads the next item out of the page and begins another sitting where one ends. The clients run in one other process on
the same machine, so that their work is in the figures too. Then the API gives every item, label and score of the
largest study in FOLDER (that of bench.analysis, if it is there) page by page, from one worker, and says of each page
once more that it has not changed. Ends with 1 where items come slower than 20,000 rows a second.
"""

import argparse
import http.client
import logging
import platform
import re
import secrets
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import httpx

from bench import cpu_seconds, migrate, served, set_up

SLUG = "answering"
CLIENTS = (1, 8)
FORM = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
ANNOTATORS = (
    "| web processes | clients | answers | items/s | median, ms | p95, ms | p99, ms | web server, CPU ms an answer |\n"
    "|---|---|---|---|---|---|---|---|"
)
LISTS = ("items", "labels", "scores")
LISTED = "| list | rows | pages | s | rows/s | server's CPU s | again, ms a page |\n|---|---|---|---|---|---|---|"
LEAST = 20_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the studies and their database are")
    parser.add_argument("--only", choices=["annotators", "api"], default="", help="one of both")
    parser.add_argument("--items", type=int, default=50_000, help="targets of the study that is answered (50000)")
    parser.add_argument("--seconds", type=int, default=30, help="how long each number of clients answers (30)")
    parser.add_argument("--limit", type=int, default=10_000, help="rows of a page of the API (10000)")
    parser.add_argument("--least", type=int, default=LEAST, help=f"items a second below which it ends with 1 ({LEAST})")
    parser.add_argument("--web", type=int, nargs="+", default=[3], help="processes of the web server (3)")
    parser.add_argument("--database", default="", metavar="URL", help="another database than FOLDER/million.sqlite3")
    options = parser.parse_args()
    folder = options.folder.absolute()
    set_up(folder, options.database)
    migrate()
    print(f"{platform.platform()}, Python {platform.python_version()}")
    if options.only != "api":
        link = answered_study(folder, options.items)
        print(ANNOTATORS)
        for processes in options.web:
            with served(workers=processes) as (port, server):
                for clients in CLIENTS:
                    seen = measured(link, port, server, clients=clients, seconds=options.seconds)
                    print(f"| {processes} | {clients} | {seen} |", flush=True)
    if options.only == "annotators":
        return 0
    slug, token = listed_study()
    print(f"Study {slug}, pages of {options.limit:,} rows\n{LISTED}")
    with served(workers=1) as (port, server):
        address, key = f"http://127.0.0.1:{port}/api/v1/", {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=address, headers=key, timeout=600) as client:
            speeds = {name: listed(client, server, f"studies/{slug}/{name}", options.limit) for name in LISTS}
    return int(speeds["items"] < options.least)


def answered_study(folder: Path, items: int) -> str:
    """The address of the open study, loaded if it is not there."""
    from annotation.loading import load_study
    from annotation.models import Study
    from tests.studies import plausibility_rows, write_study

    study = Study.objects.filter(slug=SLUG).first()
    if study is None:
        collection = {"labels_per_item": 5, "sitting_length": 50, "max_items_per_annotator": 50, "max_unanswered": 0}
        write_study(folder / SLUG, plausibility_rows(items), slug=SLUG, collection=collection)
        study = load_study(folder / SLUG, open_study=True).study
    return study.links.get().get_absolute_url()


def measured(link: str, port: int, server: int, *, clients: int, seconds: int) -> str:
    """What these many annotators saw, as cells of a line."""
    until = time.monotonic() + seconds
    annotators = [Annotator(link, port) for _ in range(clients)]
    started, before = time.monotonic(), cpu_seconds(server)
    with ThreadPoolExecutor(clients) as pool:
        for working in [pool.submit(one.work, until) for one in annotators]:
            working.result()
    spent = time.monotonic() - started
    took = sorted(1000 * one for annotator in annotators for one in annotator.took)
    points = " | ".join(f"{took[int(share * len(took))]:.0f}" for share in (0.5, 0.95, 0.99))
    each = 1000 * (cpu_seconds(server) - before) / len(took)
    return f"{len(took):,} | {len(took) / spent:.0f} | {points} | {each:.1f}"


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
        match = re.search(r'name="csrfmiddlewaretoken" value="([^"]*)"', page)
        assert match is not None, page[:2000]
        return {"csrfmiddlewaretoken": match[1]}

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


def listed_study() -> tuple[str, str]:
    """The largest study, and a token of somebody who sees it."""
    from django.db.models import Count

    from accounts.models import User
    from annotation.models import Study
    from api.models import make_token

    logging.getLogger("httpx").setLevel(logging.WARNING)
    study = Study.objects.annotate(n=Count("items")).order_by("-n", "-pk")[0]
    user, _ = User.objects.get_or_create(username="bench-api", defaults={"is_superuser": True})
    return study.slug, make_token(user, name="bench", scopes=["read"]).secret


def listed(client: httpx.Client, server: int, address: str, limit: int) -> float:
    """Prints a line; rows a second."""
    rows, tags = 0, []
    cursor: str | None = ""
    begun, spent = time.monotonic(), cpu_seconds(server)
    while cursor is not None:
        query = {"limit": str(limit), "cursor": cursor}
        answer = client.get(address, params=query).raise_for_status()
        page = answer.json()
        tags.append((query, answer.headers["ETag"]))
        rows, cursor = rows + len(page["data"]), page["next"]
    seconds, spent = time.monotonic() - begun, cpu_seconds(server) - spent
    begun = time.monotonic()
    states = {client.get(address, params=query, headers={"If-None-Match": tag}).status_code for query, tag in tags}
    assert states == {304}, "what has not changed is not sent again"
    again, speed = 1000 * (time.monotonic() - begun) / len(tags), rows / seconds
    name = address.rpartition("/")[2]
    print(f"| {name} | {rows:,} | {len(tags)} | {seconds:.1f} | {speed:,.0f} | {spent:.1f} | {again:.0f} |", flush=True)
    return speed


if __name__ == "__main__":
    sys.exit(main())
