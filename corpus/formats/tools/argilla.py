"""Argilla: records as its SDK writes them, `records.to_json` or the `records.json` of `dataset.to_disk`."""

import io
from collections.abc import Iterator
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import ANNOTATOR, ITEM, LABEL, Found, Record, listed, named, own_id
from corpus.formats.json_text import entries, first_object
from corpus.formats.source import FormatFault, Source, refused

RECORDS = "records.json"
RESPONSES = ".responses"
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
        raise refused("file", f"contains no {RECORDS}; is it a folder from Argilla’s dataset.to_disk?")
    if source.suffix == ".parquet":
        yield from _of_hub(source.only)
        return
    data = source.read(RECORDS) if source.is_packed else source.only
    for where, record in entries(data, word="record"):
        if isinstance(record, dict) and (missing := sorted({"id", "fields"} - record.keys())):
            yield where, Fault(where, f"has no {', '.join(missing)}; is it an Argilla record?")
        else:
            yield where, record


def _of_hub(data: bytes) -> Iterator[tuple[str, dict[str, Any] | Fault]]:
    """Records as the SDK puts them on the Hub: a column for the responses to a question, and beside it their users."""
    import pyarrow

    from corpus.formats.columnar import PARQUET, read_columns, rows_of

    try:
        rows = rows_of(read_columns(io.BytesIO(data), suffix=PARQUET))
    except FormatFault:
        raise
    except (OSError, ValueError, pyarrow.ArrowException):
        raise refused("file", "is not a Parquet file that can be read") from None
    for number, row in enumerate(rows, start=1):
        questions = [name.removesuffix(RESPONSES) for name in row if name.endswith(RESPONSES)]
        responses = {name: _zipped(row, name + RESPONSES) for name in questions}
        fields = {name: value for name, value in row.items() if "." not in name and name not in ("id", "status")}
        yield f"row {number}", {"id": own_id(row, number), "fields": fields, "responses": responses}


def _zipped(row: dict[str, Any], column: str) -> list[dict[str, Any]]:
    values, users, states = (listed(row.get(column + part)) for part in ("", ".users", ".status"))
    states = states or ["submitted"] * len(values)
    return [
        {"value": value, "user_id": user, "status": state}
        for value, user, state in zip(values, users, states, strict=False)
    ]


def _by_annotator(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What each annotator, by the id of their account, answered to which question."""
    by_annotator: dict[str, dict[str, Any]] = {}
    # Before 2.0 a response had the answers to all questions.
    for old_response in map(named, listed(record.get("responses"))):
        if old_response.get("status", "submitted") in ("submitted", None) and old_response.get("user_id"):
            answers = {name: named(one).get("value") for name, one in named(old_response.get("values")).items()}
            by_annotator.setdefault(str(old_response["user_id"]), {}).update(answers)
    for question, responses in named(record.get("responses")).items():
        for response in map(named, listed(responses)):
            if response.get("status", "submitted") in ("submitted", None) and response.get("user_id"):
                by_annotator.setdefault(str(response["user_id"]), {})[question] = response.get("value")
    return by_annotator
