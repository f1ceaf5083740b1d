"""Label Studio: an export as JSON (tasks with their annotations), or as JSON_MIN, CSV or TSV (a row an annotation)."""

from collections.abc import Iterator
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import (
    ANNOTATOR,
    ITEM,
    LABEL,
    SECONDS,
    Found,
    Record,
    listed,
    named,
    only_value,
    own_id,
)
from corpus.formats.json_text import entries, first_object
from corpus.formats.source import Source, refused

TABLES = (".csv", ".tsv")
# What every row has beside the fields of its task and a column for each control.
ROW_HAS = {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"}


def recognized(source: Source) -> bool:
    if source.is_packed:
        return False
    if source.suffix in TABLES:
        return {*source.header()} >= ROW_HAS
    if source.suffix != ".json" or not source.only.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        return False
    first = first_object(source.only)
    return _is_task(first) or first.keys() >= ROW_HAS


def labels(source: Source) -> Found:
    """A record an annotation: `result` by control, `label` of the one control there is, null where it was skipped."""
    for where, entry in _entries(source):
        if isinstance(entry, Fault):
            yield entry
        elif _is_task(entry):
            yield from _of_task(where, entry)
        else:
            yield _of_row(where, entry)


def items(source: Source) -> Found:
    """A record a task: the fields of its data."""
    seen = set()
    for where, entry in _entries(source):
        if isinstance(entry, Fault):
            yield entry
            continue
        # Of a row, what is not the annotation's; the columns of controls cannot be told from those of the task.
        of_row = {name: value for name, value in entry.items() if name not in ROW_HAS}
        data = named(entry["data"]) if _is_task(entry) else of_row
        item = own_id(data, entry.get("id"))
        # A row is an annotation, so that a task has several.
        if repr(item) not in seen or _is_task(entry):
            seen.add(repr(item))
            yield Record(where, data | {ITEM: item})


def _is_task(entry: dict[str, Any]) -> bool:
    return isinstance(entry.get("data"), dict) and "annotations" in entry


def _entries(source: Source) -> Iterator[tuple[str, dict[str, Any] | Fault]]:
    if source.suffix not in TABLES:
        yield from entries(source.only, word="task")
        return
    if missing := sorted(ROW_HAS - {*source.header()}):
        raise refused("line 1", f"has no {', '.join(missing)}; is it a Label Studio export?")
    yield from source.rows()


def _of_task(where: str, task: dict[str, Any]) -> Found:
    data = named(task["data"])
    item = own_id(data, task.get("id"))
    for number, annotation in enumerate(listed(task["annotations"]), start=1):
        place = f"{where}, annotation {number}"
        if not isinstance(annotation, dict):
            yield Fault(place, "must be a JSON object")
            continue
        result = _result(annotation)
        values = {ITEM: item, ANNOTATOR: _annotator(annotation.get("completed_by")), "data": data, "result": result}
        values["task_id"], values["annotation_id"] = task.get("id"), annotation.get("id")
        if isinstance(took := annotation.get("lead_time"), int | float):
            values[SECONDS] = took
        if annotation.get("was_cancelled") or not result:
            # Skipped, or handed in with nothing chosen.
            values[LABEL] = None
        elif len(result) == 1:
            values[LABEL] = only_value(list(result.values()))
        yield Record(place, values)


def _result(annotation: dict[str, Any]) -> dict[str, Any]:
    """What each control was set to. A region of a text stands in its control's list; a choice is one text."""
    by_control: dict[str, list[Any]] = {}
    for one in listed(annotation.get("result")):
        name, value = named(one).get("from_name"), named(named(one).get("value"))
        # Of choices that were taken back, an empty list is left.
        if isinstance(name, str) and value and (chosen := _value(value, named(one).get("type"))) != []:
            by_control.setdefault(name, []).append(chosen)
    return {name: only_value(values) for name, values in by_control.items()}


def _value(value: dict[str, Any], kind: Any) -> Any:
    """The one thing that a control's value holds under its kind's name, such as `choices`; else all of it."""
    return only_value(value[kind]) if isinstance(kind, str) and kind in value else value


def _annotator(who: Any) -> str:
    """A number, or an object with an address: the number, which stands for nobody outside that server."""
    who = who.get("id", who.get("email")) if isinstance(who, dict) else who
    return str(who) if isinstance(who, int | str) else ""


def _of_row(where: str, row: dict[str, Any]) -> Record | Fault:
    """All that the row has: its control's column is named by the project, so that `label` has to be mapped to it."""
    if missing := [name for name in ("id", "annotator") if name not in row]:
        return Fault(where, f"has no {', '.join(missing)}; is it a Label Studio export?")
    values = row | {ITEM: own_id(row, row["id"]), ANNOTATOR: _annotator(row["annotator"])}
    if took := row.get("lead_time"):
        values[SECONDS] = took
    return Record(where, values)
