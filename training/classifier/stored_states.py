"""A training's saved state in the model store, from which a worker on another machine goes on.

Files stand there by their hash; a note by its step, written last, says which of them are a state. Only the latest
stays. A worker that has lost its training may write once more: that state is an earlier one, and all that it removes
is earlier still.
"""

import json
import logging
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.provenance import sha256
from corpus.shared.stores import put_whole
from corpus.whole import whole_file
from scoring.library.model_store import StoreError, get_file, is_as_long, opened
from training.shared.checkpoint import CHECKPOINT

STATES = "trainings"
NOTE = re.compile(r"state-(\d{12})\.json")
# What may be in a state: where it stands, and the best weights so far.
PART = re.compile(rf"{re.escape(CHECKPOINT)}|best-\d+\.safetensors")
HASH = re.compile(r"[0-9a-f]{64}")


class Damaged(ValueError):
    """A state of the store of which something is missing or another. str() says what."""


log = logging.getLogger(__name__)


def keep(training: str, folder: Path, *, step: int) -> None:
    """Put the state that the folder holds into the store; nothing where none is set.

    Where that fails the training goes on, and the log says so.
    """
    if not settings.MODEL_STORE:
        return
    parts = {path.name: sha256(path) for path in folder.iterdir() if PART.fullmatch(path.name)}
    try:
        with opened("written") as (system, root):
            place = f"{root}/{STATES}/{training}"
            for name, sha in parts.items():
                if not is_as_long(system, f"{place}/{sha}", folder / name):
                    put_whole(system, f"{place}/{sha}", folder / name)
            put_whole(system, f"{place}/state-{step:012d}.json", json.dumps(parts).encode())
            _remove_before(system, place, step, remaining={*parts.values()})
    except StoreError as error:
        log.warning("The state of training %s at step %d is on this machine alone: %s", training, step, error)


def take(training: str, folder: Path, *, beyond: int) -> None:
    """Put the store's latest state into the folder, if it is of a later step. StoreError where it cannot be asked."""
    with opened("read") as (system, root):
        place = f"{root}/{STATES}/{training}"
        for step in sorted((step for step in _steps(system, place) if step > beyond), reverse=True):
            try:
                _fetch(system, place, _noted(system, place, step), folder)
            except Damaged as error:
                log.warning("State %d of training %s in the model store is damaged: %s", step, training, error)
            else:
                log.info("Training %s goes on from step %d, which another machine saved", training, step)
                return


def forget(training: str) -> None:
    """Remove the states of a training that is over. Where that fails they stay, and the log says so."""
    if not settings.MODEL_STORE:
        return
    try:
        with opened("written") as (system, root):
            if system.exists(place := f"{root}/{STATES}/{training}"):
                system.rm(place, recursive=True)
    except StoreError as error:
        log.warning("The states of training %s stay in the model store: %s", training, error)


def _steps(system: Any, place: str) -> list[int]:
    if not system.exists(place):
        return []
    names = [str(path).rpartition("/")[2] for path in system.ls(place, detail=False)]
    return [int(match[1]) for name in names if (match := NOTE.fullmatch(name))]


def _noted(system: Any, place: str, step: int) -> dict[str, str]:
    """The parts of a state, each with its hash. Damaged where the note is no note of ours."""
    try:
        note = json.loads(system.cat_file(f"{place}/state-{step:012d}.json"))
    except (ValueError, FileNotFoundError) as error:
        raise Damaged("its note cannot be read") from error
    if not isinstance(note, dict) or CHECKPOINT not in note:
        raise Damaged("its note names no checkpoint")
    if not all(PART.fullmatch(name) and HASH.fullmatch(str(of)) for name, of in note.items()):
        raise Damaged("its note names other files")
    return note


def _fetch(system: Any, place: str, parts: dict[str, str], folder: Path) -> None:
    """All of the state into the folder; Damaged, and the folder's own state stays as it was.

    The checkpoint comes last: it names the best weights.
    """
    for name, expected in sorted(parts.items(), key=lambda part: part[0] == CHECKPOINT):
        if not system.exists(f"{place}/{expected}"):
            raise Damaged(f"{name} is missing")
        with whole_file(folder / name) as scratch:
            get_file(system, f"{place}/{expected}", scratch)
            if sha256(scratch) != expected:
                raise Damaged(f"{name} is another file")


def _remove_before(system: Any, place: str, step: int, *, remaining: set[str]) -> None:
    for earlier in sorted(one for one in _steps(system, place) if one < step):
        parts: dict[str, str] = {}
        with suppress(Damaged):
            parts = _noted(system, place, earlier)
        system.rm_file(f"{place}/state-{earlier:012d}.json")
        for sha in {*parts.values()} - remaining:
            if system.exists(f"{place}/{sha}"):
                system.rm_file(f"{place}/{sha}")
