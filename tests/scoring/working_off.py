"""A run worked off here, chunk by chunk, as a worker does."""

from scoring.models import Run
from scoring.runs.working import CHUNKS


def run_through(run: Run) -> Run:
    for chunk in list(run.chunks.all()):
        CHUNKS.work(chunk.pk, worker="w")
    run.refresh_from_db()
    return run
