"""The published sheet, items_bert_large_cased.csv: one row an item, with what BERT-large answered. Checked whole."""

import json
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import Fault, SourceError
from stimuli.constructions.intensifiers.word_lists import ADVERBS
from stimuli.datasets.published import read_table

TEXTS = ("adjective", "sentence", "negative")
RANKS = ("rank_not", "rank_adv")
PROBABILITIES = ("prob_not", "prob_adv")
COLUMNS = ("idx", "adverb", "adverb_raw", *TEXTS, "rank_not", "prob_not", "rank_adv", "prob_adv", "top10")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row as published. `negative` is the authors' sentence with "not"."""

    line: int
    idx: int
    adverb: str
    adjective: str
    sentence: str
    negative: str


def read_sheet(path: Path) -> list[SheetRow]:
    """All rows in the file's order; SourceError with every fault, by line and column."""
    faults: list[Fault] = []
    rows: list[SheetRow] = []
    seen: dict[str, int] = {}
    for row in read_table(path, columns=COLUMNS):
        line, cells = row.number, row.cells
        found = _faults(cells)
        if cells["idx"] in seen:
            found.append(Fault("idx", f"{cells['idx']} was already used on line {seen[cells['idx']]}"))
        seen.setdefault(cells["idx"], line)
        if not found:
            texts = {name: cells[name] for name in TEXTS}
            rows.append(SheetRow(line, int(cells["idx"]), cells["adverb"], **texts))
        faults += [fault.under(f"line {line}") for fault in found]
    if faults:
        raise SourceError(path, faults)
    return rows


def _faults(cells: dict[str, str]) -> list[Fault]:
    faults = [Fault(name, "is empty") for name in TEXTS if not cells[name].strip()]
    faults += [
        Fault(name, f"{cells[name]!r} is not a whole number") for name in ("idx", *RANKS) if not _whole(cells[name])
    ]
    faults += [
        Fault(name, f"{cells[name]!r} is not a probability") for name in PROBABILITIES if not _share(cells[name])
    ]
    if cells["adverb"] not in ADVERBS:
        faults.append(Fault("adverb", f"{cells['adverb']!r} is not one of {', '.join(ADVERBS)}"))
    elif cells["adverb_raw"].strip() != cells["adverb"]:
        faults.append(Fault("adverb_raw", f"{cells['adverb_raw']!r} is another word than {cells['adverb']!r}"))
    if not _is_list(cells["top10"]):
        faults.append(Fault("top10", "is not a list in JSON"))
    return faults


def _whole(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _share(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def _is_list(text: str) -> bool:
    try:
        return isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return False
