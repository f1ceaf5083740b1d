"""Another tool's file read in a confined process of its own: `python -m corpus.formats.apart FILE FOUND ASKED`."""

import ctypes
import fcntl
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, fields
from datetime import timedelta
from pathlib import Path
from typing import NoReturn

from corpus.bounds import fault_of_values
from corpus.errors import Fault, SourceError
from corpus.formats.contract import Record, Use
from corpus.formats.reading import Records, first_rows, is_opened, read_records
from corpus.formats.registry import TABLE
from corpus.formats.source import FormatFault, of_bytes
from corpus.own_process import without_secrets
from corpus.tables.opening import AS_IT_SAYS, How
from corpus.tables.registry import is_by_line

ROOT = Path(__file__).parents[2]
MOST_BYTES = 3 * 1024**3
# Of a processor; by the clock a worker waits for it somewhat longer, and a page seconds.
MOST_SECONDS = 30
PATIENCE, PAGE_PATIENCE = 90, 3
REFUSED = 3
PR_SET_PDEATHSIG = 1
# How many may read at once on a machine, each with so much memory, and how long another waits for its turn: of a page,
# which takes the place of others as long as it waits, seconds; of a worker minutes.
PLACES = 3
TURN, PATIENT_TURN = 2, 600
THEIRS, OTHERS = "another file of yours", "other files"
_reader: ContextVar[Callable[[], object]] = ContextVar("reader", default=lambda: None)

# What a process takes in of what was read, a page and others: a small packed file may say much more than its size.
MOST_ON_PAGE, MOST_FOUND = 8 * 1024**2, 100 * 1024**2
# What lies here so long was sent to a process that was killed.
LEFT = timedelta(days=1)
ENDED = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class TakesLonger(SourceError):
    """More than a page waits for, which a worker is to read."""


def run_confined(module: str, *arguments: str, source: Path) -> None:
    """Run `python -m MODULE ARGUMENT…`, which reads `source`; SourceError with every fault that it tells.

    On a page TakesLonger, where it is not read in moments.
    """
    patience = PAGE_PATIENCE if is_page() else PATIENCE
    try:
        with _place(source):
            # Python itself, and arguments of our own making: nothing of it is a stranger's.
            completed = subprocess.run(  # noqa: S603
                [sys.executable, "-m", module, *arguments],
                cwd=ROOT,
                env=without_secrets(),
                capture_output=True,
                timeout=patience,
                check=False,
            )
    except subprocess.TimeoutExpired:
        refusal = TakesLonger if is_page() else SourceError
        raise refusal(source, [Fault("file", f"takes longer than {patience} seconds to read")]) from None
    if completed.returncode == REFUSED:
        raise SourceError(source, [Fault(*one) for one in json.loads(completed.stdout)])
    if -completed.returncode in ENDED:
        wrong = "was not read to the end because the server stopped; send it again, or in parts if that happens twice"
        raise SourceError(source, [Fault("file", wrong)])
    if completed.returncode:
        raise SourceError(source, [Fault("file", "takes too much memory or time to read for its size")])


def refuse_large(output: Path, *, source: Path) -> None:
    """SourceError where what was read is more than this process takes in; of a page TakesLonger."""
    size = output.stat().st_size
    if is_page() and size > MOST_ON_PAGE:
        raise TakesLonger(source, [Fault("file", f"has more than {MOST_ON_PAGE // 1024**2} MB")])
    if size > MOST_FOUND:
        raise SourceError(source, [Fault("file", f"has more than {MOST_FOUND // 1024**2} MB; use the command")])
    # A few bytes may be a list in Parquet of millions.
    if wrong := fault_of_values(output.read_bytes()):
        raise SourceError(source, [Fault("file", f"{wrong}; use the command")])


def is_page() -> bool:
    """Whether somebody waits at a page for what is read."""
    return _reader.get()() is not None


def reading_place() -> Path:
    """Where files lie while they are read, under PARALLAX_VAR; nobody else may look."""
    folder = Path(os.environ.get("PARALLAX_VAR") or ROOT / "var") / "reading"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def sent_folder() -> "tempfile.TemporaryDirectory[str]":
    """For one file and what is read of it. A process that is killed leaves it; the next takes it away, or a clock."""
    drop_left()
    return tempfile.TemporaryDirectory(prefix="sent-", dir=reading_place())


def drop_left() -> int:
    """Erase what was sent to processes that were killed; returns how many folders that were."""
    since = time.time() - LEFT.total_seconds()
    count = 0
    for folder in reading_place().glob("sent-*"):
        # Another process may take it away at the same time.
        with suppress(FileNotFoundError):
            if folder.stat().st_mtime < since:
                shutil.rmtree(folder, ignore_errors=True)
                count += 1
    return count


