"""Potato: what it keeps of annotators (`annotation_output/USER/user_state.json`), and its exports.

An export as JSON lines has a line for each annotator and item; as CSV and TSV a column for each label of a scheme,
`SCHEME.LABEL`.
"""

from collections.abc import Iterator
from typing import Any

from corpus.errors import Fault
from corpus.formats.contract import ANNOTATOR, ITEM, LABEL, Found, Record, listed, named
from corpus.formats.json_text import first_object, lines, parsed
from corpus.formats.source import Source, refused
from corpus.tables.cells import cells, delimiter_of, header_of

STATE = "user_state.json"
TABLES = (".csv", ".tsv")
KNOWN_BY = {"instance_id", "user_id"}
# What a choice is stored as where its name says which it is.
CHOSEN = {"", "true", "on"}


def recognized(source: Source) -> bool:
    if source.is_packed:
        return any(name.rsplit("/", 1)[-1] == STATE for name in source.members)
    if source.suffix in TABLES:
        return set(header_of(source.only, delimiter=delimiter_of(source.only, source.name))) >= KNOWN_BY
    if source.suffix == ".json":
        return first_object(source.only).keys() >= {"user_id", "instance_id_to_label_to_value"}
    return source.suffix == ".jsonl" and first_object(source.only.split(b"\n", 1)[0]).keys() >= KNOWN_BY | {"labels"}


def labels(source: Source) -> Found:
    """A record for each annotator and item: `result` by scheme, and `label` where there is one scheme."""
    if source.is_packed:
        names = [name for name in source.named(".json") if name.rsplit("/", 1)[-1] == STATE]
        if not names:
            raise refused("file", f"holds no {STATE}; give the folder annotation_output, or an export")
        for name in names:
            yield from _of_state(name, parsed(source.read(name), where=name))
    elif source.suffix == ".json":
        yield from _of_state("", parsed(source.only))
    elif source.suffix in TABLES:
        yield from _of_table(source)
    else:
        yield from _of_lines(source)


def _of_state(name: str, state: Any) -> Found:
    if not isinstance(state, dict) or not isinstance(given := state.get("instance_id_to_label_to_value"), dict):
        yield Fault(name or "file", f"has no instance_id_to_label_to_value; is it a {STATE} of Potato?")
        return
    for item, pairs in given.items():
        result: dict[str, dict[str, Any]] = {}
        for pair in listed(pairs):
            told = named(pair[0]) if isinstance(pair, list) and len(pair) == 2 else {}
            if isinstance(told.get("schema"), str) and isinstance(told.get("name"), str):
                result.setdefault(told["schema"], {})[told["name"]] = pair[1]
        where = f"{name}, {item}" if name else str(item)
        yield _record(where, item, state.get("user_id"), result)


def _of_lines(source: Source) -> Found:
    for where, line in lines(source.only):
        if isinstance(line, Fault):
            yield line
        elif missing := sorted(KNOWN_BY - line.keys()):
            yield Fault(where, f"has no {', '.join(missing)}; is it an export of Potato?")
        else:
            result = {name: named(value) for name, value in named(line.get("labels")).items()}
            yield _record(where, line["instance_id"], line["user_id"], result)


def _of_table(source: Source) -> Iterator[Record | Fault]:
    delimiter = delimiter_of(source.only, source.name)
    header = header_of(source.only, delimiter=delimiter)
    if missing := sorted(KNOWN_BY - set(header)):
        raise refused("line 1", f"has no {', '.join(missing)}; is it an export of Potato?")
    for number, row in cells(source.only, {name: name for name in header}, delimiter=delimiter):
        where = f"line {number}"
        if isinstance(row, Fault):
            yield row.under(where)
            continue
        result: dict[str, dict[str, Any]] = {}
        for name, cell in row.items():
            scheme, dot, label = name.partition(".")
            if dot and cell:
                result.setdefault(scheme, {})[label] = cell
        yield _record(where, row["instance_id"], row["user_id"], result)


def _record(where: str, item: Any, annotator: Any, result: dict[str, dict[str, Any]]) -> Record:
    told = {scheme: _said(names) for scheme, names in result.items()}
    values = {ITEM: item, ANNOTATOR: annotator, "result": told}
    if len(told) == 1:
        values[LABEL] = next(iter(told.values()))
    return Record(where, values)


def _said(names: dict[str, Any]) -> Any:
    """What one scheme was set to: a choice's name or what it holds beside it, such as a point or a text; else all."""
    if len(names) != 1:
        return names
    name, value = next(iter(names.items()))
    plain = str(value).strip() if isinstance(value, str | int | float | bool) else ""
    return name if plain.casefold() in CHOSEN else plain
