"""A process for long work, which ends when the process that started it does, even by a kill."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[1]
# Its exit code where it says on its output why it could not do what was asked for.
REFUSED = 3
LOG_SHOWN = 2_000
# What settings keep to themselves: a process that reads what a stranger made has none of it. Nor of what opens stores,
# unless it reads text there.
SECRETS = (
    "DATABASE_URL",
    "EMAIL_PASSWORD",
    "METRICS_TOKEN",
    "OPENID_SECRET",
    "PROMPT_ENDPOINT_KEY",
    "REDIS_URL",
    "SECRET_KEY",
    "SECRET_KEY_FALLBACKS",
)
OF_STORES = ("AWS_", "AZURE_", "CORPUS_STORE", "FSSPEC_", "GCS_", "GOOGLE_", "HF_TOKEN", "MODEL_STORE", "S3_")


def without_secrets(*, reads_stores: bool = False, **more: str) -> dict[str, str]:
    """The environment for a process that reads what a stranger made; `more` is set there."""
    environment = {name: value for name, value in os.environ.items() if name not in SECRETS}
    return {name: value for name, value in environment.items() if reads_stores or not name.startswith(OF_STORES)} | more


@contextmanager
def started(module: str, *arguments: str, folder: Path, log: IO[str]) -> Iterator["subprocess.Popen[str]"]:
    """`python -m MODULE ARGUMENT…` in this folder, with its errors in the log; ended with the block."""
    # Python itself, and arguments of our own making: nothing of it is a stranger's.
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", module, *arguments],
        # No word of an option is the name of a file there, and no file of the server is read by such a name.
        cwd=folder,
        env=without_secrets(reads_stores=True, PYTHONPATH=str(ROOT)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        # A group of its own, so that its own processes end with it.
        start_new_session=True,
    )
    try:
        yield process
    finally:
        # Its group may be gone with it.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def ended_badly(status: int, log: IO[str]) -> str:
    """How it ended, in a sentence or two, with the last line of its log."""
    log.seek(0)
    last = log.read().strip()[-LOG_SHOWN:].rpartition("\n")[2]
    how = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
    return f"The process ended with {how}, perhaps because memory ran out. {last}".strip()


def end_with_starter(hear: Callable[[str], object] = str.strip) -> None:
    """In the process: it ends when its input does, whose lines are heard."""
    threading.Thread(target=_leave_with_starter, args=(hear,), daemon=True).start()


def _leave_with_starter(hear: Callable[[str], object]) -> None:
    for line in sys.stdin:
        hear(line.strip())
    os._exit(1)
