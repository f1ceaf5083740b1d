"""The Marvin–Linzen importer: a TSV of case, template, good and bad sentence becomes a forced choice for a slot.

The rule is that of Goldberg's eval_bert.py (2019, arXiv:1901.05287), as the notebook has it: both sentences have the
same number of tokens and differ in just one, which becomes the slot; a final point is put after the sentence.
"""

from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.contract import SLOT
from corpus.arguments import Help, slug_of
from corpus.errors import Fault, SourceError
from corpus.source_text import read_text
from stimuli.datasets.published import DataSet, Reading, SourceLine, filled, read_plain_table
from stimuli.making.settings import settings

COLUMNS = ("case", "template", "good", "bad")
NUMBERS = {"sing": "singular", "plur": "plural"}

# Enough to see what was cut off or misprinted; the manifest has them all.
LINES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Slotted:
    """A pair as one sentence with a slot, and the word of each sentence that stands there."""

    sentence: str
    good: str
    bad: str


@dataclass(frozen=True, slots=True)
class Converted:
    """Items, and the lines that became none, by reason."""

    rows: list[ItemRow] = field(default_factory=list)
    aside: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the researcher asked for; empty means everything. `vocabulary` is a model's, word by word."""

    leave_out: Collection[str] = ()
    vocabulary: frozenset[str] | None = None


def convert(lines: Iterable[SourceLine], criteria: Wanted) -> Converted:
    """One item a line, in the file's order. Ids name the line, which is what a published pair is known by."""
    converted = Converted()
    for line in lines:
        pair = slotted(line["good"], line["bad"])
        reason = pair if isinstance(pair, str) else _left_out(pair, criteria)
        if reason:
            converted.aside[reason].append(line.number)
        elif isinstance(pair, Slotted):
            converted.rows.append(_row(line, pair))
    return converted


def slotted(good: str, bad: str) -> Slotted | str:
    """The pair with its slot, or why it has none."""
    one, other = good.split(), bad.split()
    if len(one) != len(other):
        return "the sentences differ in length"
    places = [place for place, (right, wrong) in enumerate(zip(one, other, strict=True)) if right != wrong]
    if len(places) != 1:
        return f"the sentences differ in {len(places)} tokens instead of one"
    (place,) = places
    return Slotted(" ".join([*one[:place], SLOT, *one[place + 1 :], "."]), one[place], other[place])


def _left_out(pair: Slotted, criteria: Wanted) -> str:
    for word in (pair.good, pair.bad):
        if word in criteria.leave_out:
            return f"a candidate is {word!r}, which was to be left out"
        if criteria.vocabulary is not None and word not in criteria.vocabulary:
            return f"the candidate {word!r} is not a whole word of the vocabulary"
    return ""


def _row(line: SourceLine, pair: Slotted) -> ItemRow:
    number = NUMBERS.get(line["template"].split("_")[0])
    attributes: Mapping[str, str] = {
        "phenomenon": line["case"],
        "template": line["template"],
        **({"number": number} if number else {}),
    }
    content = {"sentence": pair.sentence, "options": {"grammatical": pair.good, "ungrammatical": pair.bad}}
    return ItemRow(f"{line['case']}-{line.number}", content, "target", "grammatical", dict(attributes))


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--phenomenon",
        action="append",
        metavar="CASE",
        help=Help(
            "cases to include (default: all); repeatable",
            page="Cases to include, one per line. Empty: all.",
        ),
    )
    parser.add_argument(
        "--template",
        action="append",
        metavar="NAME",
        help=Help(
            "templates to include (default: all); repeatable",
            page="Templates to include, one per line. Empty: all.",
        ),
    )
    parser.add_argument(
        "--leave-out",
        action="append",
        metavar="WORD",
        help=Help(
            "leave out pairs with this word as a candidate; repeatable",
            page="Leave out pairs with these words as candidates. One per line.",
        ),
    )
    parser.add_argument(
        "--vocabulary",
        type=Path,
        metavar="FILE",
        help=(
            "a model's vocabulary, one word per line (vocab.txt): use only pairs whose candidates are whole words in it"
        ),
    )