@contextmanager
def reading_for(reader: Callable[[], object]) -> Iterator[None]:
    """Within, files are read for whom it names: one at a time for each. A call, since most requests read nothing."""
    token = _reader.set(reader)
    try:
        yield
    finally:
        _reader.reset(token)


@contextmanager
def _place(source: Path) -> Iterator[None]:
    """Take one of this machine's places, and the reader's own; SourceError if they are not free in time.

    Both are freed when the process ends, however it ends.
    """
    folder, held = reading_place(), list[int]()
    shared = [str(number) for number in range(PLACES)]
    reader = _reader.get()()
    queues = [(THEIRS, [f"of-{reader}"], 0), (OTHERS, shared, TURN)] if reader else [(OTHERS, shared, PATIENT_TURN)]
    try:
        for others, names, turn in queues:
            until = time.monotonic() + turn
            while (one := next(filter(None, (_held(folder / name) for name in names)), None)) is None:
                if time.monotonic() > until:
                    wrong = f"cannot be read now: the server is reading {others}; send it again in a minute"
                    refusal = TakesLonger if reader and others == OTHERS else SourceError
                    raise refusal(source, [Fault("file", wrong)])
                time.sleep(0.1)
            held.append(one)
        yield
    finally:
        for one in held:
            os.close(one)


def _held(place: Path) -> int | None:
    """The open file, locked until it is closed; None where somebody else has it."""
    held = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        return None
    return held


def confine(most_bytes: int) -> None:
    """Limit this process."""
    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    # Who is out of time is told so by its own signal before it is killed.
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        # Whose parent was killed reads for nobody.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def tell(faults: Iterable[Fault]) -> int:
    """Say what is wrong to whoever ran this; the exit code for it."""
    print(json.dumps([[fault.field, fault.message] for fault in faults]))
    return REFUSED


def leave(code: int) -> NoReturn:
    """End this process at once, with all that it has written.

    pyarrow's threads may still be there when Python takes itself apart, and then C++ ends the process with an abort
    (once in a hundred times on a busy machine), though everything was read.
    """
    sys.stdout.flush()
    os._exit(code)


def records_apart(
    data: bytes,
    name: str,
    use: Use,
    *,
    asked: str = "",
    is_mapped: bool = False,
    only: Mapping[str, str] | None = None,
    how: How = AS_IT_SAYS,
    first: int = 0,
) -> Records | None:
    """The records of a file that was sent, of the format that is asked for or seen; None for a table of text in UTF-8.

    `how` a table is read; only the `first` so many records come back, where that is asked. SourceError, with every
    fault, where it cannot be read; of a page TakesLonger.
    """
    is_table = asked == TABLE or (not asked and is_mapped and is_by_line(name))
    if is_table and not is_opened(name, data, how.encoding):
        return None
    with sent_folder() as folder:
        # The name was given by a stranger: it is told, and never a path.
        file, output = Path(folder) / "sent", Path(folder) / "found.json"
        file.write_bytes(data)
        params = {"use": use, "asked": asked, "is_mapped": is_mapped, "only": dict(only or {}), "name": name}
        params |= {"how": asdict(how), "first": first}
        run_confined(__name__, str(file), str(output), json.dumps(params), source=Path(name))
        refuse_large(output, source=Path(name))
        payload = json.loads(output.read_text(encoding="utf-8"))
    if payload is None:
        return None
    rows = [Record(*row) for row in payload.pop("rows")]
    payload |= {name: tuple(payload[name]) for name in ("remarks", "columns", "sheets")}
    return Records(name=name, rows=rows, how=How(**payload.pop("how")), **payload)


def _main(file: Path, output: Path, request: str) -> int:
    confine(MOST_BYTES)
    params = json.loads(request)
    name, data, how, first = params.pop("name"), file.read_bytes(), How(**params.pop("how")), params.pop("first")
    try:
        records = read_records(of_bytes(name, data), data, params.pop("use"), how=how, **params)
    except FormatFault as fault:
        return tell(fault.faults)
    payload = None
    if records is not None:
        records = first_rows(records, first) if first else records
        payload = {one.name: getattr(records, one.name) for one in fields(records) if one.name != "name"}
        payload |= {"says": dict(records.says), "how": asdict(records.how)}
    output.write_text(json.dumps(payload, ensure_ascii=False, default=_as_json), encoding="utf-8")
    return 0


def _as_json(value: object) -> list[object]:
    return [value.where, value.values] if isinstance(value, Record) else [type(value).__name__]


if __name__ == "__main__":
    leave(_main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
