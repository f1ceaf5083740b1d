"""A model's own chat template: which of several is used, and by which clock it is rendered. Without torch.

The rule is Q1 of docs/metrics.md.
"""

import ctypes
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from jinja2 import nodes

from scoring.scorers.contract import ModelError
from scoring.scorers.endpoint.replies import without_reasoning

DEFAULT = "default"
# What every template is told that day, so that a run can be repeated on another: its own clock, and the date that some
# ask for instead. Others ask whether to reason before the answer.
NOW = datetime(2025, 1, 1)
SETTINGS: dict[str, Any] = {"enable_thinking": False, "date_string": f"{NOW:%d %b %Y}"}


# An honest template takes a thousandth of a second.
MOST_SECONDS = 5.0
# Filters that may fill memory in one step, which no limit stops.
ENDLESS = frozenset({"center", "format", "sum"})


class TooSlow(ModelError):
    """A template that does not end in time: loops within loops may take forever."""


class NoTemplate(ModelError):
    """Why a model cannot be asked in words. str() goes on after its name."""


def named(found: object) -> dict[str, str]:
    """A model's templates by name, from any form in which files give them; a single one is the default."""
    if isinstance(found, str):
        return {DEFAULT: found} if found else {}
    if isinstance(found, Mapping):
        return {str(name): text for name, text in found.items() if isinstance(text, str) and text}
    if isinstance(found, list | tuple):
        return {str(one["name"]): str(one["template"]) for one in found if _is_named(one)}
    return {}


def chosen(templates: Mapping[str, str]) -> str:
    """The template named default, which is what a chat without tools is asked with."""
    if not templates:
        raise NoTemplate("has no chat template, so it cannot be prompted; instruct models have one")
    if DEFAULT not in templates:
        names = ", ".join(sorted(templates))
        raise NoTemplate(f"has chat templates for {names} but none named {DEFAULT}, so it cannot be prompted")
    return templates[DEFAULT]


@contextmanager
def time_limit(seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Raise TooSlow in this thread where what is done within takes longer. Rendering is Python alone, step by step.

    Not by a signal: workers render in threads.
    """
    thread, lock, is_over = threading.get_ident(), threading.Lock(), False

    def stop() -> None:
        with lock:
            if not is_over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooSlow))

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            is_over = True
        timer.cancel()


def prompt_fault(prompt: str, *, asked: str) -> str:
    """Why the prompt that a template makes of a question cannot be used, to go on after a model's name; or nothing."""
    if asked not in prompt:
        return "has a chat template that leaves out the user's message, so it cannot be prompted"
    if without_reasoning(prompt.rstrip().rsplit("\n", 1)[-1]) is None:
        return (
            "has a chat template that starts every answer with reasoning, so no letter can be read; use the metric "
            "sampled with an endpoint"
        )
    return ""


class Clock:
    """What `strftime_now` of a template is: always NOW. `said` is what it has told."""

    def __init__(self) -> None:
        self.said: set[str] = set()

    def __call__(self, form: str) -> str:
        self.said.add(words := NOW.strftime(form))
        return words

    def dates_in(self, *prompts: str) -> list[str]:
        """The dates that the prompts really hold."""
        told = {*self.said, str(SETTINGS["date_string"])}
        return sorted(date for date in told if date and any(date in prompt for prompt in prompts))


def _is_named(one: object) -> bool:
    return isinstance(one, Mapping) and bool(one.get("name")) and bool(one.get("template"))


def endless_step(parsed: nodes.Template) -> str:
    """Why one step of rendering could take any time or memory, which no limit stops; empty where none could."""
    if parsed.find(nodes.Pow):
        return "computes powers (**)"
    if parsed.find(nodes.Mul):
        return "multiplies (*)"
    left = (one.left for one in parsed.find_all(nodes.Mod))
    if any(isinstance(one, nodes.Const) and isinstance(one.value, str) for one in left):
        return "formats a text (%)"
    used = sorted(ENDLESS & {one.name for one in parsed.find_all(nodes.Filter)})
    return f"uses the filter {used[0]}" if used else ""
