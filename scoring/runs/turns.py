"""Whose turn it is: which run a scoring worker takes a chunk of next, whichever chunk its message was about.

The study whose last turn is longest ago is next, whatever has come, ended or been started again since; in it, the run.
What nobody waits for at a page (samples, the command line) takes turns as one study would, and joins behind all others.
Each run keeps its worker for a while, since the next may need another model. The cost grows with the live runs, not
with their chunks.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from django.db.models import Case, Exists, Max, OuterRef, Q, QuerySet, Subquery, When

from scoring.library.location import Location
from scoring.models import LIVE, Chunk, LanguageModel, Run
from scoring.runs.taking import REASONS, devices
from scoring.scoring_workers import ScoringWorker
from work.queues import Queue

# As `gives_labels_only` has it: their messages go by the other queue.
LABELS_ONLY = Q(model__family=LanguageModel.Family.BASELINE, model__location=Location.NONE)
# A turn takes so many times as long as its first chunk, which is the one that opens the model.
CHUNKS_OF_A_TURN = 3
LONGEST_TURN = 300.0  # seconds

Whose = TypeVar("Whose")


@dataclass(frozen=True, slots=True)
class Live:
    """A live run. `turn`: the number of its last turn, 0 if it has had none. `share`: its study, 0 if nobody waits.

    `had`: the number of its share's last turn, which may have been that of a run that has ended.
    """

    pk: int
    study: int
    share: int
    turn: int
    waits: bool
    had: int = 0
    model: int = 0
    device: str = Run.Device.ANY


@dataclass(slots=True)
class _Turn:
    """Of this process: whose it is, since when, and until when; not known before its first chunk is done."""

    run: int = 0
    before: int = 0  # the turn that its share had before
    began: float = 0.0
    until: float | None = None


_turn = _Turn()


def live_runs(*, labels_only: bool) -> list[Live]:
    waits = Exists(Chunk.objects.filter(run=OuterRef("pk"), state=Chunk.State.WAITING))
    ever = Run.objects.order_by("-turn").values("turn")
    of_nobody, of_study = ever.filter(asked_by=""), ever.filter(study=OuterRef("study")).exclude(asked_by="")
    had = Case(When(asked_by="", then=Subquery(of_nobody[:1])), default=Subquery(of_study[:1]))
    rows = Run.objects.filter(LABELS_ONLY if labels_only else ~LABELS_ONLY, state__in=LIVE)
    annotated = rows.annotate(waits=waits, had=had).order_by()
    values = annotated.values_list("pk", "study_id", "asked_by", "turn", "waits", "had", "model_id", "device")
    return [Live(pk, study, study if by else 0, *rest) for pk, study, by, *rest in values]


def next_of(runs: Sequence[Live]) -> Live | None:
    """Of the share, in it of the study, and in it of the run, that has waited longest for its turn."""
    shares = _shares(runs)
    studies = _latest(((run.share, run.study), run.turn) for run in runs)

    def order(run: Live) -> tuple[int, bool, int, int, int]:
        return shares[run.share], not run.share, studies[run.share, run.study], run.turn, run.pk

    return min((run for run in runs if run.waits), key=order, default=None)


def _shares(runs: Sequence[Live]) -> dict[int, int]:
    return _latest((run.share, max(run.turn, run.had)) for run in runs)


def _latest(turns: Iterable[tuple[Whose, int]]) -> dict[Whose, int]:
    latest: dict[Whose, int] = {}
    for whose, turn in turns:
        latest[whose] = max(turn, latest.get(whose, 0))
    return latest


def before(runs: Sequence[Live], pk: int) -> set[int]:
    """The runs that have a turn before this one, if no other comes."""
    earlier: set[int] = set()
    turn = max(_shares(runs).values(), default=0)
    while (one := next_of(runs)) is not None and one.pk != pk:
        earlier.add(one.pk)
        turn += 1
        runs = [replace(run, turn=turn) if run is one else run for run in runs]
    return earlier


def whose_turn(queue: str) -> int | None:
    """The chunk that this worker takes next, which reads this queue; None where it takes none that waits."""
    runs = live_runs(labels_only=queue == Queue.UPKEEP)
    if queue != Queue.UPKEEP:
        theirs = _of_others(runs)
        runs = [run for run in runs if run.pk not in theirs]
    while (next_run := _goes_on(runs) or next_of(runs)) is not None:
        if next_run.pk != _turn.run:
            _begin(next_run, before=_shares(runs)[next_run.share])
        chunk = (
            Chunk.objects.filter(run=next_run.pk, state=Chunk.State.WAITING).order_by("pk").values_list("pk").first()
        )
        if chunk is not None:
            return int(chunk[0])
        # Its last one was taken meanwhile.
        runs = [run for run in runs if run is not next_run]
    return None


def of_others(queue: str) -> Chunk | None:
    """A chunk that waits, which this worker does not take and another one does, as far as is known."""
    if queue == Queue.UPKEEP:
        return None
    if not (waiting := _of_others(live_runs(labels_only=False))):
        return None
    theirs = Run.objects.filter(pk__in=waiting)
    for worker in ScoringWorker.objects.others():
        if run := theirs.exclude(worker.refused().runs).first():
            return Chunk.objects.waiting().filter(run=run).first()
    return None


def _of_others(runs: Sequence[Live]) -> set[int]:
    """Those that wait and that this worker does not take."""
    refused, mine = REASONS.of(run.model for run in runs if run.waits), devices()
    return {run.pk for run in runs if run.waits and (run.model in refused or run.device not in mine)}


def _goes_on(runs: Sequence[Live]) -> Live | None:
    """The run whose turn it was, if its time is not over and all that wait had a turn since its last one."""
    now = time.monotonic()
    if _turn.until is None:
        _turn.until = now + min((CHUNKS_OF_A_TURN - 1) * (now - _turn.began), LONGEST_TURN)
    shares = _shares(runs)
    # Nobody waits for share 0, so that it ends no turn.
    if now >= _turn.until or any(run.waits and run.share and shares[run.share] < max(_turn.before, 1) for run in runs):
        return None
    return next((run for run in runs if run.waits and run.pk == _turn.run), None)


def _begin(run: Live, *, before: int) -> None:
    Run.objects.filter(pk=run.pk).update(turn=_last(Run.objects.all()) + 1)
    _turn.run, _turn.before, _turn.began, _turn.until = run.pk, before, time.monotonic(), None


def entering(run: Run) -> int:
    """The turn of a run that is started: its own last one, or, where nobody waits for it, as if it had just had one.

    It comes behind what else nobody waits for, and where there is none, behind all.
    """
    if run.asked_by:
        return run.turn
    of_nobody = Run.objects.filter(asked_by="")
    return _last(of_nobody if of_nobody.filter(state__in=LIVE).exists() else Run.objects.all())


def _last(runs: QuerySet[Run]) -> int:
    return runs.aggregate(last=Max("turn"))["last"] or 0
