"""Tables that others have published: read whole, each row with its line, every fault named."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.delimited import rows
from corpus.errors import Fault, SourceError
from corpus.source_text import source_bytes


@dataclass(frozen=True, slots=True)
class Line:
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


def read_table(path: Path, *, columns: Sequence[str], delimiter: str = ",", quoted: bool = True) -> list[Line]:
    """The rows below a heading that names at least these columns; SourceError with every fault."""
    header: list[str] = []
    faults: list[Fault] = []
    lines: list[Line] = []
    for number, cells in rows(source_bytes(path), delimiter=delimiter, quoted=quoted):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {number}"))
        elif not header:
            header = [cell.strip() for cell in cells]
            missing = [name for name in columns if name not in header]
            faults += [Fault(f"line {number}.{name}", "is missing as a column") for name in missing]
            faults += [Fault(f"line {number}.{name}", "is given twice") for name in columns if header.count(name) > 1]
            if faults:
                break
        else:
            lines += _line(number, header, cells, faults)
    return _sound(path, lines, faults)


def read_plain_table(path: Path, *, columns: Sequence[str]) -> list[Line]:
    """The rows of a tab-separated file without a heading, which has just these columns and no quotes."""
    faults: list[Fault] = []
    lines: list[Line] = []
    data = source_bytes(path)
    for number, cells in rows(data, delimiter="\t", quoted=False):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {number}"))
        else:
            lines += _line(number, list(columns), cells, faults)
    if not faults and lines and not data.endswith(b"\n"):
        # Nothing else tells a sentence that was cut off from a whole one.
        faults.append(Fault(f"line {lines[-1].number}", "is cut off: no line break follows it; add one if it is whole"))
    return _sound(path, lines, faults)


def one_of(line: Line, column: str, known: Sequence[str]) -> list[Fault]:
    """The fault of a cell that is none of the values it may have."""
    if line[column] in known:
        return []
    return [Fault(f"{line.where}.{column}", f"{line[column]!r} is not one of {', '.join(known)}")]


def filled(line: Line, column: str) -> list[Fault]:
    """The fault of a cell that is empty."""
    return [] if line[column].strip() else [Fault(f"{line.where}.{column}", "is empty")]


def _line(number: int, header: list[str], cells: list[str], faults: list[Fault]) -> list[Line]:
    if len(cells) != len(header):
        faults.append(Fault(f"line {number}", f"has {len(cells)} cells instead of {len(header)}"))
        return []
    return [Line(number, dict(zip(header, cells, strict=True)))]


def _sound(path: Path, lines: list[Line], faults: list[Fault]) -> list[Line]:
    if not faults and not lines:
        faults.append(Fault("file", "holds no rows"))
    if faults:
        raise SourceError(path, faults)
    return lines
