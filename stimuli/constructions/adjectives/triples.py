"""What ConceptNet says of a thing: five relations, read from lemmatized triples or from ConceptNet's own dump."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.errors import Fault, SourceError

# "they best characterize the functional features of a noun" (ADEPT, section 4.1).
RELATIONS = ("CapableOf", "HasProperty", "ReceivesAction", "HasA", "UsedFor")
BY_NAME = {name.casefold(): name for name in RELATIONS} | {"iscapableof": "CapableOf"}
PERSON_KINDS = frozenset(("person", "human", "human being", "human be", "people", "man", "woman", "profession"))
COLUMNS = (3, 4)
DUMP_COLUMNS = 5


@dataclass(frozen=True, slots=True, order=True)
class Triple:
    """`surface` is the sentence that a contributor wrote, [[ ]] around its two ends; lemmatized triples have none."""

    head: str
    relation: str
    tail: str
    surface: str = ""


@dataclass(slots=True)
class Knowledge:
    """The triples of the five relations whose head is one word, without repeats, sorted; and who is a person."""

    triples: list[Triple] = field(default_factory=list)
    persons: frozenset[str] = frozenset()
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def heads(self) -> list[str]:
        return sorted({triple.head for triple in self.triples})


def read_knowledge(paths: Sequence[Path], *, minimum_weight: float) -> Knowledge:
    """All files together. SourceError, with every fault of a file, if one is not as it should be."""
    counts: Counter[str] = Counter()
    triples: set[Triple] = set()
    persons: set[str] = set()
    for path in paths:
        for raw, weight in _lines(path, counts):
            if raw.relation == "IsA" and raw.tail in PERSON_KINDS:
                persons.add(raw.head)
            if raw.relation not in RELATIONS:
                continue
            counts["of_the_five_relations"] += 1
            if weight < minimum_weight:
                counts["below_the_minimum_weight"] += 1
            elif not raw.head.isalpha() or not raw.head.isascii():
                counts["head_is_not_one_word"] += 1
            else:
                triples.add(raw)
    counts["triples"] = len(triples)
    if not triples:
        raise SourceError(paths[0], [Fault("file", f"holds nothing under {', '.join(RELATIONS)}")])
    return Knowledge(sorted(triples), frozenset(persons), counts)


def _lines(path: Path, counts: Counter[str]) -> Iterator[tuple[Triple, float]]:
    """The triples of one file; raises after its last line, so that every fault of the file is in the message."""
    faults: list[Fault] = []
    number = 0
    for number, line in enumerate(_text(path), start=1):
        if not line.strip():
            continue
        counts["lines"] += 1
        cells = line.rstrip("\r\n").split("\t")
        read = _dumped if cells[0].startswith("/a/") else _lemmatized
        try:
            parsed = read(cells)
        except ValueError as error:
            faults.append(Fault(f"line {number}", str(error)))
            continue
        if parsed is None:
            counts["corrupted_on_purpose" if read is _lemmatized else "another_relation_or_language_or_no_text"] += 1
        elif not faults:
            yield parsed
    if number == 0:
        faults.append(Fault("file", "is empty"))
    if faults:
        raise SourceError(path, faults)


def _text(path: Path) -> Iterator[str]:
    """The lines of a file, packed with gzip or not, one at a time."""
    number = 0
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
            for number, raw in enumerate(lines, start=1):
                yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise SourceError(path, [Fault(f"line {number}", f"is not UTF-8 text (byte 0x{byte:02x})")]) from None
    except EOFError:
        raise SourceError(
            path, [Fault(f"line {number + 1}", "the packed file ends too early: it was cut off")]
        ) from None
    except OSError as error:
        raise SourceError(path, [Fault("file", f"cannot be read: {error.strerror or error}")]) from None


def _lemmatized(cells: list[str]) -> tuple[Triple, float] | None:
    """`relation, head, tail[, 0 or 1]`; None for a triple that was corrupted on purpose (0)."""
    if len(cells) not in COLUMNS:
        raise ValueError(f"has {len(cells)} columns; relation, head, tail and at most one more are expected")
    if any(not cell.strip() for cell in cells):
        raise ValueError("has an empty column")
    if len(cells) == COLUMNS[1]:
        if cells[3] not in ("0", "1"):
            raise ValueError(f"column 4: {cells[3]!r} is not 0 or 1")
        if cells[3] == "0":
            return None
    relation, head, tail = (" ".join(cell.split()) for cell in cells[:3])
    name = BY_NAME.get(relation.casefold(), "IsA" if relation.casefold() == "isa" else relation)
    return Triple(head.casefold(), name, tail.casefold()), float("inf")


def _dumped(cells: list[str]) -> tuple[Triple, float] | None:
    """A line of ConceptNet's assertions; None if an end is not English or there is no surface text to build on."""
    if len(cells) != DUMP_COLUMNS:
        raise ValueError(f"has {len(cells)} columns; {DUMP_COLUMNS} are expected in a ConceptNet dump")
    _, relation, start, end, facts = cells
    try:
        about: Any = json.loads(facts)
    except json.JSONDecodeError as error:
        raise ValueError(f"column 5: is not JSON ({error.msg})") from None
    if not isinstance(about, dict) or not isinstance(about.get("weight"), int | float):
        raise ValueError("column 5: has no number `weight`")
    name = relation.removeprefix("/r/")
    english = [_concept(uri) for uri in (start, end)]
    if name not in (*RELATIONS, "IsA") or None in english:
        return None
    surface = about.get("surfaceText") or ""
    if name != "IsA" and not surface:
        return None
    return Triple(english[0] or "", name, english[1] or "", surface), float(about["weight"])


def _concept(uri: str) -> str | None:
    """`/c/en/ice_cream/n/wn/food` is `ice cream`; None for other languages."""
    parts = uri.split("/")
    if len(parts) < 4 or parts[1] != "c":
        raise ValueError(f"{uri!r} is not the address of a concept")
    return parts[3].replace("_", " ").casefold() if parts[2] == "en" else None
