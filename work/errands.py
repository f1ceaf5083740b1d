"""Errands: asked for, and done by the function that was registered under their name."""

import hashlib
import json
import logging
from collections.abc import Callable
from typing import Any, ParamSpec

from work.kinds import Kind, register
from work.models import Errand
from work.queue import send

log = logging.getLogger(__name__)

Given = ParamSpec("Given")
ERRANDS: dict[str, Callable[..., None]] = {}


def errand(name: str) -> Callable[[Callable[Given, None]], Callable[Given, None]]:
    """Registers what a worker does; it is told again from the beginning where its worker dies. Arguments are JSON."""

    def registered(do: Callable[Given, None]) -> Callable[Given, None]:
        ERRANDS[name] = do
        return do

    return registered


def ask(name: str, *given: Any) -> None:
    """Have a worker do it, once. QueueSilent where the queue does not answer: it is stored then, and done later."""
    fingerprint = hashlib.sha256(json.dumps([name, given]).encode()).hexdigest()
    row, _ = Errand.objects.get_or_create(fingerprint=fingerprint, defaults={"name": name, "given": list(given)})
    send([row])


def do(row: Errand) -> None:
    ERRANDS[row.name](*row.given)
    end(row)


def end(row: Errand, error: Exception | None = None) -> None:
    """Whoever waits was told by the errand itself what went wrong."""
    if error is not None:
        log.warning("%s: %s", row, error)
    Errand.objects.held_as(row).delete()


register(Kind(model=Errand, do=do, fail=end))
