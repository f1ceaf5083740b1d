"""The BLiMP importer: one JSONL file of a paradigm, or a folder of them, becomes a choice between two sentences."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from corpus.arguments import slug_of
from corpus.errors import Fault, SourceError
from corpus.source_text import JsonLine, json_lines, read_text
from stimuli.datasets.published import DataSet, Reading, field_faults
from stimuli.making.settings import settings

TEXTS = ("sentence_good", "sentence_bad", "field", "linguistics_term", "UID", "pairID")
METHODS = {"simple_LM_method": "simple", "one_prefix_method": "one prefix", "two_prefix_method": "two prefix"}
FLAGS = (*METHODS, "lexically_identical")


def read(source: Path, limit: int | None, options: dict[str, Any]) -> Reading:
    """A study of every pair; `limit` keeps the first pairs of each paradigm. SourceError with every fault."""
    files = sorted(source.glob("*.jsonl")) if source.is_dir() else [source]
    if not files:
        raise SourceError(source, [Fault("folder", "contains no .jsonl files")])
    read = {path: _entries(path) for path in files}
    _refuse_repeated(source, read)
    rows, aside = _items_of(read, limit)
    study = settings(slug=slug_of(source, prefix="blimp"), title=f"BLiMP, {source.stem}", whole_sentences=True)
    counts = {
        "files": len(files),
        "pairs_in_files": sum(map(len, read.values())),
        "set_aside": len(aside),
        "items": len(rows),
        "items_by_paradigm": dict(Counter(row.attributes["paradigm"] for row in rows)),
    }
    return Reading(
        settings=study,
        rows=rows,
        sources=files,
        options={"limit": limit},
        counts=counts,
        dropped=aside,
        summary=[
            f"{counts['pairs_in_files']} pairs in {counts['files']} {'file' if len(files) == 1 else 'files'}, "
            f"{counts['items']} items made, {counts['set_aside']} set aside"
        ],
    )


def _items_of(read: dict[Path, list[JsonLine]], limit: int | None) -> tuple[list[ItemRow], list[dict[str, Any]]]:
    """The items, and the pairs that cannot become one."""
    rows: list[ItemRow] = []
    aside: list[dict[str, Any]] = []
    for path, lines in read.items():
        for line in lines[:limit]:
            if line.value["sentence_good"].strip() == line.value["sentence_bad"].strip():
                aside.append({"file": path.name, "line": line.number, "why": "the two sentences are the same"})
            else:
                rows.append(_row(line.value))
    return rows, aside


def _entries(path: Path) -> list[JsonLine]:
    """The lines of one file; SourceError with every fault."""
    lines = list(json_lines(read_text(path)))
    faults = [fault for line in lines for fault in ([line.fault] if line.fault else _faults(line))]
    if not lines:
        faults.append(Fault("file", "contains no pairs"))
    if faults:
        raise SourceError(path, faults)
    return lines


def _faults(line: JsonLine) -> list[Fault]:
    value = line.value
    faults = field_faults(value, (*TEXTS, *FLAGS), texts=TEXTS, may_have_more=True)
    faults += [
        Fault(name, "must be true or false") for name in FLAGS if name in value and not isinstance(value[name], bool)
    ]
    faults += [
        Fault(name, f"{value[name]!r} must be letters, digits, - and _, 60 at most")
        for name in ("UID", "pairID")
        if not faults and not re.fullmatch(r"[A-Za-z0-9_-]{1,59}", value[name])
    ]
    return [fault.under(line.where) for fault in faults]


def _refuse_repeated(source: Path, read: dict[Path, list[JsonLine]]) -> None:
    faults = []
    seen: dict[str, str] = {}
    for path, lines in read.items():
        for line in lines:
            where = line.where if len(read) == 1 else f"{path.name}, {line.where}"
            name = _id(line.value)
            if name in seen:
                faults.append(Fault(f"{where}.pairID", f"{name} was already used on {seen[name]}"))
            seen.setdefault(name, where)
    if faults:
        raise SourceError(source, faults)


def _id(value: dict[str, Any]) -> str:
    return f"{value['UID']}-{value['pairID']}"


def _row(value: dict[str, Any]) -> ItemRow:
    attributes = {
        "phenomenon": value["linguistics_term"],
        "field": value["field"],
        "paradigm": value["UID"],
        "methods": ", ".join(name for flag, name in METHODS.items() if value[flag]),
        "same_words": "yes" if value["lexically_identical"] else "no",
    }
    options = {"grammatical": value["sentence_good"], "ungrammatical": value["sentence_bad"]}
    return ItemRow(_id(value), {"options": options}, "target", "grammatical", attributes)


IMPORTER = DataSet(
    key="blimp",
    help="BLiMP (Warstadt et al. 2020): a paradigm's JSONL file, or a folder of them",
    paper=(
        "Warstadt, Parrish, Liu, Mohananey, Peng, Wang and Bowman (2020). BLiMP: The Benchmark of Linguistic Minimal "
        "Pairs for English. TACL 8"
    ),
    license="CC BY 4.0",
    takes_folder=True,
    read=read,
)
