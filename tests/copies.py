"""`--processes 4`: tests are collected once, this process forks, and each copy runs one file of tests after another.

To load Django, torch and ten thousand tests takes a processor seventeen seconds, 33 where no compiled test is kept. A
copy has them already and shares their memory. A file stays in one process, so its fixtures are made once.
"""

import logging.config
import os
import signal
import time
import traceback
import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from itertools import groupby
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Literal, NoReturn

import pytest
from django.conf import settings
from django.template.loader import get_template

from config.frames import with_room
from tests.forked import share_server

# What a copy tells: the outcome of a part of a test, that a test has ended, a warning, that it wants a file, what went
# wrong when it took down what its tests share, and that it is done.
OUTCOME, END, WARNING, WANTS, FAULT, DONE = range(6)
# Seconds to end the servers of its tests in.
PATIENCE = 20.0
# Seconds after which a copy that tells nothing hangs: the longest test takes three minutes on a busy machine.
HANG = 1200.0
# Tests by their place in what was collected.
File = list[int]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--processes", type=int, default=0, help="Run tests in so many processes beside this one.")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    if not session.config.option.processes or session.config.option.collectonly or session.testsfailed:
        return None
    crew = Crew(session)
    try:
        crew.run(session.config.option.processes)
    finally:
        crew.dismiss()
    return True


@dataclass
class Copy:
    name: str
    process: BaseProcess
    pipe: Connection
    # What it has not ended yet, the one it is at first; and what it ended last.
    left: deque[int] = field(default_factory=deque)
    last: int | None = None
    is_done: bool = False
    heard: float = field(default_factory=time.monotonic)


class Crew:
    """The copies, seen from the process that all reports come to."""

    def __init__(self, session: pytest.Session) -> None:
        self.session, self.hook = session, session.config.hook
        # Tests of several files come side by side: no line of dots is one file's.
        session.config.pluginmanager.getplugin("terminalreporter").showfspath = False
        self.files = files_of(session.items)
        self.copies: dict[Connection, Copy] = {}
        self.begun = 0
        # Made here, so that all copies' folders lie in it.
        self.temporary = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]

    def run(self, processes: int) -> None:
        load_for_all()
        if any(item.get_closest_marker("slow") for item in self.session.items):
            share_server()
        signal.signal(signal.SIGTERM, interrupt)
        for _ in range(min(processes, len(self.files))):
            self.begin()
        while self.copies:
            for pipe in wait(list(self.copies), timeout=1.0):
                assert isinstance(pipe, Connection)
                self.hear(self.copies[pipe])
                if self.session.shouldfail:
                    raise self.session.Failed(self.session.shouldfail)
                if self.session.shouldstop:
                    raise self.session.Interrupted(self.session.shouldstop)
            for copy in list(self.copies.values()):
                if time.monotonic() - copy.heard > HANG:
                    # With this signal it says where its threads are.
                    os.kill(copy.process.pid or 0, signal.SIGABRT)
                # A process that it left behind may hold its pipe open.
                if copy.process.exitcode is not None and not copy.pipe.poll():
                    self.bury(copy)

    def begin(self) -> None:
        name = f"p{self.begun}"
        self.begun += 1
        here, there = get_context("fork").Pipe()
        others = [here, *self.copies]
        process = get_context("fork").Process(target=run_copy, args=(self.session, name, self.temporary, there, others))
        process.start()
        there.close()
        self.copies[here] = Copy(name, process, here)

    def hear(self, copy: Copy) -> None:
        try:
            kind, told = copy.pipe.recv()
        except (EOFError, ConnectionResetError):
            self.bury(copy)
            return
        copy.heard = time.monotonic()
        if kind == OUTCOME:
            report = self.hook.pytest_report_from_serializable(config=self.session.config, data=told)
            self.hook.pytest_runtest_logreport(report=report)
        elif kind == END:
            copy.last = copy.left.popleft()
            self.hook.pytest_runtest_logfinish(**told)
        elif kind == WARNING:
            self.hook.pytest_warning_recorded.call_historic(kwargs=told)
        elif kind == WANTS:
            copy.left = deque(self.files.popleft() if self.files else ())
            copy.pipe.send(list(copy.left))
        elif kind == FAULT:
            self.fail(copy.last, told, when="teardown")
        elif kind == DONE:
            copy.is_done = True

    def bury(self, copy: Copy) -> None:
        """Its test has failed where it ended before its work did; another copy goes on with the rest of the file."""
        del self.copies[copy.pipe]
        copy.pipe.close()
        copy.process.join()
        if not copy.is_done:
            said = f"{copy.name} ended with {copy.process.exitcode}"
            if copy.left:
                self.fail(copy.left.popleft(), f"{said} in this test", when="call")
            else:
                self.fail(copy.last, f"{said} after this test", when="teardown")
        if copy.left:
            self.files.appendleft(list(copy.left))
        if self.files:
            self.begin()

    def fail(self, number: int | None, said: str, *, when: Literal["call", "teardown"]) -> None:
        if number is None:
            raise RuntimeError(said)
        item = self.session.items[number]
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", said, when)
        self.hook.pytest_runtest_logreport(report=report)

    def dismiss(self) -> None:
        for copy in self.copies.values():
            copy.process.terminate()
        for copy in self.copies.values():
            until = time.monotonic() + PATIENCE
            while copy.process.exitcode is None and time.monotonic() < until:
                time.sleep(0.1)
            copy.process.kill()
            copy.process.join()


