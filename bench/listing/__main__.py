"""How fast the API lists a large study: every item, label and score of it, page by page, through a web server.

    make bench-api ARGS="FOLDER [--database URL] [--limit 10000]"

Of the study of bench.million, whose 200,000 items and million labels are loaded into FOLDER if they are not there.
Starts gunicorn as docs/running.md has it, with one worker; prints for each list its rows, pages, seconds, rows a second
and the server's processor seconds, then how long it takes to be told that a page has not changed. Ends with 1 where the
items come slower than 20,000 rows a second.
"""

import argparse
import logging
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from bench.million import ROOT, installation
from tests.parallax_client.serving import answers, free_port

LISTS = ("items", "labels", "scores")
LEAST = 20_000
READY_SECONDS = 120


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where bench.million has its database")
    parser.add_argument("--database", default="", metavar="URL", help="another database than FOLDER/million.sqlite3")
    parser.add_argument("--study", default="", metavar="SLUG", help="one that is there, not the largest")
    parser.add_argument("--limit", type=int, default=10_000, help="rows of a page (10000)")
    parser.add_argument("--least", type=int, default=LEAST, help=f"items a second below which it ends with 1 ({LEAST})")
    options = parser.parse_args()
    folder = options.folder.absolute()
    if not options.study:
        loading = [str(folder), "--only", "load_study", "import_labels", "--database", options.database]
        subprocess.run([sys.executable, "-m", "bench.million", *loading], cwd=ROOT, check=True)  # noqa: S603 our own line
    installation(folder, options.database)
    os.environ["API_REQUESTS_PER_MINUTE"] = "0"
    slug, token = prepared(options.study)
    print(f"{platform.platform()}, Python {platform.python_version()}, study {slug}, pages of {options.limit:,} rows")
    print("| list | rows | pages | s | rows/s | server's CPU s | again, ms a page |\n|---|---|---|---|---|---|---|")
    with served() as (url, server):
        shown = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"{url}/api/v1/", headers=shown, timeout=600) as http:
            speeds = {name: listed(http, server, f"studies/{slug}/{name}", options.limit) for name in LISTS}
    return int(speeds["items"] < options.least)


def prepared(slug: str) -> tuple[str, str]:
    """The study, and a token of somebody who sees it."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    from django.db.models import Count

    from accounts.models import User
    from annotation.models import Study
    from api.tokens import make_token

    study = Study.objects.get(slug=slug) if slug else Study.objects.annotate(n=Count("items")).order_by("-n")[0]
    user, _ = User.objects.get_or_create(username="bench-api", defaults={"is_superuser": True})
    return study.slug, make_token(user, name="bench", scopes=["read"]).secret


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """A web server's address, and the process that answers."""
    port = free_port()
    command = ["-m", "gunicorn", "config.local.web", "--workers", "1", "--bind", f"127.0.0.1:{port}"]
    command += ["--timeout", "600", "--log-level", "error"]
    server = subprocess.Popen([sys.executable, *command], cwd=ROOT)  # noqa: S603 our own line
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + READY_SECONDS
        while not answers(url):
            assert time.monotonic() < until, "the web server does not answer"
            time.sleep(0.2)
        yield url, child_of(server.pid)
    finally:
        server.terminate()
        server.wait()


def listed(http: httpx.Client, server: int, address: str, limit: int) -> float:
    """Prints a line; rows a second."""
    rows, pages, tags = 0, 0, []
    cursor: str | None = ""
    begun, spent = time.monotonic(), cpu_seconds(server)
    while cursor is not None:
        asked = {"limit": str(limit), "cursor": cursor}
        answer = http.get(address, params=asked).raise_for_status()
        page = answer.json()
        tags.append((asked, answer.headers["ETag"]))
        rows, pages, cursor = rows + len(page["data"]), pages + 1, page["next"]
    seconds, spent = time.monotonic() - begun, cpu_seconds(server) - spent
    begun = time.monotonic()
    known = [http.get(address, params=asked, headers={"If-None-Match": tag}).status_code for asked, tag in tags]
    assert set(known) == {304}, "what has not changed is not sent again"
    again = 1000 * (time.monotonic() - begun) / pages
    speed = rows / seconds
    name = address.rpartition("/")[2]
    print(f"| {name} | {rows:,} | {pages} | {seconds:.1f} | {speed:,.0f} | {spent:.1f} | {again:.0f} |", flush=True)
    return speed


def child_of(pid: int) -> int:
    """gunicorn's one worker."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def cpu_seconds(pid: int) -> float:
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
