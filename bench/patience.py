"""Asking a database that may be away for a moment: benches that stop it, and those who label meanwhile."""

import time
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

Answer = TypeVar("Answer")
PATIENCE, PAUSE = 120.0, 0.5


def patiently(ask: Callable[[], Answer]) -> Answer:
    """What it says once the database answers: for what may be asked twice."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return ask()
        except (OperationalError, InterfaceError):
            if time.monotonic() > until:
                raise
            connection.close()
            time.sleep(PAUSE)
