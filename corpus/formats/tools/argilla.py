"""Argilla: records as its SDK writes them, `records.to_json` or the `records.json` of `dataset.to_disk`."""

from collections.abc import Iterator
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import ANNOTATOR, ITEM, LABEL, Found, Record, listed, named
from corpus.formats.json_text import entries, first_object
from corpus.formats.source import Source, refused

RECORDS = "records.json"
KNOWN_BY = {"id", "fields", "responses", "suggestions"}


def recognized(source: Source) -> bool:
    if source.is_packed:
        return RECORDS in source.members and ".argilla/settings.json" in source.members
    return source.suffix == ".json" and first_object(source.only).keys() >= KNOWN_BY


def labels(source: Source) -> Found:
    """A record for each record and annotator: `result` by question, `label` where the record has one question.

    A response that says that it is a draft or was discarded is none.
    """
    for where, record in _records(source):
        if isinstance(record, Fault):
            yield record
            continue
        about = {ITEM: record["id"], "fields": named(record["fields"]), "metadata": named(record.get("metadata"))}
        for annotator, result in _by_annotator(record).items():
            values = about | {ANNOTATOR: annotator, "result": result}
            if len(result) == 1:
                values[LABEL] = next(iter(result.values()))
            yield Record(f"{where}, {annotator}", values)


def items(source: Source) -> Found:
    """A record for each record: its fields and metadata."""
    for where, record in _records(source):
        if isinstance(record, Fault):
            yield record
        else:
            about = named(record["fields"]) | {"metadata": named(record.get("metadata"))}
            yield Record(where, about | {"suggestions": named(record.get("suggestions")), ITEM: record["id"]})


def _records(source: Source) -> Iterator[tuple[str, dict[str, Any] | Fault]]:
    if source.is_packed and RECORDS not in source.members:
        raise refused("file", f"holds no {RECORDS}; is it the folder of dataset.to_disk of Argilla?")
    data = source.read(RECORDS) if source.is_packed else source.only
    for where, record in entries(data, word="record"):
        if isinstance(record, dict) and (missing := sorted({"id", "fields"} - record.keys())):
            yield where, Fault(where, f"has no {', '.join(missing)}; is it a record of Argilla?")
        else:
            yield where, record


def _by_annotator(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What each annotator, by the id of their account, answered to which question."""
    found: dict[str, dict[str, Any]] = {}
    for question, responses in named(record.get("responses")).items():
        for response in map(named, listed(responses)):
            if response.get("status", "submitted") in ("submitted", None) and response.get("user_id"):
                found.setdefault(str(response["user_id"]), {})[question] = response.get("value")
    return found
