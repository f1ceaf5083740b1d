"""Synthetic annotators, whom a worker lets answer: what their page says where not all of them did."""

from typing import Any

from comparison.frame.cache.computing import Computing

SYNTHETIC = "synthetic annotators"
# Many take hours, and their researcher comes back later.
TOLD_SECONDS = 7 * 24 * 3600


def answering_in(study: int) -> Computing:
    return Computing(study, SYNTHETIC, "", told_for=TOLD_SECONDS)


def tell_stopped(waits: list[Any], why: str) -> None:
    answering_in(*waits).fail(why)


def why_stopped(study: int) -> str:
    """Why those that were asked for last have not all answered; empty where nothing has kept them from it."""
    progress = answering_in(study).progress()
    return progress.words if progress is not None and progress.failed else ""
