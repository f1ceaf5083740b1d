"""Studies made in a process of their own, of what strangers have sent: bounded in memory, and ended at any moment.

`python -m stimuli.making.own_process ORDER` makes what the order, a JSON file, asks for. It says on its output how far
it is, one JSON object a line, and leaves what it made at the order's `made`. It ends when its input does, that is, with
the process that started it, which has the rows of passes over a corpus that it says are shared.
"""

import json
import os
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Empty, Queue
from types import TracebackType
from typing import IO, Any, Self

from annotation.elsewhere.labelfile import LabelRow
from annotation.itemfile import ItemRow
from corpus.errors import BuildError, Fault, SourceError
from corpus.own_process import REFUSED, end_with_starter, ended_badly, started
from corpus.shared.lent import Lent
from corpus.workplace import Workplace
from stimuli.making.contract import BuiltStudy, figure_of
from stimuli.making.from_options import as_asked, constructed, imported
from stimuli.making.options import DATA_SET, Misasked, declared

# Of address space, for each of its processes: a parser with its libraries takes three of them.
MOST_BYTES = 12 * 1024**3
# Nobody looks more often.
TELLING_SECONDS = 0.3
# What is said of a shared pass, and what is answered.
Hear = Callable[[Mapping[str, Any]], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be made: `given` has option values by name, `folder` is where the work is kept that is finished.

    Passes of the finders `shared` are shared in `store`.
    """

    kind: str
    key: str
    given: Mapping[str, Any]
    folder: Path
    models: Path
    made: Path
    processes: int = 1
    shared: tuple[str, ...] = ()
    store: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    step: str
    done: int
    of: int
    unit: str


class Refused(ValueError):
    """What was asked for could not be made. `file` is the name of the source that `faults` are in, if there is one."""

    def __init__(self, message: str, file: str = "", faults: list[Fault] | None = None) -> None:
        super().__init__(message)
        self.file = file
        self.faults = faults or []


class Subprocess:
    """The process that makes what an order asks for; ended with the block."""

    def __init__(self, order: Order, *, folder: Path) -> None:
        self._order, self._folder = order, folder
        self._lines: Queue[str | None] = Queue()
        self._running = ExitStack()

    def __enter__(self) -> Self:
        payload = asdict(self._order) | {name: str(getattr(self._order, name)) for name in ("folder", "models", "made")}
        order = self._folder / "order.json"
        order.write_text(json.dumps(payload), encoding="utf-8")
        self._log = (self._folder / "errors.txt").open("w+", encoding="utf-8", errors="replace")
        self.process = self._running.enter_context(started(__name__, str(order), folder=self._folder, log=self._log))
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.close()
        self._log.close()

    def progress(self, *, seconds: float, hear: Hear = lambda _: None) -> Iterator[Progress | None]:
        """What it says, as it says it; None where it has said nothing for so many seconds. Ends with the process.

        What it says of a shared pass is for `hear`, which gives what it waits to be told, if it does.
        Refused, with every fault, where it could not make what was asked for.
        """
        while True:
            try:
                line = self._lines.get(timeout=seconds)
            except Empty:
                yield None
                continue
            if line is None:
                break
            message = json.loads(line)
            if "refused" in message:
                raise Refused(message["refused"], message["file"], [Fault(*one) for one in message["faults"]])
            if "step" in message:
                yield Progress(**message)
            elif (answer := hear(message)) is not None:
                self._tell(answer)
                # It asks again and again, so that who listens would never hear that nothing is said.
                yield None
        self._require_success()

    def studies(self) -> list[BuiltStudy]:
        """What it has made."""
        return [_study(one) for one in json.loads(self._order.made.read_text(encoding="utf-8"))]

    def _require_success(self) -> None:
        status = self.process.wait()
        if status:
            raise Refused(ended_badly(status, self._log))

    def _tell(self, line: str) -> None:
        assert self.process.stdin is not None, "it is a pipe"
        # It may have ended, which its output says as well.
        with suppress(BrokenPipeError):
            self.process.stdin.write(f"{line}\n")
            self.process.stdin.flush()

    def _listen(self) -> None:
        output: IO[str] | None = self.process.stdout
        assert output is not None, "it is a pipe"
        for line in output:
            self._lines.put(line)
        self._lines.put(None)


def _study(payload: dict[str, Any]) -> BuiltStudy:
    rows = [ItemRow(**row) for row in payload["rows"]]
    labels = [LabelRow(**row) for row in payload["labels"]]
    figures = [figure_of(one) for one in payload["figures"]]
    return BuiltStudy(**payload | {"rows": rows, "labels": labels, "figures": figures})


# --- In the process of its own ------------------------------------------------------------------------


class _Teller:
    """Says how far the work is, not more often than somebody looks."""

    def __init__(self, output: IO[str]) -> None:
        self._output, self._last = output, ("", 0.0)

    def __call__(self, step: str, completed: int, of: int, unit: str) -> None:
        before, when = self._last
        if step == before and completed < of and time.monotonic() - when < TELLING_SECONDS:
            return
        self._last = step, time.monotonic()
        self.say({"step": step, "done": completed, "of": of, "unit": unit})

    def say(self, message: Mapping[str, Any]) -> None:
        print(json.dumps(message), file=self._output, flush=True)


def _make(order: dict[str, Any], teller: _Teller, answers: "Queue[str]") -> list[BuiltStudy]:
    options = declared(order["kind"], order["key"]).read(order["given"])
    if order["kind"] == DATA_SET:
        teller("reading and checking the file", 0, 0, "")
        studies = imported(order["key"], options)
    else:
        place = Workplace(
            Path(order["folder"]),
            order["processes"],
            options["seed"],
            models=Path(order["models"]),
            told=teller,
            shared=Lent(order["shared"], order["store"], teller.say, answers.get).passes(),
        )
        teller("reading the sources", 0, 0, "")
        studies = constructed(order["key"], options, place)
    return as_asked(studies, options)


def _main(order: dict[str, Any]) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    answers: Queue[str] = Queue()
    end_with_starter(answers.put)
    # Whatever a library prints must not stand among what is said to whoever listens.
    teller = _Teller(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    try:
        studies = _make(order, teller, answers)
    except SourceError as error:
        faults = [[fault.field, fault.message] for fault in error.faults]
        teller.say({"refused": _without_path(error), "file": error.path.name, "faults": faults})
        return REFUSED
    except (BuildError, Misasked) as error:
        teller.say({"refused": str(error), "file": "", "faults": []})
        return REFUSED
    teller("writing the study", 0, 0, "")
    Path(order["made"]).write_text(json.dumps([asdict(one) for one in studies], ensure_ascii=False), encoding="utf-8")
    return 0


def _without_path(error: SourceError) -> str:
    count = len(error.faults)
    summary = f"{error.path.name}: {count} {'problem' if count == 1 else 'problems'}; nothing was created."
    return f"{summary} {error.remedy('--skip-incomplete')}".strip()


if __name__ == "__main__":
    sys.exit(_main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
