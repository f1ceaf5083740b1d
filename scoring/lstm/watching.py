"""What a training says of itself while it goes on, and stopping it in good order."""

import signal
from types import FrameType, TracebackType
from typing import Any, Self

from scoring.lstm.training import Training


def line(training: Training) -> str:
    """Step, pass, losses in nats a word, and speed."""
    state = training.state
    end = f" of {state.cooling.end:,}" if state.cooling else ""
    passes = state.tokens / len(training.prepared.training.tokens)
    parts = [f"step {state.step:,}{end}", f"pass {passes:.2f}"]
    if state.counted:
        parts.append(f"loss {state.nats / state.counted:.3f}")
    if state.curve:
        parts.append(f"held out {state.curve[-1]['heldout']:.3f} (best {state.best:.3f})")
    return ", ".join([*parts, f"{state.tokens / max(state.seconds, 1e-9):,.0f} words/s"])


class Stopping:
    """Within it, an interrupt or a polite kill is remembered instead of ending the program: the step is finished."""

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self._asked = False
        self._before: dict[int, Any] = {}

    def asked(self) -> bool:
        return self._asked

    def __enter__(self) -> Self:
        self._before = {one: signal.signal(one, self._remember) for one in self.SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one, before in self._before.items():
            signal.signal(one, before)

    def _remember(self, number: int, frame: FrameType | None) -> None:
        self._asked = True