def read(source: Path, limit: int | None, options: dict[str, Any]) -> Reading:
    """A study of the file's pairs. SourceError, with every fault, if a file is not as it should be."""
    every = _lines(source)
    phenomena, templates = options.get("phenomenon") or [], options.get("template") or []
    lines = _chosen(source, every, phenomena, templates)[:limit]
    vocabulary: Path | None = options.get("vocabulary")
    leave_out = options.get("leave_out") or []
    words = frozenset(read_text(vocabulary).splitlines()) if vocabulary else None
    converted = convert(lines, Wanted(leave_out, words))
    if not converted.rows:
        reasons = "; ".join(f"{len(numbers)} set aside, {reason}" for reason, numbers in converted.aside.items())
        raise SourceError(source, [Fault("file", f"leaves no items: {reasons}")])
    slug, title = slug_of(source, prefix="marvin-linzen"), f"Marvin and Linzen, {source.stem}"
    counts, again = _counts(every, lines, converted), _given_again(lines)
    return Reading(
        settings=settings(slug=slug, title=title, whole_sentences=False),
        rows=converted.rows,
        sources=[path for path in (source, vocabulary) if path],
        options={"phenomenon": phenomena, "template": templates, "leave_out": leave_out, "limit": limit},
        counts=counts,
        notes={"given_again": again},
        dropped=[
            {"why": reason, "pairs": len(numbers), "lines": numbers} for reason, numbers in converted.aside.items()
        ],
        summary=[
            f"{counts['pairs_taken']} of {counts['pairs_in_file']} pairs taken, {counts['items']} items made",
            *(f"set aside: {_lines_of(numbers)}, {reason}" for reason, numbers in converted.aside.items()),
            *([f"given more than once: {_lines_of(again)}"] if again else []),
        ],
    )


def _lines(source: Path) -> list[SourceLine]:
    lines = read_plain_table(source, columns=COLUMNS)
    faults = [fault for line in lines for column in COLUMNS for fault in filled(line, column)]
    faults += [
        Fault(f"{line.where}.bad", "is the same sentence as the good one")
        for line in lines
        if line["good"].split() == line["bad"].split()
    ]
    faults += [
        Fault(f"{line.where}.case", f"{line['case']!r} must be printable, without a slash, and at most 80 characters")
        for line in lines
        if not line["case"].isprintable() or "/" in line["case"] or len(line["case"]) > 80
    ]
    if faults:
        raise SourceError(source, faults)
    return lines


def _chosen(source: Path, lines: list[SourceLine], phenomena: list[str], templates: list[str]) -> list[SourceLine]:
    """The lines of these cases and templates. One that the file does not have is a fault: it may be misspelled."""
    faults = []
    for column, names in (("case", phenomena), ("template", templates)):
        present = list(dict.fromkeys(line[column] for line in lines))
        missing = [one for one in names if one not in present]
        faults += [Fault(column, f"there is no {one!r}; there are: {', '.join(present)}") for one in missing]
    if faults:
        raise SourceError(source, faults)
    return [
        line
        for line in lines
        if (not phenomena or line["case"] in phenomena) and (not templates or line["template"] in templates)
    ]


def _given_again(lines: list[SourceLine]) -> list[int]:
    """The lines whose pair stands on an earlier line too; they are kept."""
    seen: set[tuple[str, str]] = set()
    again = []
    for line in lines:
        pair = (line["good"], line["bad"])
        if pair in seen:
            again.append(line.number)
        seen.add(pair)
    return again


def _lines_of(numbers: list[int]) -> str:
    listed = ", ".join(map(str, numbers[:LINES_SHOWN]))
    more = f" and {len(numbers) - LINES_SHOWN} more" if len(numbers) > LINES_SHOWN else ""
    return f"{len(numbers)} ({'line' if len(numbers) == 1 else 'lines'} {listed}{more})"


def _counts(every: list[SourceLine], lines: list[SourceLine], converted: Converted) -> dict[str, Any]:
    return {
        "pairs_in_file": len(every),
        "pairs_taken": len(lines),
        "set_aside": sum(len(numbers) for numbers in converted.aside.values()),
        "items": len(converted.rows),
        "items_by_phenomenon": dict(Counter(row.attributes["phenomenon"] for row in converted.rows)),
        "pairs_given_again": len(_given_again(lines)),
    }


IMPORTER = DataSet(
    key="marvin-linzen",
    help="Marvin and Linzen (2018): a TSV of case, template, good and bad sentence",
    paper="Marvin and Linzen (2018). Targeted Syntactic Evaluation of Language Models. EMNLP 2018",
    license="MIT",
    declare=add_arguments,
    read=read,
)
