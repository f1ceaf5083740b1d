"""A worker's app that stops in the middle of whatever it has claimed, so that it can be killed there."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from celery.signals import worker_init

from config.celery import app

__all__ = ["app"]


@worker_init.connect
def _pause(**_: object) -> None:
    from work.leases import renewed

    @contextmanager
    def paused(row: Any) -> Iterator[None]:
        with renewed(row):
            time.sleep(3600)
            yield

    pytest.MonkeyPatch().setattr("work.kinds.renewed", paused)
