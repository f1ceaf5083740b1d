"""Errands: asked for, and done by the function that was registered under their name."""

import hashlib
import json
import logging
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec

from work.kinds import GivenUp, Kind, register
from work.models import Errand
from work.queue import send

log = logging.getLogger(__name__)

Given = ParamSpec("Given")
# Tells whoever waits that nothing will come of it: by what they are known by, and why.
Tell = Callable[[list[Any], str], None]
ERRANDS: dict[str, Callable[..., None]] = {}
TELLING: dict[str, Tell] = {}


def errand(name: str, *, tell: Tell | None = None) -> Callable[[Callable[Given, None]], Callable[Given, None]]:
    """Registers what a worker does; it is told again from the beginning where its worker dies. Arguments are JSON.

    What goes wrong it tells whoever waits by itself; `tell` does so where it is given up from outside.
    """

    def registered(do: Callable[Given, None]) -> Callable[Given, None]:
        ERRANDS[name] = do
        if tell is not None:
            TELLING[name] = tell
        return do

    return registered


def ask(name: str, *given: Any, waits: Sequence[Any] = ()) -> None:
    """Have a worker do it, once; again where a worker has begun. QueueSilent where the queue does not answer: it is
    stored then, and done later.

    `waits` is by what whoever waits is known.
    """
    fingerprint = hashlib.sha256(json.dumps([name, given]).encode()).hexdigest()
    new = {"name": name, "given": list(given), "waits": list(waits)}
    row, _ = Errand.objects.get_or_create(fingerprint=fingerprint, defaults=new)
    send([row])


def do(row: Errand) -> None:
    # Whoever asks for the same from now on may have seen what this one does not.
    Errand.objects.held_as(row).update(fingerprint=f"held {row.pk}")
    ERRANDS[row.name](*row.given)
    end(row)


def end(row: Errand, error: Exception | None = None) -> None:
    """Whoever waits was told by the errand itself what went wrong, unless it was given up."""
    if error is not None:
        log.warning("%s: %s", row, error)
    if isinstance(error, GivenUp) and row.waits and row.name in TELLING:
        TELLING[row.name](row.waits, f"Stopped: it {error}.")
    Errand.objects.held_as(row).delete()


register(Kind(model=Errand, do=do, fail=end))
