"""From ADEPT's entries to items: what is kept as it is, what is tidied, what cannot become an item."""

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.plausibility.task import DEGREES, Plausibility
from stimuli.datasets.adept.source import TEXTS, Entry
from stimuli.datasets.adjective_list import AdjectiveList, normalized

WORD = re.compile(r"[\w'’-]+")


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
    kept = []
    for entry in entries:
        tidied = _tidied(entry, converted)
        found = _with_modifier_apart(tidied, converted)
        if found is None:
            why = f"the modifier {tidied.modifier!r} does not occur in sentence2"
            converted.dropped.append({"idx": entry.idx, "line": entry.line, "why": why})
        else:
            kept.append(found)
    groups = _groups(kept)
    for entry in kept:
        converted.rows.append(_row(entry, groups.get(entry.idx, ""), nonsubsective))
        if not is_minimal(entry):
            converted.not_minimal.append(entry.idx)
    converted.repeated.extend(_repeated(kept))
    return converted


def content(entry: Entry) -> dict[str, str]:
    return {
        "original": entry.sentence1,
        "modified": entry.sentence2,
        "modifier": entry.modifier,
        "noun": entry.noun,
    }


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
    found = re.search(re.escape(entry.modifier), entry.sentence2, re.IGNORECASE)
    if found is None:
        return None
    before, after = entry.sentence2[: found.start()], entry.sentence2[found.end() :]
    apart = " ".join(" ".join([before, found.group(), after]).split())
    why = "space put around the modifier, which was run together with its neighbor"
    converted.adjusted.append(_change(entry, "sentence2", entry.sentence2, apart, why))
    return replace(entry, sentence2=apart)


def _change(entry: Entry, name: str, before: str, after: str, why: str) -> dict[str, object]:
    return {"idx": entry.idx, "line": entry.line, "field": name, "before": before, "after": after, "why": why}


def _groups(entries: list[Entry]) -> dict[int, str]:
    """A name for the entries that share an original sentence with another: the first one's id."""
    sharing: dict[str, list[int]] = defaultdict(list)
    for entry in entries:
        sharing[entry.sentence1].append(entry.idx)
    return {idx: f"adept-{ids[0]}" for ids in sharing.values() if len(ids) > 1 for idx in ids}


def _repeated(entries: list[Entry]) -> list[dict[str, object]]:
    """Entries with the same two sentences; all are kept, and it is said whether their labels agree."""
    same: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        same[entry.sentence1, entry.sentence2].append(entry)
    return [
        {"idx": [entry.idx for entry in those], "labels": [entry.label for entry in those]}
        for those in same.values()
        if len(those) > 1
    ]


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
