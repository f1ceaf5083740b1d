"""ADEPT: its published JSON becomes one plausibility study, its labels the references (Emami et al. 2021).

The array is decoded entry by entry, so that a fault is named by entry and line and a file that was cut off is told from
one that was written wrongly. What annotators read is our own; the degrees are ADEPT's.
"""

import json
import re
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.plausibility import DEGREES, Plausibility
from corpus.arguments import Help, slug_of
from corpus.characters import unstorable_within
from corpus.errors import Fault, SourceError
from corpus.source_text import read_text
from stimuli.datasets.adjective_list import NON_SUBSECTIVE, AdjectiveList, normalized, read_adjectives
from stimuli.datasets.published import DataSet, Reading, field_faults, sharing
from stimuli.making.settings import SLOT_METRICS, study_settings

TEXTS = ("sentence1", "sentence2", "modifier", "noun")
FIELDS = (*TEXTS, "label", "idx")
WHITESPACE = " \t\r\n"
WORD = re.compile(r"[\w'’-]+")

HOW_TO_COMPARE = """\
You will see two sentences. The second is the first with one adjective added; the adjective is marked.

Ask yourself how the adjective changes the chances. Compared with the first sentence, what the second one says is:

Impossible: it cannot happen.

Less likely: it can happen, but the adjective makes it less likely.

Equally likely: the adjective makes no difference.

More likely: the adjective makes it more likely.

Necessarily true: with the adjective it cannot fail to be true.

"""
INSTRUCTIONS = f"""{HOW_TO_COMPARE}\
The sentences were collected by a program and some are clumsy. Judge what they are meant to say.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of ADEPT, as published. `label` is 0 (impossible) to 4 (necessarily true)."""

    line: int
    sentence1: str
    sentence2: str
    modifier: str
    noun: str
    label: int
    idx: int


@dataclass(frozen=True, slots=True)
class _Raw:
    number: int
    line: int
    value: Any

    @property
    def where(self) -> str:
        return f"entry {self.number} (line {self.line})"


def read_entries(path: Path) -> list[Entry]:
    """All entries in the file's order; SourceError with every fault, by entry, line and field."""
    text = read_text(path)
    faults: list[Fault] = []
    entries: list[Entry] = []
    seen: dict[int, str] = {}
    for item in _array(text):
        if isinstance(item, Fault):
            faults.append(item)
            continue
        item_faults = _faults(item.value)
        if not item_faults:
            idx = item.value["idx"]
            if idx in seen:
                item_faults = [Fault("idx", f"{idx} was already used by {seen[idx]}")]
            seen.setdefault(idx, item.where)
            entries.append(Entry(line=item.line, **item.value))
        faults += [fault.under(item.where) for fault in item_faults]
    if not faults and not entries:
        faults.append(Fault("file", "contains no entries"))
    if faults:
        raise SourceError(path, faults)
    return entries


def _array(text: str) -> Iterator[_Raw | Fault]:
    """The entries of a JSON array with their places, and one fault where it can be read no further."""
    decoder = json.JSONDecoder()
    cut_off = not text.rstrip(WHITESPACE).endswith("]")
    at = _past_space(text, 0)
    if not text.startswith("[", at):
        yield Fault("file", "is not a JSON array; ADEPT's files begin with [")
        return
    at = _past_space(text, at + 1)
    number, line, counted_to = 0, 1, 0
    while not text.startswith("]", at):
        line, counted_to = line + text.count("\n", counted_to, at), at
        number += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as error:
            reason = "the file is cut off here" if cut_off else f"is not JSON: {error}"
            yield Fault(f"entry {number} (line {line})", reason)
            return
        yield _Raw(number, line, value)
        at = _past_space(text, at)
        if text.startswith(",", at):
            at = _past_space(text, at + 1)
        elif not text.startswith("]", at):
            reason = "the file is cut off after it" if cut_off else "a comma or ] must follow it"
            yield Fault(f"entry {number} (line {line})", reason)
            return
    if text[at + 1 :].strip(WHITESPACE):
        yield Fault("file", "goes on after the array has ended")


def _past_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in WHITESPACE:
        at += 1
    return at


