"""A worker's part: find what a part of a corpus holds, in a process of its own, and put it into the store."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from django.conf import settings

from corpus.errors import BuildError
from corpus.own_process import REFUSED, ended_badly, started
from corpus.remote import is_http, place
from corpus.shared.stores import Store
from scoring.corpus_passes.part import FINDERS, CorpusPart
from work.kinds import GivenUp, Kind


def part_kind(processes: Callable[[], int]) -> Kind[CorpusPart]:
    """Parts, each done in so many processes."""
    return Kind(model=CorpusPart, do=partial(_do, processes=processes), fail=_fail, refusals=(BuildError,))


def cores() -> int:
    """Those that this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def store() -> Store:
    if not settings.CORPUS_STORE:
        raise BuildError("CORPUS_STORE is not set here.")
    return Store(settings.CORPUS_STORE)


def _do(row: CorpusPart, *, processes: Callable[[], int]) -> None:
    part_store = store()
    # The worker before may have been killed after it put the file there and before it removed the row.
    if not part_store.has(row.name):
        with tempfile.TemporaryDirectory(prefix="part-", dir=settings.VAR_DIR) as folder:
            output = _found(row, Path(folder), processes())
            # It may be another's by now.
            row.renew()
            part_store.put(row.name, output)
    CorpusPart.objects.held_as(row).delete()


def _found(row: CorpusPart, folder: Path, processes: int) -> Path:
    sought = row.order["sought"]
    if sought["finder"] not in FINDERS:
        raise BuildError(f"Nothing is known here of {sought['finder']}.")
    if not settings.CORPUS_HTTP and is_http(place(row.order["part"]["path"])):
        raise BuildError("CORPUS_HTTP does not allow addresses of the web.")
    order, fields_file, output = (folder / name for name in ("order.json", "given.json", "found"))
    order.write_text(json.dumps(row.order), encoding="utf-8")
    with store().reading(sought["given"]) as file, fields_file.open("wb") as target:
        shutil.copyfileobj(file, target)
    arguments = (FINDERS[sought["finder"]], str(order), str(fields_file), str(output), str(processes))
    with (
        (folder / "errors.txt").open("w+", encoding="utf-8", errors="replace") as log,
        started("corpus.parts", *arguments, folder=folder, log=log) as process,
    ):
        printed = _all_said(process)
        if status := process.wait():
            raise BuildError(printed.strip() if status == REFUSED else ended_badly(status, log))
    return output


def _all_said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None, "it is a pipe"
    return process.stdout.read()


def _fail(row: CorpusPart, error: Exception) -> None:
    match error:
        case BuildError():
            why = str(error)
        case GivenUp():
            why = f"It {error}."
        case _:
            why = "Internal error. See the worker’s log."
    row.release(state=CorpusPart.State.FAILED, error=f"On {socket.gethostname()}: {why}")


PARTS = part_kind(cores)
