"""A model's own chat template rendered in a process with limits: `python -m scoring.scorers.rendering`.

The author of a model writes its template, which is a program: a single step may take any amount of time and memory.
"""

import json
import math
import random
import resource
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError

from corpus.own_process import without_secrets
from scoring.scorers.templates import NOW, SETTINGS, NoTemplate

ROOT = Path(__file__).parents[2]
# Of a processor, for the prompts of one question; an honest template takes a thousandth of a second. By the clock, on a
# busy machine, many times as long.
MOST_SECONDS, TIMES = 5, 20
MOST_BYTES = 1024**3
LONGEST_PROMPT = 1_000_000
# Of what a template's clock has told, which a run's record keeps.
LONGEST_DATE, MOST_DATES = 100, 20
# How a template ends that refuses a message, or fails; one that takes too much memory ends the process.
FAILURES = (
    TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError
)  # fmt: skip
Chat = Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt, or why the template makes none of a chat. `said` are the dates that its clock has told."""

    prompt: str
    fault: str
    said: tuple[str, ...]


TOO_MUCH = (
    f"has a chat template that takes more than {MOST_SECONDS} seconds, {MOST_BYTES // 1024**3} GB of memory or "
    f"{LONGEST_PROMPT:,} characters for a prompt"
)


class TooSlow(NoTemplate):
    """A template that does not end within its limits."""


class Renderer:
    """The process of one template, started when it is first asked. `tokens` are the tokenizer's special ones."""

    def __init__(self, template: str, tokens: str) -> None:
        setup = [template, json.loads(tokens), MOST_SECONDS]
        self._first, self._lock = f"{json.dumps(setup)}\n", threading.Lock()
        self._child: subprocess.Popen[str] | None = None

    def rendered(self, chats: Sequence[Chat]) -> list[Rendered]:
        """What the template makes of each chat; NoTemplate, whose words go on after the model's name."""
        with self._lock:
            line = self._told(f"{json.dumps(chats)}\n")
        outcome = json.loads(line)
        if isinstance(outcome, int):
            raise NoTemplate(f"has a chat template with an error on line {outcome}, so it cannot be prompted")
        return [Rendered(prompt, fault, tuple(dates)) for prompt, fault, dates in outcome]

    def _told(self, request: str) -> str:
        """The line that answers; TooSlow where the process ends over it."""
        if self._child is None:
            self._child, request = _started(), self._first + request
            weakref.finalize(self, self._child.kill)
        child = self._child
        assert child.stdin and child.stdout
        timer = threading.Timer(TIMES * MOST_SECONDS, child.kill)
        timer.start()
        try:
            child.stdin.write(request)
            child.stdin.flush()
            line = child.stdout.readline()
        except BrokenPipeError:
            line = ""
        except BaseException:
            # Its answer would be taken for that of the next question.
            self._end()
            raise
        finally:
            timer.cancel()
        if not line.endswith("\n"):
            self._end()
            raise TooSlow(TOO_MUCH)
        return line

    def _end(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait()
        self._child = None


def _started() -> "subprocess.Popen[str]":
    # Libraries take memory for each thread that they might have.
    # Python itself, and no argument.
    return subprocess.Popen(
        [sys.executable, "-m", "scoring.scorers.rendering"],
        cwd=ROOT,
        env=without_secrets(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


@lru_cache(maxsize=2)
def renderer_of(template: str, tokens: str) -> Renderer:
    """One for all chunks of a run; `tokens` are written as JSON."""
    return Renderer(template, tokens)


# --- In the process of its own ------------------------------------------------------------------------


def _main() -> None:
    # Imported here, because the process that asks has enough of it.
    from transformers.utils.chat_template_utils import _compile_jinja_template

    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    template, tokens, seconds = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        most = math.ceil(time.process_time()) + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        try:
            template_globals = _compile_jinja_template(template).globals
        except TemplateSyntaxError as error:
            _tell(error.lineno)
        except (SyntaxError, ValueError, OverflowError, RecursionError):
            # What Jinja takes and Python does not.
            _tell(1)
        else:
            _tell([_rendered(chat, template_globals, chat_template=template, **tokens) for chat in json.loads(line)])


def _rendered(chat: Chat, template_globals: MutableMapping[str, Any], **options: Any) -> tuple[str, str, list[str]]:
    """As Rendered. A template is handed plain data, so only its `template_globals` can hold a clock."""
    from transformers.utils.chat_template_utils import render_jinja_template

    dates: set[str] = set()

    def clock(form: str) -> str:
        words = NOW.strftime(form[:LONGEST_DATE])
        if len(dates) < MOST_DATES:
            dates.add(words[:LONGEST_DATE])
        return words

    template_globals["strftime_now"] = clock
    # Jinja's filter `random` draws from it: a prompt is the same each time.
    random.seed(0)
    try:
        chats = [[dict(message) for message in chat]]
        prompts = render_jinja_template(conversations=chats, add_generation_prompt=True, **(options | SETTINGS))[0]
    except FAILURES as error:
        return "", f"{type(error).__name__}: {str(error)[:200]}", []
    prompt = str(prompts[0])
    if len(prompt) > LONGEST_PROMPT:
        raise MemoryError
    return prompt, "", sorted(one for one in dates if one in prompt)


def _tell(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    _main()
