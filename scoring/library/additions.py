"""Models asked for in the browser: the request, and a worker's part, which does what `manage.py add_model` does."""

import logging

from scoring.models import Addition
from scoring.scorers.contract import ModelError
from work.kinds import Kind, WornOut
from work.queue import QueueSilent, send

log = logging.getLogger(__name__)

# What the form calls the options that a sentence of the command's may name.
LABELS = {"--name": "Name", "--revision": "Commit", "--start-token": "Start token"}
SILENT = "waits: the queue does not answer now; it is added when it does"


def ask(wanted: dict[str, str], *, by: str) -> Addition:
    """Have a worker register it; where the queue does not answer, the row says so and waits."""
    addition = Addition.objects.create(wanted=wanted, asked_by=by, said="waits for the scoring worker")
    try:
        send([addition])
    except QueueSilent:
        Addition.objects.waiting().filter(pk=addition.pk).update(said=SILENT)
    return addition


def add(addition: Addition) -> None:
    """Hash the files, open the model and ask it, and write it down."""
    # Here and not above: opening a model takes torch, which a web process does without.
    from scoring.library.registering import CannotRegister, Wanted, register

    addition.write(said="its files are hashed, it is opened, and asked for two sentences")
    try:
        done = register(Wanted(**addition.wanted))
    except CannotRegister as refused:
        raise ModelError(str(refused)) from refused
    row = done.row
    digest = row.file_hash or row.revision
    what = "; ".join(["registered", *done.remarks]) if done.is_new else "there already, nothing changed"
    said = f"{row.name}, {row.get_family_display()}, {row.dtype}, {digest[:12]}…: {what}"
    addition.release(state=Addition.State.FINISHED, said=said)


def fail(addition: Addition, error: Exception) -> None:
    match error:
        case ModelError():
            why = str(error)
            for flag, label in LABELS.items():
                why = why.replace(flag, f"“{label}”")
        case WornOut():
            why = f"it {error}"
        case _:
            why = "the worker failed; its log says at what"
    log.warning("%s: %s", addition, error)
    addition.release(state=Addition.State.FAILED, said=f"Nothing is registered: {why.rstrip('.')}.")


ADDITIONS = Kind(model=Addition, do=add, fail=fail, refusals=(ModelError,))
