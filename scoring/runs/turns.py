"""Whose turn it is: which run a scoring worker takes a chunk of next, whichever chunk its message was about.

Studies take turns, and the runs of a study among themselves. What nobody waits for at a page (samples, the command
line) takes turns as one study would. A run that comes new goes first. Each keeps its worker for a while, since the next
may be of another model, which it would have to open. It costs as much as there are runs under way, not chunks.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from django.db.models import Exists, OuterRef, Q

from scoring.library.location import Location
from scoring.models import Chunk, LanguageModel, Run
from work.queues import Queue

LIVE = (Run.State.QUEUED, Run.State.RUNNING)
# As `gives_labels_only` has it: their messages go by the other queue.
LABELS_ONLY = Q(model__family=LanguageModel.Family.BASELINE, model__location=Location.NONE)
# A turn takes so many times as long as its first chunk, which is the one that opens the model.
CHUNKS_OF_A_TURN = 3
LONGEST_TURN = 300.0  # seconds

Whose = TypeVar("Whose")


@dataclass(frozen=True, slots=True)
class Live:
    """A run that is under way; `turn` is that of its last turn, 0 where it has had none. `study`: 0 for nobody's."""

    pk: int
    study: int
    share: int
    turn: int
    waits: bool


@dataclass(slots=True)
class _Turn:
    """Of this process: whose it is, since when, and until when; not known before its first chunk is done."""

    run: int = 0
    began: float = 0.0
    until: float | None = None


_turn = _Turn()


def live_runs(*, labels_only: bool) -> list[Live]:
    waits = Exists(Chunk.objects.filter(run=OuterRef("pk"), state=Chunk.State.WAITING))
    rows = Run.objects.filter(LABELS_ONLY if labels_only else ~LABELS_ONLY, state__in=LIVE).annotate(waits=waits)
    found = rows.order_by().values_list("pk", "study_id", "asked_by", "turn", "waits")
    return [Live(pk, study, study if by else 0, turn, waits) for pk, study, by, turn, waits in found]


def next_of(runs: Sequence[Live]) -> Live | None:
    """Of the share, in it of the study, and in it of the run, that has waited longest for its turn."""
    shares = _latest((run.share, run.turn) for run in runs)
    studies = _latest(((run.share, run.study), run.turn) for run in runs)

    def order(run: Live) -> tuple[int, bool, int, int, int]:
        return shares[run.share], not run.share, studies[run.share, run.study], run.turn, run.pk

    return min((run for run in runs if run.waits), key=order, default=None)


def _latest(turns: Iterable[tuple[Whose, int]]) -> dict[Whose, int]:
    found: dict[Whose, int] = {}
    for whose, turn in turns:
        found[whose] = max(turn, found.get(whose, 0))
    return found


def before(runs: Sequence[Live], pk: int) -> set[int]:
    """The runs that have a turn before this one, if no other comes."""
    found: set[int] = set()
    turn = max((run.turn for run in runs), default=0)
    while (one := next_of(runs)) is not None and one.pk != pk:
        found.add(one.pk)
        turn += 1
        runs = [replace(run, turn=turn) if run is one else run for run in runs]
    return found


def whose_turn(queue: str) -> int | None:
    """The chunk that a worker of this queue takes next."""
    runs = live_runs(labels_only=queue == Queue.UPKEEP)
    while (found := _goes_on(runs) or next_of(runs)) is not None:
        if found.pk != _turn.run:
            _begin(found, after=max(run.turn for run in runs))
        chunk = Chunk.objects.filter(run=found.pk, state=Chunk.State.WAITING).order_by("pk").values_list("pk").first()
        if chunk is not None:
            return int(chunk[0])
        # Its last one was taken meanwhile.
        runs = [run for run in runs if run is not found]
    return None


def _goes_on(runs: Sequence[Live]) -> Live | None:
    """The run whose turn it was, if that is not over and no other study comes new."""
    now = time.monotonic()
    if _turn.until is None:
        _turn.until = now + min((CHUNKS_OF_A_TURN - 1) * (now - _turn.began), LONGEST_TURN)
    shares = _latest((run.share, run.turn) for run in runs)
    if now >= _turn.until or any(run.waits and not shares[run.share] for run in runs):
        return None
    return next((run for run in runs if run.waits and run.pk == _turn.run), None)


def _begin(run: Live, *, after: int) -> None:
    Run.objects.filter(pk=run.pk).update(turn=after + 1)
    _turn.run, _turn.began, _turn.until = run.pk, time.monotonic(), None
