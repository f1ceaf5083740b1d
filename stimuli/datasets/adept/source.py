"""ADEPT's own file: a JSON array of objects, one a line. Read whole, checked whole.

The array is decoded entry by entry rather than at once, so that a fault can be named by entry and line
and a file that was cut off is told from one that was written wrongly.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.tasktypes.plausibility.task import DEGREES
from corpus.characters import unstorable_within
from corpus.errors import Fault, SourceError
from corpus.source_text import read_text

TEXTS = ("sentence1", "sentence2", "modifier", "noun")
FIELDS = (*TEXTS, "label", "idx")
WHITESPACE = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of ADEPT, as published. `label` is 0 (impossible) to 4 (necessarily true)."""

    line: int
    sentence1: str
    sentence2: str
    modifier: str
    noun: str
    label: int
    idx: int


@dataclass(frozen=True, slots=True)
class _Raw:
    number: int
    line: int
    value: Any

    @property
    def where(self) -> str:
        return f"entry {self.number} (line {self.line})"


def read_entries(path: Path) -> list[Entry]:
    """All entries in the file's order; SourceError with every fault, by entry, line and field."""
    text = read_text(path)
    faults: list[Fault] = []
    entries: list[Entry] = []
    seen: dict[int, str] = {}
    for item in _array(text):
        if isinstance(item, Fault):
            faults.append(item)
            continue
        found = _faults(item.value)
        if not found:
            idx = item.value["idx"]
            if idx in seen:
                found = [Fault("idx", f"{idx} was already used by {seen[idx]}")]
            seen.setdefault(idx, item.where)
            entries.append(Entry(line=item.line, **item.value))
        faults += [fault.under(item.where) for fault in found]
    if not faults and not entries:
        faults.append(Fault("file", "holds no entries"))
    if faults:
        raise SourceError(path, faults)
    return entries


def _array(text: str) -> Iterator[_Raw | Fault]:
    """The entries of a JSON array with their places, and one fault where it can be read no further."""
    decoder = json.JSONDecoder()
    cut_off = not text.rstrip(WHITESPACE).endswith("]")
    at = _past_space(text, 0)
    if not text.startswith("[", at):
        yield Fault("file", "is not a JSON array; ADEPT's files begin with [")
        return
    at = _past_space(text, at + 1)
    number, line, counted_to = 0, 1, 0
    while not text.startswith("]", at):
        line, counted_to = line + text.count("\n", counted_to, at), at
        number += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as error:
            reason = "the file is cut off here" if cut_off else f"is not JSON: {error}"
            yield Fault(f"entry {number} (line {line})", reason)
            return
        yield _Raw(number, line, value)
        at = _past_space(text, at)
        if text.startswith(",", at):
            at = _past_space(text, at + 1)
        elif not text.startswith("]", at):
            reason = "the file is cut off after it" if cut_off else "a comma or ] must follow it"
            yield Fault(f"entry {number} (line {line})", reason)
            return
    if text[at + 1 :].strip(WHITESPACE):
        yield Fault("file", "goes on after the array has ended")


def _past_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in WHITESPACE:
        at += 1
    return at


def _faults(value: Any) -> list[Fault]:
    if not isinstance(value, dict):
        return [Fault("", f"must be a JSON object, not {type(value).__name__}")]
    wrong = unstorable_within(value)
    faults = [Fault("", wrong)] if wrong else []
    faults += [Fault(name, "is missing") for name in FIELDS if name not in value]
    faults += [Fault(name, f"is not known; known are {', '.join(FIELDS)}") for name in value if name not in FIELDS]
    for name in TEXTS:
        if name in value and (not isinstance(value[name], str) or not value[name].strip()):
            faults.append(Fault(name, "must be text and not empty"))
    if "label" in value and not _whole(value["label"], most=len(DEGREES.values) - 1):
        faults.append(Fault("label", f"{value['label']!r} is not a whole number from 0 to {len(DEGREES.values) - 1}"))
    if "idx" in value and not _whole(value["idx"]):
        faults.append(Fault("idx", f"{value['idx']!r} is not a whole number from 0"))
    return faults


def _whole(value: object, *, most: int | None = None) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0 and (most is None or value <= most)
