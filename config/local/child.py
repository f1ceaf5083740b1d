"""A process that `make run` starts, in a group of its own, with its output in a file."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PR_SET_PDEATHSIG = 1
# Of a log, where a program failed.
LAST_LINES = 15


def end_with_parent() -> Callable[[], None] | None:
    """On Linux: makes the kernel end a child whose parent was killed outright. Elsewhere nothing."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl

    def ask_kernel() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    return ask_kernel


@dataclass(frozen=True, slots=True)
class Program:
    """What to start: a name for people, a command, where its output goes, and seconds to stop when asked."""

    name: str
    command: Sequence[str]
    log: Path
    folder: Path
    patience: float = 8.0


class Child:
    """A started program. `kill` reaches everything that it started in turn."""

    def __init__(self, program: Program, *, env: Mapping[str, str]) -> None:
        self.program = program
        with program.log.open("ab") as log:
            # A group of its own: Ctrl-C in the terminal reaches only us, and we choose the order of stopping.
            self.process = subprocess.Popen(  # noqa: S603 our own command lines
                program.command,
                cwd=program.folder,
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=end_with_parent(),
            )

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self.process.poll()

    def ask_to_stop(self) -> None:
        if self.status is None:
            self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the whole group at once; also sweeps up what a dead leader left behind."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        except PermissionError:
            # macOS answers so for a group in which only a zombie is left.
            return
        finally:
            self.process.wait()

    def last_lines(self) -> str:
        lines = self.program.log.read_text(errors="replace").splitlines()
        return "\n".join(lines[-LAST_LINES:])
