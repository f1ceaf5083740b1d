"""The published intensifier sheet (items_bert_large_cased.csv): its sentences are choices between adverb and "not"."""

import html
import json
import re
from argparse import ArgumentParser
from collections import Counter
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from corpus.arguments import Help
from corpus.errors import Fault, SourceError
from stimuli.constructions.intensifiers.bigrams import Bigrams, read_bigrams
from stimuli.constructions.intensifiers.negation import NATURAL
from stimuli.constructions.intensifiers.options import ADVERBS, NEGATION
from stimuli.constructions.intensifiers.rows import intensifier_settings, item
from stimuli.datasets.published import DataSet, Reading, read_table

TEXTS = ("adjective", "sentence", "negative")
RANKS = ("rank_not", "rank_adv")
PROBABILITIES = ("prob_not", "prob_adv")
COLUMNS = ("idx", "adverb", "adverb_raw", *TEXTS, "rank_not", "prob_not", "rank_adv", "prob_adv", "top10")
# Comments often lack the space after a point: "at all times.Some say".
SENTENCE_BREAK = re.compile(r"(?<=[a-z\"'”’)][.!?])(?:[\"'”’)]*\s+(?=\S)|(?=[A-Z]))|(?<=[.!?])[\"'”’)]*\s+(?=\S)")
DIFFERS = "published negative differs"
# How alike (0 to 1, difflib) two spellings of one adjective are at least: "consistant", "consistent".
SAME_WORD = 0.8
# What an item says whose sentence does not end as its row does.
NOT_AT_END = "adverb and adjective not at the end"
NOT_THERE = "adjective not after the adverb"


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
        row_faults = _faults(cells)
        if cells["idx"] in seen:
            row_faults.append(Fault("idx", f"{cells['idx']} was already used on line {seen[cells['idx']]}"))
        seen.setdefault(cells["idx"], line)
        if not row_faults:
            texts = {name: cells[name] for name in TEXTS}
            rows.append(SheetRow(line, int(cells["idx"]), cells["adverb"], **texts))
        faults += [fault.under(f"line {line}") for fault in row_faults]
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


@dataclass(frozen=True, slots=True)
class Converted:
    """Items, and a note for every row that is not as published or not there."""

    rows: list[ItemRow] = field(default_factory=list)
    dropped: list[dict[str, object]] = field(default_factory=list)
    adjusted: list[dict[str, object]] = field(default_factory=list)
    negatives: list[dict[str, object]] = field(default_factory=list)


def convert(rows: list[SheetRow], bigrams: Bigrams | None) -> Converted:
    """One item for each row, in the same order, but for those without their adverb: there is no place for a slot.

    Where the adjective of the sheet is not the one at the end, the row stays, because published totals count it.
    """
    converted = Converted()
    for row in rows:
        text = tidied(row.sentence)
        slot = _end(row, text) or _elsewhere(row, text)
        if slot is None:
            why = f"has no {row.adverb!r}, so no place for the slot"
            converted.dropped.append({"idx": row.idx, "line": row.line, "why": why})
            continue
        if text != " ".join(row.sentence.split()):
            _adjusted(converted, row, "HTML entities and marks of quoting removed")
        at, adjective, note = slot
        if note:
            _adjusted(converted, row, f"{note} ({row.adjective!r} on the sheet): kept, the slot is {text[at:][:60]!r}")
        if adjective != row.adjective:
            _adjusted(converted, row, f"{adjective!r} in the sentence, {row.adjective!r} on the sheet")
        negation = _negation(row, text, at, converted)
        attributes = {"sheet": note} if note else {}
        attributes |= bigrams.attributes(row.adverb, adjective) if bigrams else {}
        converted.rows.append(_item(row, adjective, text, at, negation, attributes))
    return converted


def _end(row: SheetRow, text: str) -> tuple[int, str, str] | None:
    """Where the adverb at the end stands, the adjective after it (the sheet's or the sentence's spelling), no note."""
    match = re.search(rf"\b{row.adverb}\s+{re.escape(row.adjective)}(?!\w)(?=\W*$)", text, re.IGNORECASE)
    if match is not None:
        return match.start(), row.adjective, ""
    other = re.search(rf"\b{row.adverb}\s+([\w'’-]+)(?=\W*$)", text, re.IGNORECASE)
    if other is None or SequenceMatcher(None, other[1].casefold(), row.adjective.casefold()).ratio() < SAME_WORD:
        return None
    return other.start(), other[1], ""


