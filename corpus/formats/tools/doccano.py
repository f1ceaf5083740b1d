"""doccano: an export of a classification as JSONL, JSON or CSV, a file for each annotator in a zip file.

The name of a file is the annotator's. A project that shares its labels has one, `all`: whose they are is not said.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import ANNOTATOR, ITEM, LABEL, Found, Record, listed, named, only_value, own_id
from corpus.formats.json_text import first_object, lines, parsed
from corpus.formats.source import Source, refused

SUFFIXES = (".jsonl", ".json", ".csv")
KNOWN_BY = {"id", "text", "label"}
# Under one of these the labels stand; before 1.6 under another, or each with its annotator.
LABELS = {"label", "labels", "annotations"}


def recognized(source: Source) -> bool:
    """doccano writes `Comments`, capital and all, since 1.6; each file that is packed is of one kind."""
    names = source.named(*SUFFIXES)
    if not names or len(names) != len(source.members) or any("/" in name for name in names):
        return False
    fields = _fields(source, names[0])
    return fields >= {*KNOWN_BY, "Comments"} or ("annotation_approver" in fields and bool(LABELS & fields))


def labels(source: Source) -> Found:
    """A record for each example that the annotator has labeled: examples without a label stand in the file as well."""
    for where, annotator, row in _rows(source):
        if isinstance(row, Fault):
            yield row
        elif label := row.get("label", row.get("labels")):
            label = [one.strip() for one in label.split("#")] if isinstance(label, str) else label
            yield Record(where, row | {ITEM: own_item(row), ANNOTATOR: annotator, LABEL: only_value(label)})
        else:
            for one in map(named, listed(row.get("annotations"))):
                who = one.get("user", annotator)
                yield Record(where, row | {ITEM: own_item(row), ANNOTATOR: who, LABEL: one.get("label")})


def items(source: Source) -> Found:
    """A record for each example: its text and metadata, without doccano's number for it."""
    seen = set()
    for where, _, row in _rows(source):
        if isinstance(row, Fault):
            yield row
            continue
        item = own_item(row)
        if repr(item) not in seen:
            seen.add(repr(item))
            fields = {name: value for name, value in row.items() if name not in ("id", "label", "Comments")}
            yield Record(where, fields | {ITEM: item})


def own_item(row: dict[str, Any]) -> Any:
    """What the metadata call the item; else doccano's number, which is another in every project."""
    fields = {name: value for name, value in row.items() if name != "id"}
    return own_id(fields, own_id(named(row.get("meta")), row["id"]))


def _rows(source: Source) -> Iterator[tuple[str, str, dict[str, Any] | Fault]]:
    names = source.named(*SUFFIXES)
    if not names:
        raise refused("file", f"contains no {', '.join(SUFFIXES)}; is it a doccano export?")
    for name in names:
        annotator = PurePosixPath(name).stem
        for where, row in _of_member(source, name):
            columns = row.keys() if isinstance(row, dict) else {"id", *LABELS}
            missing = [name for name, names in (("id", {"id"}), ("label", LABELS)) if not names & columns]
            if missing:
                yield where, annotator, Fault(where, f"has no {', '.join(missing)}; is it a doccano export?")
            else:
                yield where, annotator, row


def _of_member(source: Source, name: str) -> Iterator[tuple[str, dict[str, Any] | Fault]]:
    data, suffix = source.read(name), PurePosixPath(name).suffix.lower()
    before = name if source.is_packed else ""
    if suffix == ".jsonl":
        yield from lines(data, name=before)
        return
    if suffix == ".csv":
        yield from source.rows(before)
        return
    value = parsed(data, where=before or "file")
    if not isinstance(value, list):
        raise refused(before or "file", "must be a JSON list of examples")
    for number, row in enumerate(value, start=1):
        where = f"{before}, example {number}" if before else f"example {number}"
        yield where, row if isinstance(row, dict) else Fault(where, "must be a JSON object")


def _fields(source: Source, name: str) -> set[str]:
    if name.endswith(".csv"):
        return {*source.header(name)}
    data = source.read(name)
    return set(first_object(data.split(b"\n", 1)[0] if name.endswith(".jsonl") else data))