def _faults(value: Any) -> list[Fault]:
    if not isinstance(value, dict):
        return [Fault("", f"must be a JSON object, not {type(value).__name__}")]
    wrong = unstorable_within(value)
    faults = [Fault("", wrong)] if wrong else []
    faults += field_faults(value, FIELDS, texts=TEXTS)
    if "label" in value and not _whole(value["label"], most=len(DEGREES.values) - 1):
        faults.append(Fault("label", f"{value['label']!r} is not a whole number from 0 to {len(DEGREES.values) - 1}"))
    if "idx" in value and not _whole(value["idx"]):
        faults.append(Fault("idx", f"{value['idx']!r} is not a whole number from 0"))
    return faults


def _whole(value: object, *, most: int | None = None) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0 and (most is None or value <= most)


@dataclass(frozen=True, slots=True)
class Converted:
    """Items, and a note for everything that is not as published or deserves a look."""

    rows: list[ItemRow]
    adjusted: list[dict[str, object]] = field(default_factory=list)
    dropped: list[dict[str, object]] = field(default_factory=list)
    not_minimal: list[int] = field(default_factory=list)
    repeated: list[dict[str, object]] = field(default_factory=list)


def convert(entries: list[Entry], nonsubsective: AdjectiveList | None) -> Converted:
    """One item for each entry, in the same order, but for those whose modifier is nowhere in sentence2."""
    converted = Converted([])
    usable = []
    for entry in entries:
        tidied = _tidied(entry, converted)
        spaced = _with_modifier_apart(tidied, converted)
        if spaced is None:
            why = f"the modifier {tidied.modifier!r} does not occur in sentence2"
            converted.dropped.append({"idx": entry.idx, "line": entry.line, "why": why})
        else:
            usable.append(spaced)
    # Those that share an original sentence with another have the first one's id.
    alike = sharing(usable, lambda entry: entry.sentence1)
    groups = {entry.idx: f"adept-{those[0].idx}" for those in alike for entry in those}
    for entry in usable:
        converted.rows.append(_row(entry, groups.get(entry.idx, ""), nonsubsective))
        if not is_minimal(entry):
            converted.not_minimal.append(entry.idx)
    # All are kept, and it is said whether their labels agree.
    converted.repeated.extend(
        {"idx": [entry.idx for entry in those], "labels": [entry.label for entry in those]}
        for those in sharing(usable, lambda entry: (entry.sentence1, entry.sentence2))
    )
    return converted


def content(entry: Entry) -> dict[str, str]:
    return {"original": entry.sentence1, "modified": entry.sentence2, "modifier": entry.modifier, "noun": entry.noun}


def is_minimal(entry: Entry) -> bool:
    """Whether sentence2 is sentence1 with the modifier put in, articles (a, an), capitals and points aside."""
    original, modified, modifier = (_bare(text) for text in (entry.sentence1, entry.sentence2, entry.modifier))
    length = len(modifier)
    return any(
        modified[start : start + length] == modifier and modified[:start] + modified[start + length :] == original
        for start in range(len(modified))
    )


def _bare(text: str) -> list[str]:
    return [word for word in WORD.findall(text.casefold()) if word not in ("a", "an")]


def _tidied(entry: Entry, converted: Converted) -> Entry:
    """Without stray whitespace: models would read `tire  is` and `rubber .` as other tokens."""
    for name in TEXTS:
        before = getattr(entry, name)
        after = re.sub(r" ([.!?])$", r"\1", " ".join(before.split()))
        if after != before:
            converted.adjusted.append(_change(entry, name, before, after, "stray whitespace removed"))
            change: dict[str, Any] = {name: after}
            entry = replace(entry, **change)
    return entry


def _with_modifier_apart(entry: Entry, converted: Converted) -> Entry | None:
    """The entry with its modifier as a word of its own; None if sentence2 does not hold it at all."""
    if not Plausibility().validate(content(entry)):
        return entry
    match = re.search(re.escape(entry.modifier), entry.sentence2, re.IGNORECASE)
    if match is None:
        return None
    before, after = entry.sentence2[: match.start()], entry.sentence2[match.end() :]
    apart = " ".join(" ".join([before, match.group(), after]).split())
    why = "space put around the modifier, which was run together with its neighbor"
    converted.adjusted.append(_change(entry, "sentence2", entry.sentence2, apart, why))
    return replace(entry, sentence2=apart)


