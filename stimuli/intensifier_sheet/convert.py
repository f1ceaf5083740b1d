"""From the sheet's rows to items: where the slot is, what is context, and what the authors' negative tells."""

import html
import re
from dataclasses import dataclass, field

from annotation.itemfile import ItemRow
from stimuli.intensifier_sheet.sheet import SheetRow
from stimuli.intensifiers.adverbs import NEGATION
from stimuli.intensifiers.bigrams import Bigrams
from stimuli.intensifiers.negation import NATURAL, REVISE
from stimuli.intensifiers.rows import item

# Comments often lack the space after a point: "at all times.Some say".
SENTENCE_BREAK = re.compile(r"(?<=[a-z\"'”’)][.!?])(?:[\"'”’)]*\s+(?=\S)|(?=[A-Z]))|(?<=[.!?])[\"'”’)]*\s+(?=\S)")
DIFFERS = f"{REVISE}published negative differs"


@dataclass(frozen=True, slots=True)
class Converted:
    """Items, and a note for every row that is not as published or not there."""

    rows: list[ItemRow] = field(default_factory=list)
    dropped: list[dict[str, object]] = field(default_factory=list)
    adjusted: list[dict[str, object]] = field(default_factory=list)
    negatives: list[dict[str, object]] = field(default_factory=list)


def convert(rows: list[SheetRow], bigrams: Bigrams | None) -> Converted:
    """One item for each row, in the same order, but for those whose adverb and adjective do not end the text."""
    converted = Converted()
    for row in rows:
        text = tidied(row.sentence)
        found = re.search(rf"\b{row.adverb}\s+{re.escape(row.adjective)}(?!\w)(?=\W*$)", text, re.IGNORECASE)
        if found is None:
            why = f"does not end in {row.adverb!r} and {row.adjective!r}"
            converted.dropped.append({"idx": row.idx, "line": row.line, "why": why})
            continue
        if text != " ".join(row.sentence.split()):
            converted.adjusted.append(
                {"idx": row.idx, "line": row.line, "why": "HTML entities and marks of quoting removed"}
            )
        negation = _negation(row, text, found.start(), converted)
        converted.rows.append(_item(row, text, found.start(), negation, bigrams))
    return converted


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


def _item(row: SheetRow, text: str, at: int, negation: str, bigrams: Bigrams | None) -> ItemRow:
    breaks = [found.end() for found in SENTENCE_BREAK.finditer(text, 0, at)]
    start = breaks[-1] if breaks else 0
    return item(
        identity=f"{row.adverb}-{row.idx}",
        context=text[:start].strip(),
        sentence=text[start:],
        at=at - start,
        adverb=row.adverb,
        adjective=row.adjective,
        attributes={"negation": negation} | (bigrams.attributes(row.adverb, row.adjective) if bigrams else {}),
    )
