"""A test question to a model behind an endpoint: its answer, what that takes, and which metrics it is fit for.

One attempt, as runs make it; where the endpoint refuses that, one without log-probabilities.
"""

import http.client
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.tasktypes.contract import Prompted, Unscored
from scoring.scorers.contract import ModelError
from scoring.scorers.endpoint.calling import NO_ANSWER, Attempt, call_once, refusal
from scoring.scorers.endpoint.replies import without_reasoning
from scoring.scorers.endpoint.scorer import LETTER, letters_in, reply_in
from scoring.scorers.questions import labels, messages

QUESTION = Prompted(
    text="The keys to the cabinet ___ on the table.",
    question="Which word fits the gap?",
    options=(("are", "are"), ("is", "is")),
)
# As `sampled` asks, which needs no log-probabilities.
SAMPLED: dict[str, Any] = {"max_tokens": 16, "temperature": 1.0, "seed": 0}
LONGEST_ANSWER = 200
REFUSED = (400, 422, 501)
NOT_ALLOWED = (401, 403)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """`failure` says why there is no answer, `remark` which metrics it allows. Numbers are None where none are told."""

    answer: str = ""
    milliseconds: int = 0
    read: int | None = None
    written: int | None = None
    failure: str = ""
    remark: str = ""


def in_seconds(milliseconds: int) -> str:
    """A time as pages and the command say it."""
    return f"{milliseconds} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def words() -> str:
    """What the model is asked."""
    return messages(QUESTION, 0)[-1]["content"]


def ask(url: str, key: str, model: str) -> Heard:
    """What comes of the question. ModelError where the settings are such that nothing can be asked."""
    chat = {"model": model, "messages": messages(QUESTION, 0)}
    first = call_once(url, key, chat | LETTER)
    if first.status in REFUSED:
        second = call_once(url, key, chat | SAMPLED)
        if second.status == http.client.OK:
            return _heard(second, f"Asked for log-probabilities, it {refusal(first, key)}. Use sampled, not prompted.")
        first = second
    if first.status != http.client.OK:
        return Heard(milliseconds=first.milliseconds, failure=_failure(first, key, model))
    return _heard(first, _remark(first.body))


def _heard(attempt: Attempt, remark: str) -> Heard:
    try:
        reply = reply_in(attempt.body)
    except ModelError as error:
        return Heard(milliseconds=attempt.milliseconds, failure=f"{error}, so it is no such endpoint")
    usage = attempt.body.get("usage")
    return Heard(
        answer=(without_reasoning(reply) or reply).strip()[:LONGEST_ANSWER],
        milliseconds=attempt.milliseconds,
        read=_count(usage, "prompt_tokens"),
        written=_count(usage, "completion_tokens"),
        remark=remark,
    )


def _remark(body: Mapping[str, Any]) -> str:
    """Which metrics the answer allows."""
    try:
        read = letters_in(body, labels(len(QUESTION.options)))
    except ModelError:
        return "It gives no log-probabilities. Use sampled, not prompted."
    if isinstance(read, Unscored):
        return f"It gives log-probabilities, but {read.reason}. Use sampled, not prompted."
    return "It gives log-probabilities. Both prompted and sampled will work."


def _failure(attempt: Attempt, key: str, model: str) -> str:
    """In words; the endpoint is the subject."""
    status, reason = attempt.status, refusal(attempt, key)
    if status == NO_ANSWER:
        return f"The endpoint {attempt.fault}."
    if status in NOT_ALLOWED:
        what = "refuses the key in PROMPT_ENDPOINT_KEY" if key else "asks for a key: PROMPT_ENDPOINT_KEY is not set"
        return f"The endpoint {what}. It {reason}."
    if status == http.client.NOT_FOUND:
        return f"There is no model {model}, or no chat/completions at this address. The endpoint {reason}."
    if status == http.client.TOO_MANY_REQUESTS:
        return f"The endpoint is busy, or its limit is reached. It {reason}."
    return f"The endpoint {reason}."


def _count(usage: object, name: str) -> int | None:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if type(count) is int and count >= 0 else None