def interrupt(*_: object) -> NoReturn:
    """A process that is told to end does as after Ctrl-C; copies have this of the first one."""
    raise KeyboardInterrupt


def files_of(items: list[pytest.Item]) -> deque[File]:
    """Those with slow tests come first, so that at the end no process is left alone with a long one.

    Of them those with a browser come last: its event loop runs on in its process, and a test there has none of its own.
    """

    def turn(file: File) -> int:
        if not any(items[one].get_closest_marker("slow") for one in file):
            return 2
        return int(any("chromium" in getattr(items[one], "fixturenames", ()) for one in file))

    of_file = groupby(range(len(items)), key=lambda number: items[number].path)
    return deque(sorted((list(numbers) for _, numbers in of_file), key=turn))


def load_for_all() -> None:
    """What most files would load at their first test, each copy for itself."""
    for name in ("transformers.models.bert.modeling_bert", "transformers.models.llama.modeling_llama"):
        import_module(name)
    folder = Path(settings.BASE_DIR, "templates")
    for path in folder.rglob("*.html"):
        get_template(str(path.relative_to(folder)))


def run_copy(session: pytest.Session, name: str, temporary: Path, pipe: Connection, others: list[Connection]) -> None:
    """All that a copy does. `others` are ends of pipes that it has by birth and that are not its own."""
    for other in others:
        other.close()
    config = session.config
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    # It wrote to what was just closed: each line of a log would be a traceback instead.
    logging.config.dictConfig(settings.LOGGING)
    own_places(session, name, temporary)
    config.pluginmanager.unregister(name="terminalreporter")
    config.pluginmanager.register(Teller(config, pipe), "teller")
    try:
        with_room(run_tests)(session, pipe)
    finally:
        take_down(session, pipe)
    pipe.send((DONE, None))


def run_tests(session: pytest.Session, pipe: Connection) -> None:
    for item, following in handed_out(session, pipe):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def take_down(session: pytest.Session, pipe: Connection) -> None:
    """End what the tests share, such as servers, whatever ended the tests; nothing breaks it off."""
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_IGN)
    try:
        session._setupstate.teardown_exact(None)
    except Exception:  # noqa: BLE001 Whatever a fixture raises is told.
        pipe.send((FAULT, traceback.format_exc()))


def own_places(session: pytest.Session, name: str, temporary: Path) -> None:
    """Rows of different processes have the same numbers, so that one would delete the files of the other's."""
    folder: Path = settings.VAR_DIR / name
    folder.mkdir()
    os.environ["PARALLAX_VAR"] = str(folder)
    settings.VAR_DIR, settings.MODELS_DIR, settings.MODEL_FOLDERS = folder, folder / "models", [folder / "own-models"]
    config: Any = session.config
    # By this pytest-django names the databases.
    config.workerinput = {"workerid": name}
    (temporary / name).mkdir()
    config._tmp_path_factory._basetemp = temporary / name


def handed_out(session: pytest.Session, pipe: Connection) -> Iterator[tuple[pytest.Item, Any]]:
    """The tests of one file after another, each with that which follows: after a file's last only the session stays."""
    while True:
        pipe.send((WANTS, None))
        if not (numbers := pipe.recv()):
            return
        items = [session.items[number] for number in numbers]
        yield from zip(items, [*items[1:], session], strict=True)


class Teller:
    """What pytest reports in a copy goes to the first process."""

    def __init__(self, config: pytest.Config, pipe: Connection) -> None:
        self.config, self.pipe = config, pipe

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.pipe.send((OUTCOME, data))

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self.pipe.send((END, {"nodeid": nodeid, "location": location}))

    def pytest_warning_recorded(self, warning_message: Any, when: str, nodeid: str, location: Any) -> None:
        # Without what only this process has: the object that warned.
        plain = warnings.WarningMessage(
            str(warning_message.message), warning_message.category, warning_message.filename, warning_message.lineno
        )
        told = {"warning_message": plain, "when": when, "nodeid": nodeid, "location": location}
        self.pipe.send((WARNING, told))