def _change(entry: Entry, name: str, before: str, after: str, why: str) -> dict[str, object]:
    return {"idx": entry.idx, "line": entry.line, "field": name, "before": before, "after": after, "why": why}


def _row(entry: Entry, group: str, nonsubsective: AdjectiveList | None) -> ItemRow:
    attributes = {"modifier": normalized(entry.modifier), "noun": entry.noun.casefold()}
    if nonsubsective is not None:
        attributes["modifier_class"] = nonsubsective.modifier_class(entry.modifier)
    return ItemRow(
        id=f"adept-{entry.idx}",
        content=content(entry),
        reference=DEGREES.values[entry.label],
        attributes=attributes,
        group=group,
    )


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--nonsubsective",
        type=Path,
        metavar="FILE",
        help=Help(
            "non-subsective adjectives, the first column of a TSV, CSV or text file; used by the normative rule",
            "Non-subsective adjectives",
        ),
    )
    parser.add_argument(
        "--nonsubsective-where",
        default="",
        metavar="COLUMN=VALUE",
        help=Help(
            "use only lines of that file with this value in this column",
            "Lines of that file",
            page="Use only lines with this value in this column, such as type=yes.",
            example="class=privative",
        ),
    )


def read(source: Path, limit: int | None, options: dict[str, Any]) -> Reading:
    """A study of the file's entries. SourceError, with every fault, if a file is not as it should be."""
    entries = read_entries(source)
    list_file: Path | None = options.get("nonsubsective")
    where: str = options.get("nonsubsective_where", "")
    adjectives = read_adjectives(list_file, where=where) if list_file else None
    converted = convert(entries[:limit], adjectives)
    counts = _counts(len(entries), len(entries[:limit]), converted)
    return Reading(
        settings=study_settings(
            slug=slug_of(source, prefix="adept"),
            title=f"ADEPT, {source.stem}",
            instructions=INSTRUCTIONS,
            task={"type": Plausibility.key},
            metrics=SLOT_METRICS,
            nonsubsective=adjectives.adjectives if adjectives else [],
        ),
        rows=converted.rows,
        sources=[path for path in (source, list_file) if path],
        options={"limit": limit, "nonsubsective_where": where},
        counts=counts,
        dropped=converted.dropped,
        notes={
            "adjusted": converted.adjusted,
            "not_minimal_pairs": converted.not_minimal,
            "same_sentences": converted.repeated,
        },
        summary=_summary(counts, converted),
    )


def _counts(published: int, read: int, converted: Converted) -> dict[str, Any]:
    references = Counter(row.reference for row in converted.rows)
    classes = Counter(row.attributes.get("modifier_class", "") for row in converted.rows)
    return {
        "entries_in_file": published,
        "entries_taken": read - len(converted.dropped),
        "dropped": len(converted.dropped),
        "items": len(converted.rows),
        "adjusted_items": len({change["idx"] for change in converted.adjusted}),
        "references": {value: references[value] for value in DEGREES.values},
        "non_subsective": sum(n for name, n in classes.items() if name.startswith(NON_SUBSECTIVE)),
    }


def _summary(counts: dict[str, Any], converted: Converted) -> list[str]:
    dropped = counts["dropped"]
    lines = [
        f"{counts['entries_taken']} of {counts['entries_in_file']} entries taken, {counts['items']} items made, "
        f"{counts['adjusted_items']} of them adjusted, {dropped} entr{'y' if dropped == 1 else 'ies'} dropped",
        "references: " + ", ".join(f"{DEGREES.text(value)} {n}" for value, n in counts["references"].items()),
    ]
    lines += [f"dropped: idx {entry['idx']} (line {entry['line']}), {entry['why']}" for entry in converted.dropped]
    return lines


IMPORTER = DataSet(
    key="adept",
    help="ADEPT (Emami et al. 2021): train.json, val.json or test.json as published",
    paper=(
        "Emami, Porada, Olteanu, Suleman, Trischler and Cheung (2021). ADEPT: An Adjective-Dependent Plausibility "
        "Task. ACL 2021"
    ),
    license="CC BY-SA 3.0; parts from ConceptNet 5, CC BY-SA 4.0",
    declare=add_arguments,
    read=read,
)
