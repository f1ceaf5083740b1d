"""Figures that are computed in the background: who is at it, how far, and for which state of the data they are there.

Kept in the cache that all processes share. Where its server does not answer, nothing is under way and nothing is there.
A worker is asked for what would keep a reader waiting: figures, which a page asks for again, and files, once.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ParamSpec, TypeVar

from django.core.cache import cache
from django.db import DatabaseError
from django.utils import timezone
from pydantic import TypeAdapter
from redis.exceptions import RedisError

from comparison.frame.cache.gathered import Gathered
from comparison.frame.cache.remembered import PROGRAM, REMEMBERED_SECONDS, from_text, to_text
from work.errands import ask, errand
from work.kinds import OutOfTime
from work.queue import QueueSilent

# How long a computation is believed to be under way after it was last heard of.
SILENT_SECONDS = 900
# For how long a failure is told before a reader may have it tried again.
FAILED_SECONDS = 60
# Labels and scores of a study whose figures may take more than seconds.
LARGE = 50_000

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Computed:
    """For which state of the data figures were last computed, and when."""

    version: str
    labels: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Progress:
    """`words` say how far it is, or why it failed; `share` is how much of it is done, where that is known."""

    words: str
    failed: bool = False
    share: float | None = None


COMPUTED = TypeAdapter(Computed)
PROGRESS = TypeAdapter(Progress)


@dataclass(frozen=True, slots=True)
class Computing:
    """The figures of one address: a part of a study's results under one query."""

    study: int
    part: str
    query: str
    # Seconds for which a failure is told.
    told_for: int = FAILED_SECONDS

    def begin(self) -> bool:
        """Whether nobody is at it; from now on somebody is."""
        text = to_text(PROGRESS, Progress("waiting for a worker"))
        return bool(_answer_or_none(lambda: cache.add(self._key("progress"), text, SILENT_SECONDS)))

    def report(self, words: str, *, share: float | None = None) -> None:
        text = to_text(PROGRESS, Progress(words, share=share))
        _answer_or_none(lambda: cache.set(self._key("progress"), text, SILENT_SECONDS))

    def fail(self, words: str) -> None:
        text = to_text(PROGRESS, Progress(words, failed=True))
        _answer_or_none(lambda: cache.set(self._key("progress"), text, self.told_for))

    def finish(self, gathered: Gathered) -> None:
        """The figures are there, for this state of the data."""
        computed = Computed(gathered.version, gathered.labels, timezone.now())
        _answer_or_none(lambda: cache.set(self._key("latest"), to_text(COMPUTED, computed), REMEMBERED_SECONDS))
        _answer_or_none(lambda: cache.delete(self._key("progress")))

    def clear(self) -> None:
        """Nobody is at it, and nothing came of it."""
        _answer_or_none(lambda: cache.delete(self._key("progress")))

    @contextmanager
    def telling(self, *expected: type[Exception]) -> Iterator[None]:
        """Say on the page that waits what went wrong. `expected` faults are the reader's, and are not raised again."""
        try:
            yield
        except expected as error:
            self.fail(str(error))
        except DatabaseError:
            # It is taken up again when the database answers (work/place.py).
            self.report("waiting for the database")
            raise
        except OutOfTime:
            self.fail("Stopped: it took too long.")
            raise
        except Exception as error:
            self.fail(f"Error: {error}")
            raise

    def progress(self) -> Progress | None:
        """None where nobody is at it."""
        text = _answer_or_none(lambda: cache.get(self._key("progress")))
        return None if text is None else from_text(PROGRESS, text)

    def latest(self) -> Computed | None:
        text = _answer_or_none(lambda: cache.get(self._key("latest")))
        return None if text is None else from_text(COMPUTED, text)

    def _key(self, what: str) -> str:
        parts = json.dumps([PROGRAM, self.study, self.part, self.query])
        return f"computing:{what}:{hashlib.sha256(parts.encode()).hexdigest()[:32]}"


def _answer_or_none(ask: Callable[[], T]) -> T | None:
    try:
        return ask()
    except RedisError as error:
        log.warning("The cache's server does not answer (%s)", error)
        return None


Given = ParamSpec("Given")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerTask:
    """What a worker does while a reader waits: declared where it is asked for, it decorates the function that does it.

    It is done even where the queue was silent, and once.
    """

    name: str

    def __call__(self, do: Callable[Given, None]) -> Callable[Given, None]:
        return errand(self.name, tell=_tell)(do)


def _tell(waits: list[Any], why: str) -> None:
    computing = Computing(*waits)
    # Of several parts, those that are there already stay.
    if computing.progress() is not None:
        computing.fail(why)


def start(computing: Computing, task: WorkerTask, *arguments: object, answers: int) -> None:
    """Ask a worker, if nobody is at it. `answers`: those of the study, with which the time grows that it takes."""
    if computing.begin():
        waits = (computing.study, computing.part, computing.query)
        try:
            ask(task.name, *arguments, study=computing.study, is_large=answers > LARGE, waits=waits)
        except QueueSilent as error:
            computing.fail(str(error))
