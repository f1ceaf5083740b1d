"""A model that was asked for in the browser, registered by a worker: what came of it is told on its row."""

import logging
import re

from scoring.library.registering import CannotRegister, Wanted, register
from scoring.models import Addition
from scoring.scorers.contract import ModelError

log = logging.getLogger(__name__)


def carry_out(addition: Addition) -> None:
    """Hash the files, open the model and ask it, and write it down, all as `manage.py add_model` does."""
    if not addition.is_live:
        return
    addition.tell(Addition.State.RUNNING, "its files are hashed, it is opened, and asked for two sentences")
    try:
        done = register(Wanted(**addition.wanted))
    except (CannotRegister, ModelError) as refused:
        # A sentence of the command's names its options; the form's fields are called the same.
        why = re.sub(r"--([a-z]+)(?:-([a-z]+))?", lambda option: " ".join(filter(None, option.groups())), str(refused))
        addition.tell(Addition.State.FAILED, f"Nothing is registered: {why.rstrip('.')}.")
        log.warning("%s: %s", addition, refused)
        return
    except Exception:
        addition.tell(Addition.State.FAILED, "Nothing is registered: the worker failed; its log says at what.")
        raise
    row = done.row
    kept = row.file_hash or row.revision
    what = "; ".join(["registered", *done.remarks]) if done.is_new else "there already, nothing changed"
    addition.tell(Addition.State.FINISHED, f"{row.name}, {row.get_family_display()}, {row.dtype}, {kept[:12]}…: {what}")
