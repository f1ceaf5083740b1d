"""Deleting a study: what its page says will be lost, how far it is, and the deletion in every room.

The study's rows are annotation/lifecycle/deleting.py's, in whatever room they lie; what lies beside them, a room's own.
"""

import logging
import time
from dataclasses import dataclass

from annotation.access.visible import Reader, being_deleted_for
from annotation.lifecycle.deleting import COUNTED, CannotDelete, Lost, delete_rows, lost, put_out_of_sight
from annotation.models import Study
from annotation.up_to import UpTo, up_to
from comparison.exported import files_of, reports_of
from comparison.frame.cache.computing import Computing, Progress
from scoring.imported.importing import drop_unused
from scoring.models import Run, Score
from work import progress
from work.errands import ask
from work.queue import QueueSilent

log = logging.getLogger(__name__)

DELETION = "deletion"


@dataclass(frozen=True, slots=True)
class AllLost:
    """`live` runs are under way."""

    here: Lost
    runs: int
    live: int
    scores: UpTo


@dataclass(frozen=True, slots=True)
class Going:
    """A study that is being deleted."""

    title: str
    progress: Progress | None


def all_lost(study: Study) -> AllLost:
    return AllLost(
        here=lost(study),
        runs=study.runs.count(),
        live=len(_live(study)),
        # Runs keep the counts of when they were planned; items may have gone since.
        scores=up_to(Score.objects.filter(run__study=study), COUNTED),
    )


def begin(study: Study) -> Study:
    """Put it out of sight, for a worker to delete. CannotDelete where it is open, or runs are under way."""
    if _live(study):
        raise CannotDelete(f"Runs of {study.title} are in progress. Stop them first.")
    made = [*reports_of(study), *files_of(study)]
    gone = put_out_of_sight(study)
    for path in made:
        path.unlink(missing_ok=True)
    return gone


def ask_for_the_rest(study: Study) -> bool:
    """Have a worker delete it, unless one is at it; False where the queue does not answer: it is done when it does."""
    computing = progress_of(study)
    if not computing.begin():
        return True
    try:
        ask(DELETION, study.pk, study=study.pk, is_large=True)
    except QueueSilent:
        computing.clear()
        return False
    return True


def progress_of(study: Study) -> Computing:
    return Computing(study.pk, "deletion", "")


def going_for(user: Reader) -> list[Going]:
    """Of the user's own studies."""
    return [Going(one.title, progress_of(one).progress()) for one in being_deleted_for(user)]


def _live(study: Study) -> list[Run]:
    return [run for run in study.runs.select_related("model") if run.is_live]


def delete(study: Study) -> int:
    """Delete a study that is out of sight, and tell its owners how far that is; how many rows went."""
    computing, began = progress_of(study), time.monotonic()

    def report(gone: int, every: int) -> None:
        rows = progress.Progress(
            done=gone, of=every, per_second=gone / max(time.monotonic() - began, 0.001), unit="rows"
        )
        computing.report(f"{rows.count} deleted, {rows.rate}; {rows.left}", share=gone / every)

    with computing.telling():
        rows = delete_rows(study, report=report)
        drop_unused()
    computing.clear()
    log.info("%s: deleted, %s rows", study.title, rows)
    return rows
