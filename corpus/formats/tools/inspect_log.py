"""Inspect (inspect_ai): an evaluation log, `.eval` (a zip of JSON files) or `.json` (the same in one object).

A sample has `id`, `epoch`, `input`, `target`, `choices`, and for each scorer a score with `value`, `answer`,
`explanation`. A value that is NaN, or no score at all, says that the sample is unscored.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import ITEM, LABEL, NOTE, SCORE, Found, Record, listed, named
from corpus.formats.json_text import parsed
from corpus.formats.source import Source, refused

# How a log in one object begins.
HEAD = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:')
HEADER, START, SAMPLES = "header.json", "_journal/start.json", "samples/"
SUCCESS = "success"
# What Inspect's own scorers mean by their letters: correct, incorrect, partial, no answer.
LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}


def recognized(source: Source) -> bool:
    if source.is_packed:
        return any(name.startswith(SAMPLES) for name in source.members) and (
            HEADER in source.members or START in source.members
        )
    return source.suffix == ".json" and HEAD.match(source.only[:200]) is not None


def says(source: Source) -> dict[str, str]:
    """The model that was asked, and how the evaluation ended (`status`) where that is not with success."""
    head = next((name for name in (HEADER, START) if name in source.members), HEADER)
    log = named(parsed(source.read(head), where=head)) if source.is_packed else named(parsed(source.only))
    # A log that was cut off has no header yet, and so no status: it was started.
    status = log.get("status", "started")
    facts = {"model": named(log.get("eval")).get("model"), "status": "" if status == SUCCESS else status}
    return {name: text for name, text in facts.items() if isinstance(text, str) and text}


def scores(source: Source) -> Found:
    """A record a sample, and epoch: `label` is what the scorer took for the answer, `score` its value as a number.

    With several scorers each is under its name in `scores`, and none is the label by itself.
    """
    for where, sample in _samples(source):
        if isinstance(sample, Fault):
            yield sample
            continue
        by_scorer = {name: _score(score, listed(sample.get("choices"))) for name, score in _scores_of(sample).items()}
        values = _about(sample) | {"scores": by_scorer}
        if len(by_scorer) <= 1:
            only = next(iter(by_scorer.values()), {"label": None})
            values |= {LABEL: only["label"], "value": only.get("value"), NOTE: only.get("explanation")}
            # Whether the answer is right is no strength of it: it is mapped where somebody wants it.
            values["number"] = only.get(SCORE)
        yield Record(where, values)


def items(source: Source) -> Found:
    """A record a sample: its input, target, choices and metadata. A sample comes once for each epoch."""
    seen = set()
    for where, sample in _samples(source):
        if isinstance(sample, Fault):
            yield sample
        elif (number := repr(sample.get("id"))) not in seen:
            seen.add(number)
            yield Record(where, named(sample.get("metadata")) | _about(sample))


def remarks(rows: Sequence[Record]) -> list[str]:
    """What is not read by itself: one of several scorers, and values that grade."""
    several = next((names for row in rows if len(names := list(row.values.get("scores", ()))) > 1), [])
    if several:
        return [f"it has several scorers ({', '.join(several)}); --map label=scores.{several[0]}.label reads one"]
    numbers = {row.values.get("number") for row in rows} - {None}
    if numbers - {0, 0.5, 1} or (numbers and not any(row.values.get(LABEL) for row in rows)):
        return ["its scorer’s values are numbers: --map label=value reads them as labels, --map score=number as scores"]
    return []


def _samples(source: Source) -> Iterator[tuple[str, dict[str, Any] | Fault]]:
    for where, sample in _named_samples(source):
        if isinstance(sample, dict) and "id" in sample:
            yield where, sample
        else:
            yield where, Fault(where, "must be a sample with an id")


def _named_samples(source: Source) -> Iterator[tuple[str, Any]]:
    if source.is_packed:
        names = sorted(name for name in source.members if name.startswith(SAMPLES) and name.endswith(".json"))
        if not names:
            raise refused("file", "contains no samples; is it an Inspect log?")
        for name in names:
            yield name, parsed(source.read(name), where=name)
        return
    log = parsed(source.only)
    if not isinstance(log, dict) or not isinstance(log.get("samples"), list):
        raise refused("file", "has no samples; is it a complete Inspect log rather than only its header?")
    for number, sample in enumerate(log["samples"], start=1):
        yield f"sample {number}", sample


def _about(sample: dict[str, Any]) -> dict[str, Any]:
    target = sample.get("target")
    return {
        ITEM: sample["id"],
        "epoch": sample.get("epoch", 1),
        "input": sample.get("input"),
        "target": target[0] if isinstance(target, list) and len(target) == 1 else target,
        "choices": sample.get("choices"),
        "metadata": named(sample.get("metadata")),
        "error": named(sample.get("error")).get("message"),
    }


def _scores_of(sample: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """By scorer; logs before 0.3.50 had one `score`."""
    by_scorer = sample.get("scores")
    if by_scorer is None and isinstance(sample.get("score"), dict):
        by_scorer = {"score": sample["score"]}
    return {name: named(score) for name, score in named(by_scorer).items()}


def _score(score: dict[str, Any], choices: list[Any]) -> dict[str, Any]:
    value, answer = score.get("value"), score.get("answer")
    number = LETTERS.get(value) if isinstance(value, str) else value
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    return {
        "value": value,
        "answer": answer,
        "explanation": score.get("explanation"),
        "label": _chosen(answer, choices),
        SCORE: number if is_number else None,
    }


def _chosen(answer: Any, choices: list[Any]) -> str | None:
    """The answer; where there are choices and it is the letter of one, that choice's words.

    Inspect writes capital letters. What else is itself a choice is no letter.
    """
    if not isinstance(answer, str) or not answer.strip():
        return None
    letter = answer.strip()
    if letter in choices and not (len(letter) == 1 and letter.isupper()):
        return letter
    letter = letter.strip(" ().").upper()
    place = ord(letter) - ord("A") if len(letter) == 1 else -1
    chosen = choices[place] if 0 <= place < len(choices) else None
    return chosen if isinstance(chosen, str) else answer
