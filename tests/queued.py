"""What pages put on the queue, where no worker reads it."""

from typing import Any

import pytest
from celery import current_app

from work.models import Errand
from work.queue import DO


def listened_to(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """From now on, each task or errand by its name, with what it is given."""
    found: list[tuple[Any, ...]] = []

    def send(name: str, given: tuple[Any, ...], **where: object) -> None:
        if name == DO:
            errand = Errand.objects.get(pk=given[1])
            found.append((errand.name, *errand.given))
        else:
            found.append((name, *given))

    monkeypatch.setattr(current_app, "send_task", send)
    return found
