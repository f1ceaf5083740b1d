"""From the sheet's rows to items: where the slot is, what is context, and what the authors' negative tells."""

import html
import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from annotation.itemfile import ItemRow
from stimuli.constructions.intensifiers.bigrams import Bigrams
from stimuli.constructions.intensifiers.negation import NATURAL
from stimuli.constructions.intensifiers.rows import item
from stimuli.constructions.intensifiers.word_lists import NEGATION
from stimuli.datasets.intensifier_sheet.sheet import SheetRow

# Comments often lack the space after a point: "at all times.Some say".
SENTENCE_BREAK = re.compile(r"(?<=[a-z\"'”’)][.!?])(?:[\"'”’)]*\s+(?=\S)|(?=[A-Z]))|(?<=[.!?])[\"'”’)]*\s+(?=\S)")
DIFFERS = "published negative differs"
# How alike (0 to 1, difflib) two spellings of one adjective are at least: "consistant", "consistent".
SAME_WORD = 0.8
# What an item says whose sentence does not end as its row does.
NOT_AT_END = "adverb and adjective not at the end"
NOT_THERE = "adjective not after the adverb"


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
        found = _end(row, text) or _elsewhere(row, text)
        if found is None:
            why = f"has no {row.adverb!r}, so no place for the slot"
            converted.dropped.append({"idx": row.idx, "line": row.line, "why": why})
            continue
        if text != " ".join(row.sentence.split()):
            _adjusted(converted, row, "HTML entities and marks of quoting removed")
        at, adjective, note = found
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
    found = re.search(rf"\b{row.adverb}\s+{re.escape(row.adjective)}(?!\w)(?=\W*$)", text, re.IGNORECASE)
    if found is not None:
        return found.start(), row.adjective, ""
    other = re.search(rf"\b{row.adverb}\s+([\w'’-]+)(?=\W*$)", text, re.IGNORECASE)
    if other is None or SequenceMatcher(None, other[1].casefold(), row.adjective.casefold()).ratio() < SAME_WORD:
        return None
    return other.start(), other[1], ""


def _elsewhere(row: SheetRow, text: str) -> tuple[int, str, str] | None:
    """The last adverb with the sheet's adjective, or the last adverb at all, the sheet's adjective, and what is odd."""
    for adjective, note in ((rf"\s+{re.escape(row.adjective)}(?!\w)", NOT_AT_END), ("", NOT_THERE)):
        found = list(re.finditer(rf"\b{row.adverb}\b{adjective}", text, re.IGNORECASE))
        if found:
            return found[-1].start(), row.adjective, note
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
    breaks = [found.end() for found in SENTENCE_BREAK.finditer(text, 0, at)]
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
