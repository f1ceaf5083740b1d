"""When a training slows down and ends.

The line down begins where the held-out text has gained nothing for a while, where three quarters of the steps or passes
are done, or where the clock says so, and takes a third as many steps as were done until then (Hu et al. 2024).
So no length need be known in advance. The clock is never the same twice: what it
ended is not promised to be repeated by a number of steps, whose line begins a quarter before its end. The standard
library only.
"""

from dataclasses import dataclass

from training.lstm.settings import Settings
from training.shared.schedule import Schedule

# Of the minutes: the rest cools down in a third of the steps so far, with some room.
BY_CLOCK = 0.72


@dataclass(frozen=True)
class Cooling:
    """From which step the learning rate falls, at which step it ends at 0, and why it began."""

    start: int
    end: int
    why: str


def rate(settings: Settings, cooling: Cooling | None, step: int) -> float:
    """The learning rate of the step after `step` steps."""
    # The step at `start` still has the full rate.
    end = (cooling.start + 1, cooling.end) if cooling else ()
    return Schedule(settings.rate, settings.warmup + 1, *end).rate(step)


def planned(settings: Settings) -> Cooling | None:
    """Where the number of steps is given, what follows from it."""
    if not settings.steps:
        return None
    return Cooling(settings.steps - settings.steps // 4, settings.steps, "steps")


def begun(settings: Settings, *, step: int, epochs: float, seconds: float, waited: int) -> Cooling | None:
    """Whether to begin now, after so many steps, passes over the text, seconds, and looks without gain."""
    why = ""
    if waited >= settings.patience:
        why = "no gain"
    elif epochs >= 0.75 * settings.epochs:
        why = "epochs"
    elif settings.minutes and seconds >= BY_CLOCK * 60 * settings.minutes:
        why = "minutes"
    return Cooling(step, step + max(1, step // 3), why) if why else None


def is_over(settings: Settings, cooling: Cooling | None, *, step: int, seconds: float) -> bool:
    """Whether the line is at its end, or the time is up before it is."""
    late = bool(settings.minutes) and seconds >= 60 * settings.minutes
    return late or (cooling is not None and step >= cooling.end)
