"""Benchmarks, and what they share: files of the checkout and beside it, an installation of their own, its costs."""

import gzip
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SHARED_DATA") or ROOT.parent / "shared" / "data")
TEXT = SHARED / "text"
FEWEST_WORDS, MOST_WORDS = 4, 40
CORPORA = (
    "masc/masc.txt.gz",
    "movie_snippets/movie_snippets.txt.gz",
    "product_reviews/product_reviews.txt.gz",
    "english_novels/novels_paragraphs.txt.gz",
)
READY_SECONDS = 120


def set_up(folder: Path, database: str = "", redis: str = "") -> None:
    """Django with an installation in this folder; the environment is that of this process and of its children."""
    (folder / "var").mkdir(parents=True, exist_ok=True)
    os.environ |= {
        "PARALLAX_VAR": str(folder / "var"),
        "PARALLAX_LOCAL": "1",
        "SECRET_KEY": "bench",
        "DATABASE_URL": database or f"sqlite:///{folder / 'million.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        # All clients come from one address.
        "STARTS_PER_ADDRESS": "0",
        "API_REQUESTS_PER_MINUTE": "0",
        **({"REDIS_URL": redis} if redis else {}),
    }
    import django

    django.setup()


def migrate() -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)


@contextmanager
def served(*, workers: int) -> Iterator[tuple[int, int]]:
    """The port and the process of a web server that was started as docs/running.md says."""
    # Here and not above: it brings httpx, which would count as memory of a web process that is measured.
    from tests.parallax_client.serving import answers, free_port

    port = free_port()
    command = ["-m", "gunicorn", "config.local.web", "--preload", "--bind", f"127.0.0.1:{port}", "--log-level", "error"]
    command += ["--workers", str(workers), "--threads", "4", "--timeout", "600"]
    server = subprocess.Popen([sys.executable, *command], cwd=ROOT)  # noqa: S603 our own line
    try:
        until = time.monotonic() + READY_SECONDS
        while not answers(f"http://127.0.0.1:{port}"):
            assert time.monotonic() < until, "the web server does not answer"
            time.sleep(0.1)
        yield port, server.pid
    finally:
        server.terminate()
        server.wait()


def cpu_seconds(server: int) -> float:
    """Seconds of a processor that gunicorn and its workers have spent."""
    workers = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    # After the program's name, which may hold spaces: user and system time are the 12th and the 13th.
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in (server, *workers)]
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


def peak() -> int:
    """The greatest resident size of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def real_sentences(count: int) -> list[str]:
    """`count` lines of the text corpora beside the checkout, or, without them, of the sample studies, repeated."""
    lines = _corpora() if TEXT.is_dir() else _samples()
    if len(lines) >= count:
        return random.Random(11).sample(lines, count)
    return [lines[number % len(lines)] for number in range(count)]


def _corpora() -> list[str]:
    lines: list[str] = []
    for name in CORPORA:
        with gzip.open(TEXT / name, "rt", encoding="utf-8") as corpus:
            own = [line.strip() for line in corpus if FEWEST_WORDS <= len(line.split()) <= MOST_WORDS]
        lines += random.Random(name).sample(own, min(5000, len(own)))
    return lines


def _samples() -> list[str]:
    texts: list[str] = []
    for path in sorted((ROOT / "stimuli" / "samples").glob("*/items.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for value in json.loads(line)["content"].values():
                texts += value.values() if isinstance(value, dict) else [value]
    fitting = (text for text in texts if FEWEST_WORDS <= len(text.split()) <= MOST_WORDS and "____" not in text)
    return list(dict.fromkeys(fitting))
