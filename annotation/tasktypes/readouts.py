"""What a model's numbers say of an item: its own answer or label, or the probabilities of the options' texts."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.asking import question_of
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

# In float32 the same log-probability differs by about 1e-5 from batch to batch.
NOISE = 1e-4


def own_readout(task: TaskType, content: Mapping[str, Any], results: Sequence[Numbers]) -> Readout | None:
    """The answer or label of a model that gives one itself; None for one that gives probabilities of texts."""
    match results:
        case [PromptNumbers() as answers]:
            return answered(task.scale, question_of(task, content).options, answers)
        case [SampledNumbers() as replies]:
            return sampled(task.scale, replies)
        case [LabelNumbers() as numbers]:
            return _labeled(task.scale, numbers)
    return None


def of_options(texts: Mapping[str, str], results: Sequence[Numbers]) -> tuple[tuple[float, ...], dict[str, Any]]:
    """The log-probability of each option, from one slot for all or a text each, and detail; else TypeError."""
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


def answered(
    scale: Scale, options: Sequence[tuple[str, str]], numbers: PromptNumbers, *, noise: float = NOISE
) -> Readout:
    """The option that is the most probable in every order: one that is so in some only is preferred for its place.

    Log-probabilities that lie no farther apart than `noise` are equal.

    Strength is the log-odds of the first option against the best of the others, by probabilities meaned over orders;
    on an ordered scale the expected degree, where 1 is the lowest.
    """
    logs = numbers.of_options()
    by_order = [dict(zip(*asked, strict=True)) for asked in zip(numbers.orders, numbers.logprobs, strict=True)]
    decision, undecided = _agreed(scale, [_leading(one, within=noise) for one in by_order], "probable")
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
    """The answer that is the most frequent in every order: one that is so in some only is given for its place.

    Shares are taken order by order and meaned, so that replies without an answer shift no balance. Strength is the
    log-odds of the first option against the most frequent other, half an answer added to each; on an ordered scale the
    mean degree, where 1 is the lowest. ValueError where an order has no answer.
    """
    counts = answers_by_order(numbers)
    if not all(counts.values()):
        raise ValueError("an option order got no answer")
    given = sum(one.total() for one in counts.values())
    shares = {value: sum(one[value] / one.total() for one in counts.values()) / len(counts) for value in scale.values}
    decision, undecided = _agreed(scale, [_leading(one) for one in counts.values()], "frequent")
    detail: dict[str, Any] = {
        "probabilities": shares,
        "asks": [
            {"order": list(order), "answer": answer, "reply": reply} | ({"unread": unread} if unread else {})
            for order, answer, reply, unread in zip(
                numbers.orders, numbers.answers, numbers.replies, numbers.unread, strict=True
            )
        ],
    }
    if scale.ordered:
        strength = sum(degree * shares[value] for degree, value in enumerate(scale.values, 1))
    else:
        first, *others = [shares[value] * given for value in scale.values]
        strength = math.log((first + 0.5) / (max(others) + 0.5))
    return Readout(decision, strength, detail | undecided)


def answers_by_order(numbers: SampledNumbers) -> dict[tuple[str, ...], Counter[str]]:
    """For every order shown, how often each answer was given in it."""
    found: dict[tuple[str, ...], Counter[str]] = {order: Counter() for order in numbers.orders}
    for order, answer in zip(numbers.orders, numbers.answers, strict=True):
        if answer:
            found[order][answer] += 1
    return found


def _leading(of_values: Mapping[str, float], *, within: float = 0.0) -> set[str]:
    """The values that have the most, or next to it."""
    most = max(of_values.values())
    return {value for value, found in of_values.items() if found >= most - within}


def _agreed(scale: Scale, leading: Sequence[set[str]], what: str) -> tuple[str | None, dict[str, Any]]:
    """The one value that leads in every order; where there is none or several, none, and why."""
    agreed = [value for value in scale.values if all(value in one for one in leading)]
    if len(agreed) == 1:
        return agreed[0], {}
    if agreed:
        return None, {"no_decision": f"{' and '.join(agreed)} are equally {what}"}
    by_order = [" and ".join(value for value in scale.values if value in one) for one in leading]
    return None, {"no_decision": f"the answer changes with the order of the options: {', then '.join(by_order)}"}


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
