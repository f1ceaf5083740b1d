"""/metrics, read every other second while all goes on, into a file of one JSON object a reading."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

EVERY = 2.0
TOKEN = "bench"  # noqa: S105 of a server of this bench
# name, its labels in the order of the alphabet.
Key = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Reading:
    """Seconds since the first; None where nobody answered."""

    at: float
    values: dict[Key, float] | None


@contextmanager
def watched(port: int, file: Path) -> Iterator[None]:
    over = threading.Event()

    def watch() -> None:
        while not over.wait(EVERY):
            line = json.dumps({"at": time.time(), "text": scraped(port)}) + "\n"
            with suppress(OSError), file.open("a", encoding="utf-8") as out:
                out.write(line)

    watching = threading.Thread(target=watch, name="metrics")
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()


def scraped(port: int) -> str | None:
    asked = urllib.request.Request(  # our own address
        f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:  # noqa: S310
            return str(answer.read().decode())
    except (urllib.error.URLError, OSError):
        return None


def read_readings(file: Path) -> list[Reading]:
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        # Of one that the disk had no room for, half is there.
        with suppress(json.JSONDecodeError):
            lines.append(json.loads(line))
    begun = lines[0]["at"] if lines else 0.0
    return [Reading(line["at"] - begun, None if line["text"] is None else _values(line["text"])) for line in lines]


def _values(text: str) -> dict[Key, float]:
    families = text_string_to_metric_families(text)
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }
