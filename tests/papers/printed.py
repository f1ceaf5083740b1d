"""The tables that docs/papers/ print, to be held against what the commands make of the whole data."""

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from comparison.statistics.estimate import Estimate
from tests.papers.commands import text_of

# `.664 [.641, .687]`, `1.00 [.97, 1.00]`: as many digits as the page gives.
FIGURE = re.compile(r"(?<![\d.−])(−?\d*\.\d+) \[(−?\d*\.\d+), (−?\d*\.\d+)\]")


def tables(name: str, section: str) -> list[list[dict[str, str]]]:
    """Each table of the section, a row as its cells by heading; what is bold is plain here."""
    found: list[list[dict[str, str]]] = []
    head: list[str] = []
    for line in text_of(name, [section]).splitlines():
        if not line.startswith("|"):
            head = []
            continue
        cells = [cell.strip().replace("**", "") for cell in line.strip("|").split("|")]
        if not head:
            head = cells
            found.append([])
        elif not set(line) <= set("|- "):
            found[-1].append(dict(zip(head, cells, strict=True)))
    return found


def figure_in(cell: str) -> str:
    """The one figure with its interval that a cell of a page has."""
    [found] = FIGURE.findall(cell)
    value, low, high = found
    return f"{value} [{low}, {high}]"


def digits_of(figure: str) -> int:
    return len(figure.split(" ")[0].split(".")[1])


def made(row: Mapping[str, str], like: str, *, value: str = "estimate") -> str:
    """The figure of an exported line, with as many digits as the page's."""
    return Estimate(float(row[value]), float(row["low"]), float(row["high"]), n=int(row["n"])).to(digits_of(like))


def rows_of(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)
