"""Start children, restart one that dies, and stop all of them, whatever happens."""

import signal
import time
from collections import deque
from collections.abc import Callable, Mapping
from types import FrameType

from config.local.child import Child, Program

STEP = 0.1  # seconds between two looks at the children
RESTARTS, WINDOW = 3, 60.0  # that many restarts of one child within so many seconds, and we give up


class Failed(Exception):
    """Parallax cannot run. The message is for the person in front of the terminal."""


class StopAsked(Exception):
    """Ctrl-C, or a polite signal."""


class Supervisor:
    """Holds the children in the order of starting; leaving the `with` block stops them in reverse."""

    def __init__(self, *, env: Mapping[str, str], say: Callable[[str], None]) -> None:
        self.env = env
        self.say = say
        self.children: list[Child] = []
        self.deaths: dict[str, deque[float]] = {}
        self.asked = False
        # After the second Ctrl-C nobody is waited for. Other signals may well come twice: `kill` of a
        # whole group reaches us directly, and once more through make.
        self.interrupts = 0

    def __enter__(self) -> "Supervisor":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._heard)
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def _heard(self, number: int, frame: FrameType | None) -> None:
        # Only a note: raising here could lose a child between its start and its entry in the list.
        self.asked = True
        self.interrupts += number == signal.SIGINT

    def start(self, program: Program) -> Child:
        child = Child(program, env=self.env)
        self.children.append(child)
        return child

    def start_and_wait(self, program: Program, ready: Callable[[], bool], *, seconds: float) -> None:
        """Start a program and return when `ready()`; StopAsked or Failed otherwise."""
        child = self.start(program)
        deadline = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > deadline:
                raise Failed(
                    f"The {program.name} did not answer as it should within {seconds:.0f} s. "
                    f"The end of its log, {program.log}:\n{child.last_lines()}"
                )
            self.look_after()

    def look_after(self) -> None:
        """One step of watching over the children."""
        if self.asked:
            raise StopAsked
        for place, child in enumerate(self.children):
            if child.status is not None:
                self.children[place] = self._restarted(child)
        time.sleep(STEP)

    def _restarted(self, child: Child) -> Child:
        name, status = child.program.name, child.status
        child.kill()
        now = time.monotonic()
        deaths = self.deaths.setdefault(name, deque())
        deaths.append(now)
        while now - deaths[0] > WINDOW:
            deaths.popleft()
        if len(deaths) > RESTARTS:
            raise Failed(
                f"The {name} ended {len(deaths)} times within a minute. "
                f"The end of its log, {child.program.log}:\n{child.last_lines()}"
            )
        self.say(f"The {name} ended ({described(status)}) and is started again; its log: {child.program.log}")
        return Child(child.program, env=self.env)

    def run(self, program: Program) -> None:
        """Run a program to its end; Failed with the end of its log if it fails."""
        child = self.start(program)
        try:
            while child.status is None:
                if self.asked:
                    raise StopAsked
                time.sleep(STEP)
        finally:
            child.kill()
            self.children.remove(child)
        if child.status != 0:
            raise Failed(f"{program.name} failed ({described(child.status)}):\n{child.last_lines()}")

    def stop(self) -> None:
        """Ask the children to stop, last started first; kill what stays. Nothing of theirs is left running."""
        while self.children:
            child = self.children[-1]
            child.ask_to_stop()
            deadline = time.monotonic() + child.program.patience
            while child.status is None and time.monotonic() < deadline and self.interrupts < 2:
                time.sleep(STEP)
            child.kill()
            self.children.pop()


def described(status: int | None) -> str:
    if status is not None and status < 0:
        return f"signal {signal.Signals(-status).name}"
    return f"status {status}"
