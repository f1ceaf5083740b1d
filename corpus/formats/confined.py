"""A stranger's file is read in a process with limits of its own: it may make a reader eat memory or time.

The module that reads has a main that calls `confine`, writes what it found to a file, returns REFUSED after `tell`, and
ends by `leave`.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from corpus.errors import Fault, SourceError

ROOT = Path(__file__).parents[2]
MOST_BYTES = 3 * 1024**3
MOST_SECONDS = 60
REFUSED = 3


def run_confined(module: str, *arguments: str, source: Path) -> None:
    """Run `python -m MODULE ARGUMENT…`, which reads `source`; SourceError with every fault that it tells."""
    try:
        # Python itself, and arguments of our own making: nothing of it is a stranger's.
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            capture_output=True,
            timeout=2 * MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SourceError(source, [Fault("file", f"takes longer than {MOST_SECONDS} seconds to read")]) from None
    if done.returncode == REFUSED:
        raise SourceError(source, [Fault(*one) for one in json.loads(done.stdout)])
    if done.returncode:
        raise SourceError(source, [Fault("file", "takes more memory or time to read than a file of its size may")])


def confine(most_bytes: int) -> None:
    """Limit this process."""
    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def tell(faults: Iterable[Fault]) -> int:
    """Say what is wrong to whoever ran this; the exit code for it."""
    print(json.dumps([[fault.field, fault.message] for fault in faults]))
    return REFUSED


def leave(code: int) -> NoReturn:
    """End this process at once, with all that it has written.

    pyarrow's threads may still be there when Python takes itself apart, and then C++ ends the process with an abort
    (once in a hundred times on a busy machine), though everything was read.
    """
    sys.stdout.flush()
    os._exit(code)
