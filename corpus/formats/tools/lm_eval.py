"""lm-evaluation-harness: `samples_TASK_DATE.jsonl`, which `--log_samples` writes, a line for each document and filter.

A line has `doc` (the task's own row), `arguments` (what was asked), and `filtered_resps`: for each option a
log-likelihood with whether it is the greedy answer, of rolling ones a number, of generated answers a text.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import ITEM, LABEL, LOGPROB, OPTIONS, SCORE, TEXT, Found, Record, listed, named, own_id
from corpus.formats.json_text import first_object, lines
from corpus.formats.source import Source

KNOWN_BY = {"doc_id", "doc", "filtered_resps"}


@dataclass(frozen=True, slots=True)
class _Sample:
    """One line. `asked` are context and continuation of each request; `numbers` one for each, or `answer` a text."""

    where: str
    line: dict[str, Any]
    asked: list[tuple[str, str]]
    numbers: list[float | None]
    answer: str | None

    @property
    def about(self) -> dict[str, Any]:
        doc = named(self.line["doc"])
        kept = {name: self.line.get(name) for name in ("doc", "doc_id", "target", "filter")}
        return {ITEM: own_id(doc, self.line["doc_id"]), **kept}


def recognized(source: Source) -> bool:
    if source.is_packed or source.suffix not in (".jsonl", ".json"):
        return False
    return first_object(source.only.split(b"\n", 1)[0]).keys() >= KNOWN_BY


def scores(source: Source) -> Found:
    """A record a line: `options` (each text with its log-probability), or one `score`, or an answer as `label`."""
    for sample in _samples(source):
        if isinstance(sample, Fault):
            yield sample
            continue
        values = sample.about
        if sample.answer is not None:
            values[LABEL] = sample.answer
        elif len(sample.numbers) == 1:
            values[SCORE] = sample.numbers[0]
        else:
            values |= _of_options(sample)
        yield Record(sample.where, values)


def texts(source: Source) -> Found:
    """A record for each text that was asked about, the context and what goes on from it, with its log-probability."""
    for sample in _samples(source):
        if isinstance(sample, Fault):
            yield sample
            continue
        if sample.answer is not None:
            yield Fault(sample.where, "has a generated answer, and no log-probability of a text")
            continue
        for (context, continuation), number in zip(sample.asked, sample.numbers, strict=True):
            yield Record(sample.where, sample.about | {TEXT: context + continuation, LOGPROB: number})


def items(source: Source) -> Found:
    """A record for each document: its own fields, and `target`. A document comes once for each filter."""
    seen = set()
    for sample in _samples(source):
        if isinstance(sample, Fault):
            yield sample
        elif (number := repr(sample.line["doc_id"])) not in seen:
            seen.add(number)
            yield Record(sample.where, named(sample.line["doc"]) | sample.about)


def _samples(source: Source) -> Iterator[_Sample | Fault]:
    for where, line in lines(source.only):
        yield line if isinstance(line, Fault) else _sample(where, line)


def _sample(where: str, line: dict[str, Any]) -> _Sample | Fault:
    missing = sorted(KNOWN_BY - line.keys())
    if missing:
        return Fault(where, f"has no {', '.join(missing)}; is it one of lm-eval's samples_*.jsonl?")
    asked = _asked(line.get("arguments"))
    answers = listed(line["filtered_resps"])
    if len(answers) == 1 and (text := _generated(answers[0], asked)) is not None:
        return _Sample(where, line, asked, [], text)
    numbers = [_number(answer) for answer in answers]
    if not numbers or None in numbers:
        return Fault(f"{where}.filtered_resps", "must be a log-likelihood for each option, or one generated answer")
    if len(asked) != len(numbers):
        return Fault(f"{where}.arguments", f"has {len(asked)} requests for {len(numbers)} answers")
    return _Sample(where, line, asked, numbers, None)


def _asked(arguments: Any) -> list[tuple[str, str]]:
    """Context and continuation of each request: `{gen_args_0: {arg_0, arg_1}}`, or pairs (before 0.4.4).

    Of a rolling log-likelihood the one text is the continuation. What a generation was asked with is no text.
    """
    if isinstance(arguments, dict):
        requests = [list(named(one).values()) for one in arguments.values()]
    else:
        requests = [listed(one) for one in listed(arguments)]
    pairs = [[part for part in parts if isinstance(part, str)] for parts in requests]
    return [(parts[0] if len(parts) > 1 else "", parts[-1] if parts else "") for parts in pairs]


def _generated(answer: Any, asked: list[tuple[str, str]]) -> str | None:
    """The text that was generated; None where it is a log-likelihood, which has a continuation or is rolling."""
    if not isinstance(answer, str):
        return None
    # A rolling log-likelihood stands there as a text, too.
    return None if _number(answer) is not None and asked and asked[0][0] == "" else answer


def _number(answer: Any) -> float | None:
    """`[number, is_greedy]` or a number, in digits or as a text."""
    first = answer[0] if isinstance(answer, list) and answer else answer
    if isinstance(first, bool) or not isinstance(first, int | float | str):
        return None
    try:
        return float(first)
    except (ValueError, OverflowError):
        return None


def _of_options(sample: _Sample) -> dict[str, Any]:
    """The options' texts and numbers. With mutual information each is asked a second time, without its context."""
    asked, numbers = sample.asked, sample.numbers
    half = len(asked) // 2
    without = [continuation for _, continuation in asked[half:]]
    values: dict[str, Any] = {}
    is_twice = half * 2 == len(asked) and half > 1 and without == [one for _, one in asked[:half]]
    if is_twice and any(context for context, _ in asked[:half]):
        values["unconditional"] = numbers[half:]
        asked, numbers = asked[:half], numbers[:half]
    told = [continuation for _, continuation in asked]
    pairs = [[text, number] for text, number in zip(told, numbers, strict=True)]
    return values | {
        OPTIONS: json.dumps(pairs, ensure_ascii=False),
        "texts": told,
        "contexts": [context for context, _ in asked],
        "logprobs": numbers,
    }
