"""Prodigy: `db-out` as JSON lines, a line for each answer of an annotator to a task.

A choice has `options` and which were taken in `accept`; a binary task its `label`, with the answer to it.
"""

from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import ANNOTATOR, ITEM, LABEL, Found, Record, listed, named, only_value, own_id
from corpus.formats.json_text import first_object, lines
from corpus.formats.source import Source

KNOWN_BY = {"_task_hash", "_input_hash", "answer"}
ANSWERS = ("accept", "reject", "ignore")


def recognized(source: Source) -> bool:
    if source.is_packed or source.suffix not in (".jsonl", ".ndjson"):
        return False
    return first_object(source.only.split(b"\n", 1)[0]).keys() >= KNOWN_BY


def labels(source: Source) -> Found:
    """A record an answer. A choice that was taken is the label; of a binary task it is `accept` or `reject`.

    What was ignored, or a choice that was rejected, is an answer without a label.
    """
    for where, line in lines(source.only):
        if isinstance(line, Fault):
            yield line
        elif line.get("answer") not in ANSWERS:
            yield Fault(
                f"{where}.answer", f"must be one of {', '.join(ANSWERS)}; is it the output of Prodigy’s db-out?"
            )
        else:
            annotator = line.get("_annotator_id") or line.get("_session_id")
            yield Record(where, line | {ITEM: _item(line), ANNOTATOR: annotator, LABEL: _label(line)})


def items(source: Source) -> Found:
    """A record for each input: its own fields, without what annotators said of it."""
    seen = set()
    excluded = {"answer", "accept", "_annotator_id", "_session_id", "_timestamp", "_task_hash"}
    for where, line in lines(source.only):
        if isinstance(line, Fault):
            yield line
            continue
        item = _item(line)
        if repr(item) not in seen:
            seen.add(repr(item))
            yield Record(where, {name: value for name, value in line.items() if name not in excluded} | {ITEM: item})


def _item(line: dict[str, Any]) -> Any:
    """The line's own id, or one that `meta` has; else Prodigy's hash of the input."""
    return own_id(line, own_id(named(line.get("meta")), line.get("_input_hash")))


def _label(line: dict[str, Any]) -> Any:
    if line["answer"] == "ignore":
        return None
    if "options" in line:
        accepted = listed(line.get("accept"))
        return only_value(accepted) if line["answer"] == "accept" and accepted else None
    return line["answer"]