def _elsewhere(row: SheetRow, text: str) -> tuple[int, str, str] | None:
    """The last adverb with the sheet's adjective, or the last adverb at all, the sheet's adjective, and what is odd."""
    for adjective, note in ((rf"\s+{re.escape(row.adjective)}(?!\w)", NOT_AT_END), ("", NOT_THERE)):
        matches = list(re.finditer(rf"\b{row.adverb}\b{adjective}", text, re.IGNORECASE))
        if matches:
            return matches[-1].start(), row.adjective, note
    return None


def _adjusted(converted: Converted, row: SheetRow, why: str) -> None:
    converted.adjusted.append({"idx": row.idx, "line": row.line, "why": why})


def tidied(text: str) -> str:
    """On one line, HTML entities undone, and without the > with which comments quote others."""
    lines = (re.sub(r"^\s*>+\s*", "", line) for line in html.unescape(text).splitlines())
    return " ".join(" ".join(lines).split())


def _negation(row: SheetRow, text: str, at: int, converted: Converted) -> str:
    """Whether the authors put "not" for the adverb and left the rest; what they wrote otherwise is kept."""
    expected = text[:at] + NEGATION + text[at + len(row.adverb) :]
    published = tidied(row.negative)
    if _bare(published) == _bare(expected):
        return NATURAL
    converted.negatives.append({"idx": row.idx, "line": row.line, "negative": published})
    return DIFFERS


def _bare(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _item(row: SheetRow, adjective: str, text: str, at: int, negation: str, attributes: dict[str, str]) -> ItemRow:
    breaks = [match.end() for match in SENTENCE_BREAK.finditer(text, 0, at)]
    start = breaks[-1] if breaks else 0
    return item(
        identity=f"{row.adverb}-{row.idx}",
        context=text[:start].strip(),
        sentence=text[start:],
        at=at - start,
        adverb=row.adverb,
        adjective=adjective,
        negation=negation,
        attributes=attributes,
    )


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--bigrams",
        type=Path,
        metavar="FILE",
        help=Help("frequencies to attach: a CSV with adverb, adjective, ln_ngram_freq", "Frequencies"),
    )


def read(source: Path, limit: int | None, options: dict[str, Any]) -> Reading:
    """A study of the sheet's rows. SourceError, with every fault, if a file is not as it should be."""
    rows = read_sheet(source)
    table: Path | None = options.get("bigrams")
    bigrams = read_bigrams(table) if table else None
    converted = convert(rows[:limit], bigrams)
    counts = _counts(len(rows), len(rows[:limit]), converted)
    return Reading(
        settings=intensifier_settings("intensifiers-published", "Intensifier or negation: the published sentences"),
        rows=converted.rows,
        sources=[path for path in (source, table) if path],
        options={"limit": limit},
        counts=counts,
        dropped=converted.dropped,
        notes={
            "adjusted": converted.adjusted,
            "published_negatives": converted.negatives,
            "bigrams": {"table": bigrams.name, "ln_frequency": bigrams.about} if bigrams else None,
        },
        summary=_summary(counts, converted),
    )


def _counts(published: int, read: int, converted: Converted) -> dict[str, Any]:
    adverbs = Counter(row.attributes["adverb"] for row in converted.rows)
    negations = Counter(row.attributes["negation"] for row in converted.rows)
    return {
        "rows_in_file": published,
        "rows_taken": read,
        "dropped": len(converted.dropped),
        "items": len(converted.rows),
        "sentence_does_not_end_as_the_row": sum("sheet" in row.attributes for row in converted.rows),
        "by_adverb": {adverb: adverbs[adverb] for adverb in sorted(adverbs)},
        "not_for_the_adverb": negations[NATURAL],
        "negative_differs_by_more": len(converted.negatives),
    }


def _summary(counts: dict[str, Any], converted: Converted) -> list[str]:
    lines = [
        f"{counts['rows_taken']} of {counts['rows_in_file']} rows taken, {counts['items']} items made, "
        f"{counts['dropped']} rows dropped; in {counts['negative_differs_by_more']} the published negative "
        "differs by more than one word",
        "by adverb: " + ", ".join(f"{adverb} {count}" for adverb, count in counts["by_adverb"].items()),
    ]
    lines += [
        f"kept, but noted: {row.id}, {row.attributes['sheet']}" for row in converted.rows if "sheet" in row.attributes
    ]
    lines += [f"dropped: idx {one['idx']} (line {one['line']}), {one['why']}" for one in converted.dropped]
    return lines


IMPORTER = DataSet(
    key="intensifiers",
    help="the intensifier sheet of Lorge and Pierrehumbert, items_bert_large_cased.csv",
    paper="Lorge and Pierrehumbert (2023). Not wacky vs. definitely wacky. BlackboxNLP 2023",
    license="none given; the sentences are Reddit comments of 2015",
    version="4",
    declare=add_arguments,
    read=read,
)
