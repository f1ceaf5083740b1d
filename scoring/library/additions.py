"""Models asked for in the browser: the request, and a worker's part, which does what `manage.py add_model` does."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.library.uploads import forget, laid_out
from scoring.scorers.contract import ModelError
from scoring.worker_requests import Addition
from work.kinds import GivenUp, Kind
from work.queue import QueueSilent, send

if TYPE_CHECKING:
    from scoring.library.registering import Registered, Wanted

log = logging.getLogger(__name__)

# What the form calls the options that a sentence of the command's may name.
LABELS = {"--name": "Name", "--revision": "Commit", "--start-token": "Start token"}
SILENT = "waiting: the task queue cannot be reached; the model is added when it can"


def ask(params: dict[str, str], *, by: str, upload: Mapping[str, Any] | None = None) -> Addition:
    """Have a worker register it, or what `upload` names; where the queue does not answer, the row says so and waits."""
    addition = Addition.objects.create(
        wanted=params, asked_by=by, upload=dict(upload or {}), said="waiting for the scoring worker"
    )
    try:
        send([addition])
    except QueueSilent:
        Addition.objects.waiting().filter(pk=addition.pk).update(said=SILENT)
    return addition


def add(addition: Addition) -> None:
    """Hash the files, open the model and ask it, and write it down; of an upload, once it is seen to be a model."""
    # Here and not above: opening a model takes torch, which a web process does without.
    from scoring.library.registering import Wanted

    params = Wanted(**addition.wanted)
    if addition.upload:
        identity = {"key": params.key, "family": params.family}
        with laid_out(addition.upload, **identity, say=lambda text: addition.write(said=text)) as folder:
            registered = _registered(addition, replace(params, source=str(folder)), folder)
    else:
        registered = _registered(addition, params)
    row = registered.row
    digest = row.file_hash or row.revision
    what = "; ".join(["registered", *registered.remarks]) if registered.is_new else "already there, nothing changed"
    text = f"{row.name}, {row.get_family_display()}, {row.dtype}, {digest[:12]}…: {what}"
    addition.release(state=Addition.State.FINISHED, said=text)
    forget(addition.upload)


def _registered(addition: Addition, params: "Wanted", uploaded: Path | None = None) -> "Registered":
    """ModelError where it is not; where uploaded files lie here is nobody's business."""
    from scoring.library.registering import CannotRegister, register

    addition.write(said="hashing its files, loading it, and scoring two test sentences")
    try:
        return register(params)
    except (CannotRegister, ModelError) as refused:
        why = str(refused)
        if uploaded:
            why = why.replace(f"{uploaded}/", "").replace(str(uploaded), "the upload")
        raise ModelError(why) from refused


def fail(addition: Addition, error: Exception) -> None:
    match error:
        case ModelError():
            why = str(error)
            for flag, label in LABELS.items():
                why = why.replace(flag, f"“{label}”")
        case GivenUp():
            why = f"it {error}"
        case _:
            why = "the worker failed; see its log"
    log.warning("%s: %s", addition, error)
    addition.release(state=Addition.State.FAILED, said=f"Not registered: {why.rstrip('.')}.")
    forget(addition.upload)


ADDITIONS = Kind(model=Addition, do=add, fail=fail, refusals=(ModelError,))
