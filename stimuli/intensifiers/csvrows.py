"""CSV with a heading, read whole: cells may hold line breaks, and every row knows the line that it begins on."""

import csv
from collections.abc import Sequence
from pathlib import Path

from annotation.tasktypes.contract import Fault
from stimuli.contract import SourceError


def read_rows(path: Path, columns: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """All rows with the line of each. SourceError, with every fault, for a file that lacks one of the columns,
    is not UTF-8, or has a row that is too short, too long or cut off.
    """
    lines = _text(path).splitlines(keepends=True)
    reader = csv.reader(lines, strict=True)
    heading: list[str] = []
    rows: list[tuple[int, dict[str, str]]] = []
    faults: list[Fault] = []
    line = 1
    try:
        for cells in reader:
            if not heading:
                heading = _heading(path, cells, columns)
            elif cells and len(cells) != len(heading):
                faults.append(
                    Fault(f"line {line}", _wrong_length(cells, heading, is_last=reader.line_num == len(lines)))
                )
            elif cells:
                rows.append((line, dict(zip(heading, cells, strict=True))))
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(Fault(f"line {line}", f"is cut off or wrongly quoted ({error})"))
    if not faults and not rows:
        faults.append(Fault("file", "holds no rows"))
    if faults:
        raise SourceError(path, faults)
    return rows


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(path, [Fault("file", f"cannot be read: {error.strerror}")]) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        wrong = f"is not UTF-8 text (byte 0x{data[error.start]:02x})"
        raise SourceError(path, [Fault(f"line {line}", wrong)]) from None


def _heading(path: Path, cells: list[str], columns: Sequence[str]) -> list[str]:
    heading = [cell.strip() for cell in cells]
    missing = [
        Fault(f"line 1.{name}", f"no such column; there are {', '.join(heading)}")
        for name in columns
        if name not in heading
    ]
    if missing:
        raise SourceError(path, missing)
    return heading


def _wrong_length(cells: list[str], heading: list[str], *, is_last: bool) -> str:
    cut_off = "; the file is cut off here" if is_last and len(cells) < len(heading) else ""
    return f"has {len(cells)} columns instead of {len(heading)}{cut_off}"
