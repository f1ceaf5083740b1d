"""A worker's app that stops within whatever it does for the first time, so that it can be killed there.

It stops when the row's `do` has made its first query outside a transaction, in which it would hold up all others; and
it counts how often `do` came so far, by a line in a file of the row's.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from celery.signals import worker_init

from config.celery import app

__all__ = ["app"]


class FirstQuery:
    """Wraps the queries of one `do`."""

    def __init__(self, began: Path) -> None:
        self.began, self.seen = began, False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        answer = execute(sql, params, many, context)
        if self.seen or context["connection"].in_atomic_block or sql.startswith("BEGIN"):
            return answer
        self.seen = True
        is_first = not self.began.exists()
        with self.began.open("a") as lines:
            lines.write(f"{sql}\n")
        if is_first:
            time.sleep(3600)
        return answer


@worker_init.connect
def _pause(**_: object) -> None:
    from django.conf import settings
    from django.db import connection

    from work.leases import renewed

    folder = Path(settings.VAR_DIR) / "began"
    folder.mkdir(exist_ok=True)

    @contextmanager
    def paused(row: Any) -> Iterator[None]:
        with renewed(row), connection.execute_wrapper(FirstQuery(folder / f"{row._meta.label}-{row.pk}")):
            yield

    pytest.MonkeyPatch().setattr("work.kinds.renewed", paused)
