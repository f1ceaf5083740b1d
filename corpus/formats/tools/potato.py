"""Potato: what it keeps of annotators (`annotation_output/USER/user_state.json`), and its exports.

An export as JSON lines has a line for each annotator and item; as CSV and TSV a column for each label of a scheme,
`SCHEME.LABEL`. Potato 1 keeps `annotation_output/USER/annotated_instances.jsonl`, and writes all of them together under
this name: as JSON lines, in which nobody is named, or as CSV and TSV with the columns `user` and `SCHEME:::LABEL`.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import ANNOTATOR, ITEM, LABEL, Found, Record, listed, named
from corpus.formats.json_text import first_object, lines, parsed
from corpus.formats.source import Source, refused

STATE = "user_state.json"
TABLES = (".csv", ".tsv")
KNOWN_BY = {"instance_id", "user_id"}
# Potato 1: a file for each annotator, what its lines and its tables are known by, and what stands in their columns.
FIRST = "annotated_instances.jsonl"
FIRST_LINES, FIRST_TABLE = {"id", "label_annotations"}, {"instance_id", "user"}
PARTS, SPANS = ":::", "span_annotation"
# In place of a label, where the value is what was said; a page between items, which is none.
WRITTEN, PAGE = {"text_box", "slider", "select-one", "free_response"}, ".html"
POINT = re.compile(r"scale_(\d+)")
# What a choice is stored as where its name says which it is.
CHOSEN = {"", "true", "on"}


def recognized(source: Source) -> bool:
    if source.is_packed:
        return bool(_members_named(source, STATE) or _members_named(source, FIRST))
    if source.suffix in TABLES:
        header = {*source.header()}
        return header >= KNOWN_BY or (header >= FIRST_TABLE and any(PARTS in name for name in header))
    if source.suffix == ".json":
        return first_object(source.only).keys() >= {"user_id", "instance_id_to_label_to_value"}
    first = first_object(source.only.split(b"\n", 1)[0]).keys() if source.suffix == ".jsonl" else set()
    return first >= KNOWN_BY | {"labels"} or first >= FIRST_LINES


def labels(source: Source) -> Found:
    """A record for each annotator and item: `result` by scheme, and `label` where there is one scheme."""
    if source.is_packed:
        states, first = _members_named(source, STATE), [name for name in _members_named(source, FIRST) if "/" in name]
        if not states and not first:
            raise refused("file", f"contains no {STATE}; give the folder annotation_output or an export")
        for name in states:
            yield from _of_state(name, parsed(source.read(name), where=name))
        for name in () if states else first:
            yield from _of_first_lines(name, source.read(name))
    elif source.suffix == ".json":
        yield from _of_state("", parsed(source.only))
    elif source.suffix in TABLES:
        yield from _of_table(source)
    elif first_object(source.only.split(b"\n", 1)[0]).keys() >= FIRST_LINES:
        named_in = f"annotation_output has one {FIRST} per annotator, and CSV or TSV exports have a column"
        raise refused("file", f"does not say who gave each label; {named_in}")
    else:
        yield from _of_lines(source)


def _members_named(source: Source, file: str) -> list[str]:
    """The members of that name, which stand in a folder named after their annotator."""
    return [name for name in source.named(PurePosixPath(file).suffix) if name.rsplit("/", 1)[-1] == file]


def _of_state(name: str, state: Any) -> Found:
    if not isinstance(state, dict) or not isinstance(by_item := state.get("instance_id_to_label_to_value"), dict):
        yield Fault(name or "file", f"has no instance_id_to_label_to_value; is it a {STATE} of Potato?")
        return
    for item, pairs in by_item.items():
        result: dict[str, dict[str, Any]] = {}
        for pair in listed(pairs):
            label = named(pair[0]) if isinstance(pair, list) and len(pair) == 2 else {}
            if isinstance(label.get("schema"), str) and isinstance(label.get("name"), str):
                result.setdefault(label["schema"], {})[label["name"]] = pair[1]
        where = f"{name}, {item}" if name else str(item)
        yield _record(where, item, state.get("user_id"), result)


def _of_lines(source: Source) -> Found:
    for where, line in lines(source.only):
        if isinstance(line, Fault):
            yield line
        elif missing := sorted(KNOWN_BY - line.keys()):
            yield Fault(where, f"has no {', '.join(missing)}; is it a Potato export?")
        else:
            result = {name: named(value) for name, value in named(line.get("labels")).items()}
            yield _record(where, line["instance_id"], line["user_id"], result)


def _of_first_lines(name: str, data: bytes) -> Found:
    """Of Potato 1: the file of one annotator, whose name is that of its folder."""
    annotator = name.rsplit("/", 2)[-2]
    for where, line in lines(data, name=name):
        if isinstance(line, Fault):
            yield line
        elif missing := sorted(FIRST_LINES - line.keys()):
            yield Fault(where, f"has no {', '.join(missing)}; is it a Potato 1 file?")
        elif not str(line["id"]).endswith(PAGE):
            by_scheme = {scheme: named(names) for scheme, names in named(line["label_annotations"]).items()}
            result = {
                scheme: {label: _first(scheme, label, value) for label, value in names.items()}
                for scheme, names in by_scheme.items()
            }
            yield _record(where, line["id"], annotator, result)


def _of_table(source: Source) -> Iterator[Record | Fault]:
    header = {*source.header()}
    is_first = header >= FIRST_TABLE and not header >= KNOWN_BY
    if not is_first and (missing := sorted(KNOWN_BY - header)):
        raise refused("line 1", f"has no {', '.join(missing)}; is it a Potato export?")
    for where, row in source.rows():
        if isinstance(row, Fault):
            yield row
            continue
        result: dict[str, dict[str, Any]] = {}
        for name, cell in row.items():
            scheme, parted, label = name.partition(PARTS if is_first else ".")
            if parted and cell and not (is_first and scheme == SPANS):
                result.setdefault(scheme, {})[label] = _first(scheme, label, cell) if is_first else cell
        if not (is_first and row["instance_id"].endswith(PAGE)):
            yield _record(where, row["instance_id"], row["user" if is_first else "user_id"], result)


def _first(scheme: str, label: str, value: Any) -> Any:
    """What a label of Potato 1 was set to: a point of a scale by its number; of a choice, whose value is its name again
    or the key that takes it, that it was chosen.
    """
    if point := POINT.fullmatch(label):
        return point[1]
    is_choice = label not in WRITTEN and (len(str(value)) == 1 or value in (label, f"{scheme}{PARTS}{label}"))
    return "true" if is_choice else value


def _record(where: str, item: Any, annotator: Any, result: dict[str, dict[str, Any]]) -> Record:
    by_scheme = {scheme: _said(names) for scheme, names in result.items()}
    values = {ITEM: item, ANNOTATOR: annotator, "result": by_scheme}
    if len(by_scheme) == 1:
        values[LABEL] = next(iter(by_scheme.values()))
    return Record(where, values)


def _said(names: dict[str, Any]) -> Any:
    """What one scheme was set to: a choice's name or what it holds beside it, such as a point or a text; else all."""
    if len(names) != 1:
        return names
    name, value = next(iter(names.items()))
    plain = str(value).strip() if isinstance(value, str | int | float | bool) else ""
    return name if plain.casefold() in CHOSEN else plain
