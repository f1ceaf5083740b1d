"""An item as a question in words, for a model that is asked as annotators are; and what answers that are labels say."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from annotation.tasktypes.contract import LabelNumbers, Prompted, PromptNumbers, Readout, Scale


class Asking(Protocol):
    """What of a task type is needed to put its items in words."""

    @property
    def scale(self) -> Scale: ...

    @property
    def question(self) -> str: ...

    def wording(self, content: Mapping[str, Any]) -> str: ...

    def shown(self, content: Mapping[str, Any], presentation: Mapping[str, Any]) -> dict[str, Any]: ...


def asked(task: Asking, content: Mapping[str, Any]) -> Prompted:
    """What the page shows of an item: its texts, the question, and the options in the annotators' words.

    The study's instructions are not the item's; the run adds them.
    """
    values = task.scale.values
    shown = task.shown(content, {"order": list(values)})["options"]
    options = tuple((value, option.text) for value, option in zip(values, shown, strict=True))
    return Prompted(task.wording(content), task.question, options, task.scale.ordered)


def answered(scale: Scale, options: Sequence[tuple[str, str]], numbers: PromptNumbers) -> Readout:
    """The most probable option over all orders.

    Strength is the log-odds of the first option against the best of the others; on an ordered scale the expected
    degree, where 1 is the lowest.
    """
    logs = numbers.of_options()
    values = scale.values
    best = max(logs.values())
    winners = [value for value in values if logs[value] == best]
    detail: dict[str, Any] = {
        "probabilities": {value: math.exp(logs[value]) for value in values},
        "options": {value: {"text": words, "logprob": logs[value]} for value, words in options},
        "orders": [
            {"order": list(order), "logprobs": list(logprobs)}
            for order, logprobs in zip(numbers.orders, numbers.logprobs, strict=True)
        ],
    }
    if len(winners) > 1:
        detail["no_decision"] = f"{' and '.join(winners)} are equally probable"
    decision = winners[0] if len(winners) == 1 else None
    return Readout(decision, _strength(scale, [logs[value] for value in values]), detail)


def labeled(scale: Scale, numbers: LabelNumbers) -> Readout:
    """The label that was given. Its strength is that of an answer in words, where there are probabilities."""
    detail: dict[str, Any] = {"probabilities": numbers.probabilities}
    if numbers.note:
        detail["note"] = numbers.note
    shares = numbers.probabilities or {}
    # A share of 0 has no logarithm: a model so sure has an answer and no strength.
    if set(shares) != set(scale.values) or not all(shares.values()):
        return Readout(numbers.label, None, detail)
    logs = [math.log(shares[value]) for value in scale.values]
    return Readout(numbers.label, _strength(scale, logs), detail)


def _strength(scale: Scale, logs: Sequence[float]) -> float:
    if scale.ordered:
        return sum(degree * math.exp(log) for degree, log in enumerate(logs, 1))
    return logs[0] - max(logs[1:])
