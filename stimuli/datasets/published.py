"""What others have published: a data set's items become a study, and its tables are read whole, every fault named."""

import gzip
import lzma
import zlib
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from annotation.elsewhere.labelfile import LabelRow
from annotation.itemfile import ItemRow
from annotation.tasktypes import task_type
from corpus.errors import Fault, SourceError
from corpus.source_text import rows, source_bytes
from stimuli.making.contract import BuiltStudy
from stimuli.making.study_folder import manifest

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a file became. `settings` is study.toml, with the slug and the title that it has where none is asked for.

    `sources` are all files that were read, `options` what was asked; `counts`, `dropped` and `notes` (what only this
    data set says) stand in the manifest, `summary` at the terminal. `packages` are libraries whose version can change
    the outcome; `paper` is named beside the data set's own. `labels_note` is what else is to be known of the labels.
    """

    settings: dict[str, Any]
    rows: list[ItemRow]
    sources: Sequence[Path]
    options: dict[str, Any]
    counts: dict[str, Any]
    summary: list[str]
    dropped: Sequence[Any] = ()
    notes: dict[str, Any] = field(default_factory=dict)
    labels: list[LabelRow] = field(default_factory=list)
    labels_note: str = ""
    packages: Sequence[str] = ()
    paper: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """One published data set (an Importer): whose it is, its options, and `read`, which makes items of its file.

    `read` gets the file, how many entries to keep and the options; it raises SourceError with every fault. The version
    is raised where the same file becomes other items.
    """

    key: str
    help: str
    paper: str
    license: str
    read: Callable[[Path, int | None, dict[str, Any]], Reading]
    version: str = "1"
    declare: Callable[[ArgumentParser], None] | None = None
    takes_folder: bool = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        if self.declare is not None:
            self.declare(parser)

    def load(self, source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> BuiltStudy:
        reading = self.read(source, limit, options)
        names = {name: value for name, value in (("slug", slug), ("title", title)) if value}
        return BuiltStudy(
            settings=reading.settings | names,
            rows=reading.rows,
            labels=reading.labels,
            labels_note=" ".join(f"{text}." for text in (self.paper, self.license, reading.labels_note) if text),
            manifest=manifest(
                maker=f"import_study {self.key}",
                maker_version=self.version,
                paper="; ".join(filter(None, (self.paper, reading.paper))),
                license=self.license,
                task=task_type(reading.settings["task"]["type"]),
                sources=reading.sources,
                options=reading.options,
                counts=reading.counts,
                dropped=reading.dropped,
                packages=reading.packages,
                **reading.notes,
            ),
            summary=reading.summary,
        )


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One row: the line it begins on, and its cells by column."""

    number: int
    cells: dict[str, str]

    @property
    def where(self) -> str:
        return f"line {self.number}"

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def __contains__(self, column: str) -> bool:
        return column in self.cells


def read_table(path: Path, *, columns: Sequence[str], delimiter: str = ",") -> list[SourceLine]:
    """The rows below a heading that names at least these columns; SourceError with every fault. It may be packed."""
    header: list[str] = []
    faults: list[Fault] = []
    lines: list[SourceLine] = []
    for number, cells in rows(_unpacked(path), delimiter=delimiter):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {number}"))
        elif not header:
            header = [cell.strip() for cell in cells]
            missing = [name for name in columns if name not in header]
            faults += [Fault(f"line {number}.{name}", "is missing: there is no such column") for name in missing]
            faults += [Fault(f"line {number}.{name}", "is given twice") for name in columns if header.count(name) > 1]
            if faults:
                break
        else:
            lines += _line(number, header, cells, faults)
    return _sound(path, lines, faults)


def _unpacked(path: Path) -> bytes:
    """The file's bytes, of a .gz or .xz those within."""
    data = source_bytes(path)
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix.lower())
    if unpack is None:
        return data
    try:
        return unpack(data)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        raise SourceError(path, [Fault("file", "cannot be unpacked: it is damaged or cut off")]) from None


def read_plain_table(path: Path, *, columns: Sequence[str]) -> list[SourceLine]:
    """The rows of a tab-separated file without a heading, which has just these columns and no quotes."""
    faults: list[Fault] = []
    lines: list[SourceLine] = []
    data = source_bytes(path)
    for number, cells in rows(data, delimiter="\t", quoted=False):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {number}"))
        else:
            lines += _line(number, list(columns), cells, faults)
    if not faults and lines and not data.endswith(b"\n"):
        # Nothing else tells a sentence that was cut off from a whole one.
        faults.append(
            Fault(f"line {lines[-1].number}", "may be truncated: it has no line break; add one if it is complete")
        )
    return _sound(path, lines, faults)


def field_faults(
    value: Mapping[str, Any], fields: Sequence[str], *, texts: Sequence[str], may_have_more: bool = False
) -> list[Fault]:
    """What is wrong with the fields of an object: missing, not known, or a text that is none."""
    faults = [Fault(name, "is missing") for name in fields if name not in value]
    if not may_have_more:
        hint = f"is not known; use one of: {', '.join(fields)}"
        faults += [Fault(name, hint) for name in value if name not in fields]
    present = [name for name in texts if name in value]
    is_text = {name: isinstance(value[name], str) and bool(value[name].strip()) for name in present}
    return faults + [Fault(name, "must be non-empty text") for name in present if not is_text[name]]


def sharing(entries: Iterable[Entry], key: Callable[[Entry], Hashable]) -> list[list[Entry]]:
    """Those that share a key with another, key by key."""
    by_key: dict[Hashable, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_key[key(entry)].append(entry)
    return [those for those in by_key.values() if len(those) > 1]


def one_of(line: SourceLine, column: str, allowed: Sequence[str]) -> list[Fault]:
    """The fault of a cell that is none of the values it may have."""
    if line[column] in allowed:
        return []
    return [Fault(f"{line.where}.{column}", f"{line[column]!r} is not one of {', '.join(allowed)}")]


def filled(line: SourceLine, column: str) -> list[Fault]:
    """The fault of a cell that is empty."""
    return [] if line[column].strip() else [Fault(f"{line.where}.{column}", "is empty")]


def _line(number: int, header: list[str], cells: list[str], faults: list[Fault]) -> list[SourceLine]:
    if len(cells) != len(header):
        faults.append(Fault(f"line {number}", f"has {len(cells)} cells instead of {len(header)}"))
        return []
    return [SourceLine(number, dict(zip(header, cells, strict=True)))]


def _sound(path: Path, lines: list[SourceLine], faults: list[Fault]) -> list[SourceLine]:
    if not faults and not lines:
        faults.append(Fault("file", "contains no rows"))
    if faults:
        raise SourceError(path, faults)
    return lines
