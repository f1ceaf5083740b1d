"""What a model's numbers say of an item: its own answer or label, or the probabilities of the options' texts."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.asking import asked
from annotation.tasktypes.contract import (
    ClozeNumbers,
    LabelNumbers,
    Numbers,
    PromptNumbers,
    Readout,
    SampledNumbers,
    Scale,
    SentenceNumbers,
    TaskType,
)


def given(task: TaskType, content: Mapping[str, Any], results: Sequence[Numbers]) -> Readout | None:
    """The answer or label of a model that gives one itself; None for one that gives probabilities of texts."""
    match results:
        case [PromptNumbers() as answers]:
            return answered(task.scale, asked(task, content).options, answers)
        case [SampledNumbers() as replies]:
            return sampled(task.scale, replies)
        case [LabelNumbers() as numbers]:
            return _labeled(task.scale, numbers)
    return None


def of_options(texts: Mapping[str, str], results: Sequence[Numbers]) -> tuple[tuple[float, ...], dict[str, Any]]:
    """The log-probability of each option, from one slot for all or a text for each; and the item's detail.

    TypeError if they are not the numbers of just these options.
    """
    extra: list[dict[str, Any]]
    match results:
        case [ClozeNumbers() as cloze, *_]:
            logprobs = cloze.logprobs
            extra = [{"rank": rank} for rank in cloze.ranks]
            detail: dict[str, Any] = {"top": [list(pair) for pair in cloze.top]}
        case _:
            sentences = [numbers for numbers in results if isinstance(numbers, SentenceNumbers)]
            logprobs = tuple(numbers.logprob for numbers in sentences)
            extra = [{"tokens": [list(pair) for pair in numbers.tokens]} for numbers in sentences]
            detail = {}
    if len(logprobs) != len(texts):
        raise TypeError(f"{results!r} are not the numbers of {', '.join(texts)}")
    detail["options"] = {
        name: {"text": text, "logprob": logprob, **more}
        for (name, text), logprob, more in zip(texts.items(), logprobs, extra, strict=True)
    }
    return logprobs, detail


def most_probable(logprobs: Mapping[str, float]) -> tuple[str | None, dict[str, Any]]:
    """The option with the highest; where several share it, none, and what the item's detail says of that."""
    best = max(logprobs.values())
    winners = [value for value, logprob in logprobs.items() if logprob == best]
    if len(winners) == 1:
        return winners[0], {}
    return None, {"no_decision": f"{' and '.join(winners)} are equally probable"}


def answered(scale: Scale, options: Sequence[tuple[str, str]], numbers: PromptNumbers) -> Readout:
    """The most probable option over all orders.

    Strength is the log-odds of the first option against the best of the others; on an ordered scale the expected
    degree, where 1 is the lowest.
    """
    logs = numbers.of_options()
    decision, undecided = most_probable({value: logs[value] for value in scale.values})
    detail: dict[str, Any] = {
        "probabilities": {value: math.exp(logs[value]) for value in scale.values},
        "options": {value: {"text": words, "logprob": logs[value]} for value, words in options},
        "orders": [
            {"order": list(order), "logprobs": list(logprobs)}
            for order, logprobs in zip(numbers.orders, numbers.logprobs, strict=True)
        ],
    }
    return Readout(decision, _strength(scale, [logs[value] for value in scale.values]), detail | undecided)


def sampled(scale: Scale, numbers: SampledNumbers) -> Readout:
    """The answer that most asks gave; none where several were given as often.

    Strength is the log-odds of the first option against the most frequent other, half an answer added to each; on an
    ordered scale the mean degree, where 1 is the lowest. ValueError where no ask gave an answer.
    """
    counts = Counter(answer for answer in numbers.answers if answer)
    if not counts:
        raise ValueError("no ask gave an answer, which is for the scorer to say")
    most = max(counts.values())
    winners = [value for value in scale.values if counts[value] == most]
    detail: dict[str, Any] = {
        "probabilities": {value: counts[value] / counts.total() for value in scale.values},
        "asks": [
            {"order": list(order), "answer": answer, "reply": reply}
            for order, answer, reply in zip(numbers.orders, numbers.answers, numbers.replies, strict=True)
        ],
    }
    if len(winners) > 1:
        detail["no_decision"] = f"{' and '.join(winners)} were answered equally often"
    decision = winners[0] if len(winners) == 1 else None
    return Readout(decision, _strength_of_counts(scale, counts), detail)


def _strength_of_counts(scale: Scale, counts: Counter[str]) -> float:
    first, *others = [counts[value] for value in scale.values]
    if scale.ordered:
        return sum(degree * counts[value] for degree, value in enumerate(scale.values, 1)) / counts.total()
    return math.log((first + 0.5) / (max(others) + 0.5))


def _labeled(scale: Scale, numbers: LabelNumbers) -> Readout:
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
