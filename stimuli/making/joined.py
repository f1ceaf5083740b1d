"""A table of attributes joined to the items of a made study by the value of one: adverbs and their intensities."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from corpus import source_text
from corpus.decimals import decimal, is_absent
from corpus.errors import Fault, SourceError
from corpus.provenance import source_facts
from stimuli.making.contract import MadeStudy

DELIMITERS = {".tsv": "\t", ".txt": "\t"}
# Of keys that no item has, or that the table lacks, so many are named.
NAMED = 5


@dataclass(frozen=True, slots=True)
class Join:
    """`table` has a row for each value of the attribute `on`, in its column `key`; all others become attributes.

    `heads` name the columns of a table without a first line that does; empty: its first line does. `skips_incomplete`
    leaves out, and lists, rows with more or fewer cells.
    """

    table: Path
    on: str
    key: str
    heads: tuple[str, ...] = ()
    skips_incomplete: bool = False


def join_table(study: MadeStudy, join: Join) -> MadeStudy:
    """The study with the table's columns as attributes of its items; SourceError with every fault of the table.

    A column whose every cell is a number is declared as such in study.toml. Values that the table lacks, or that no
    item has, are counted and named; where nothing fits at all, the table is refused.
    """
    heads, lines, skipped = _read(join)
    there = {row.attributes[join.on] for row in study.rows if row.attributes.get(join.on)}
    if not there:
        known = ", ".join(sorted({name for row in study.rows for name in row.attributes})) or "none"
        raise SourceError(join.table, [Fault("--on", f"no item has the attribute {join.on!r}; there are: {known}")])
    table = _by_key(join, heads, lines)
    if not there & table.keys():
        raise SourceError(join.table, [Fault("file", f"has none of the values of {join.on!r} that items have")])
    names = [name for name in heads if name != join.key]
    taken = sorted({name for row in study.rows for name in row.attributes} & set(names))
    if taken:
        raise SourceError(join.table, [Fault(name, "items have an attribute of this name already") for name in taken])
    numeric = [name for name in names if _is_number([table[key][name] for key in there & table.keys()])]
    without = sorted(there - table.keys())
    facts: dict[str, Any] = {"table": source_facts(join.table), "on": join.on, "columns": names, "numbers": numeric}
    facts |= {"without": without, "incomplete": skipped}
    return replace(
        study,
        rows=[_with_cells(row, table.get(row.attributes.get(join.on, ""), {}), names) for row in study.rows],
        settings=declaring(study.settings, numeric),
        manifest=study.manifest | {"joined": [*study.manifest.get("joined", []), facts]},
        summary=[*study.summary, *_summary(join, names, numeric, there, without, len(table)), *_left_out(skipped)],
    )


def _with_cells(row: ItemRow, cells: Mapping[str, str], names: Sequence[str]) -> ItemRow:
    """Empty cells are no attributes."""
    return replace(row, attributes=row.attributes | {name: cells[name] for name in names if cells.get(name)})


def declaring(settings: dict[str, Any], numeric: Sequence[str]) -> dict[str, Any]:
    """study.toml with these attributes as numbers, beside those that it has."""
    if not numeric:
        return settings
    results = settings.get("results", {})
    return settings | {"results": results | {"numbers": list(dict.fromkeys([*results.get("numbers", []), *numeric]))}}


def _read(join: Join) -> tuple[tuple[str, ...], list[tuple[int, list[str]]], list[str]]:
    """The names of the columns, the rows with their lines, and what was left out; SourceError with every fault."""
    faults: list[Fault] = []
    found: list[tuple[int, list[str]]] = []
    delimiter = DELIMITERS.get(join.table.suffix.lower(), ",")
    try:
        data = join.table.read_bytes()
    except OSError as error:
        raise SourceError(join.table, [Fault("file", f"cannot be read: {error.strerror}")]) from None
    for line, row in source_text.rows(data, delimiter=delimiter, quoted=delimiter == ","):
        if isinstance(row, Fault):
            faults.append(row.under(f"line {line}"))
        else:
            found.append((line, [cell.strip() for cell in row]))
    heads = join.heads or (tuple(found.pop(0)[1]) if found else ())
    faults += list(_faults_of_heads(join, heads)) if not faults else []
    incomplete = [
        Fault(f"line {line}", f"has {_counted(len(row))}, not {len(heads)}: {delimiter.join(row)[:60]!r}")
        for line, row in found
        if len(row) != len(heads)
    ]
    if not join.skips_incomplete:
        faults += incomplete
    if faults:
        raise SourceError(join.table, faults)
    whole = [(line, row) for line, row in found if len(row) == len(heads)]
    return heads, whole, [f"{fault.field}: {fault.message}" for fault in incomplete]


def _faults_of_heads(join: Join, heads: Sequence[str]) -> Iterator[Fault]:
    if join.key not in heads:
        yield Fault("file", f"has no column {join.key!r}; there are: {', '.join(heads) or 'none'}")
    if not all(heads) or len(set(heads)) < len(heads):
        yield Fault("file", "must name every column, and each otherwise")
    if len(heads) < 2:
        yield Fault("file", "must have a column besides that of the values to join on")


def _by_key(join: Join, heads: Sequence[str], lines: list[tuple[int, list[str]]]) -> dict[str, Mapping[str, str]]:
    """Each row's cells by its key; a key that comes twice must say the same."""
    faults: list[Fault] = []
    table: dict[str, Mapping[str, str]] = {}
    first: dict[str, int] = {}
    for line, row in lines:
        cells = dict(zip(heads, row, strict=True))
        key = cells[join.key]
        if key in table and table[key] != cells:
            faults.append(Fault(f"line {line}", f"{key!r} is on line {first[key]} already, with other cells"))
        table.setdefault(key, cells)
        first.setdefault(key, line)
    if faults:
        raise SourceError(join.table, faults)
    return table


def _is_number(cells: Sequence[str]) -> bool:
    given = [cell for cell in cells if not is_absent(cell)]
    return bool(given) and not any(isnan(decimal(cell)) for cell in given)


def _counted(cells: int) -> str:
    return "1 cell" if cells == 1 else f"{cells} cells"


def _summary(
    join: Join, names: list[str], numeric: list[str], there: set[str], without: list[str], keys: int
) -> Iterator[str]:
    numbers = f"; numbers: {', '.join(numeric)}" if numeric else ""
    yield (
        f"joined {', '.join(names)} of {join.table.name} on {join.on}: {len(there) - len(without)} of {len(there)} "
        f"values are among its {keys}{numbers}"
    )
    if without:
        more = f" and {len(without) - NAMED} more" if len(without) > NAMED else ""
        yield f"not in the table: {', '.join(without[:NAMED])}{more}"


def _left_out(skipped: list[str]) -> Iterator[str]:
    if skipped:
        yield f"left out of the table, {len(skipped)}:"
    yield from (f"  {line}" for line in skipped)
