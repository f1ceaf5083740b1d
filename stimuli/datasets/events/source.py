"""The three published sentence sets: what their columns and codes mean, and their files, paired by item and voice.

A file is clean_*_SentenceSet.csv or the authors' own, under its own name: newsentences_EventsAdapt.csv has a heading of
its own; ev1_deps.txt (EventsRev) and DTFit_vassallo_deps.txt have none, and two lines for each item. They hold items
that the clean sets leave out. The same parses name the root of each sentence.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import Fault, SourceError
from corpus.source_text import rows, source_bytes
from stimuli.datasets.published import SourceLine, filled, one_of, read_table

PLAUSIBLE, IMPLAUSIBLE = "Plausible", "Implausible"
VOICES = ("active", "passive")
POINTS = 7

ANIMACY = ("animate-inanimate", "animate-animate")
COLUMNS = ("ItemNum", "Sentence", "Plausibility", "Voice")
ADAPT_COLUMNS = ("TrialType", "SynonymPair", "NumSyn")
VERSIONS = ("Version1", "Version2", "NA")
NOT_GIVEN = "NA"
# The heading of the authors' own newsentences_EventsAdapt.csv.
ADAPT = ("ItemNumber", "Voice", "Plausible/Implausible", "Stimulus", "EvType")
# What the third or fourth cell of a parsed file says of a sentence: typical and atypical in DTFit.
CODES = {PLAUSIBLE: PLAUSIBLE, IMPLAUSIBLE: IMPLAUSIBLE, "T": PLAUSIBLE, "AT": IMPLAUSIBLE}
# Its sentences have their point apart.
APART = re.compile(r" ([.!?])$")


@dataclass(frozen=True, slots=True)
class Condition:
    """What a trial type stands for, and what the implausible sentence breaks; `possible`: it breaks nothing."""

    words: str
    violation: str

    @property
    def has_reference(self) -> bool:
        return self.violation != "possible"


@dataclass(frozen=True, slots=True)
class EventSet:
    """`conditions` by trial type; the empty type is that of a set without such a column. `sentences` as published."""

    key: str
    name: str
    paper: str
    conditions: Mapping[str, Condition]
    sentences: int

    @property
    def has_trial_types(self) -> bool:
        return "" not in self.conditions


SETS = {
    found.key: found
    for found in (
        EventSet(
            "eventsadapt",
            "EventsAdapt",
            "sentences after Fedorenko, Blank, Siegelman and Mineroff (2020), Cognition 203",
            {
                "AI": Condition("animate–inanimate", "impossible"),
                "AAN": Condition("animate–animate", "unlikely"),
                "AAR": Condition("animate–animate, reversible", "possible"),
            },
            1564,
        ),
        EventSet(
            "dtfit",
            "DTFit",
            "sentences after Vassallo, Chersoni, Santus, Lenci and Blache (2018), LREC workshop on linguistic and "
            "neurocognitive resources",
            {"": Condition("", "unlikely")},
            790,
        ),
        EventSet(
            "eventsrev",
            "EventsRev",
            "sentences after Ivanova et al. (2021), Neurobiology of Language 2",
            {"": Condition("animate–animate", "unlikely")},
            76,
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Pair:
    """The two sentences of one item in one voice. `synonym_pair` is empty where the item has no synonymous twin."""

    item: int
    voice: str
    plausible: str
    implausible: str
    trial_type: str
    synonym_pair: str
    synonym_version: str


def read_pairs(path: Path, events: EventSet) -> list[Pair]:
    """Every pair in the file's order; SourceError with every fault, by line."""
    lines = _lines(path, events)
    if "TrialType" in lines[0] and not events.has_trial_types:
        raise SourceError(path, [Fault("TrialType", f"is a column of another set; {events.name} has none: give --set")])
    faults = [fault for line in lines for fault in _faults(line, events)] or _repeated(lines)
    if faults:
        raise SourceError(path, faults)
    pairs: dict[tuple[str, str], list[SourceLine]] = defaultdict(list)
    for line in lines:
        pairs[line["ItemNum"], line["Voice"]].append(line)
    faults = [fault for own in pairs.values() for fault in _unpaired(own)]
    if faults:
        raise SourceError(path, faults)
    return [_pair(own) for own in pairs.values()]


def _lines(path: Path, events: EventSet) -> list[SourceLine]:
    """A clean sentence set, or the authors' own file that it was made of."""
    if is_adapt(path):
        return adapt_lines(path)
    if is_parsed(path):
        return parsed_lines(path, events)
    if is_bare(path):
        wrong = "has numbers and sentences alone, which say neither item nor plausibility"
        raise SourceError(path, [Fault("file", f"{wrong}; import the file of the same name that ends in .csv")])
    return read_table(path, columns=(*COLUMNS, *(ADAPT_COLUMNS if events.has_trial_types else ())))


def is_adapt(path: Path) -> bool:
    """Whether it has the heading of newsentences_EventsAdapt.csv."""
    _, cells = next(rows(source_bytes(path)), (1, []))
    return not isinstance(cells, Fault) and set(ADAPT) <= set(cells)


def is_parsed(path: Path) -> bool:
    """Whether it begins as *_deps.txt do: number, sentence, codes, and a lemma with its role for each argument."""
    _, cells = next(rows(source_bytes(path), delimiter="\t", quoted=False), (1, []))
    return not isinstance(cells, Fault) and len(cells) >= 4 and cells[0].isdecimal() and ":root" in cells[-1]


def is_bare(path: Path) -> bool:
    """Whether it begins as newsentences_EventsAdapt.txt does: numbers and sentences, and nothing else."""
    _, cells = next(rows(source_bytes(path), delimiter="\t", quoted=False), (1, []))
    return not isinstance(cells, Fault) and len(cells) == 2 and cells[0].isdecimal()


def adapt_lines(path: Path) -> list[SourceLine]:
    """Of newsentences_EventsAdapt.csv.

    Both sentences of a reversible item are called plausible there; the clean set calls the second implausible, which
    is a place in the pair and no judgment.
    """
    seen: set[tuple[str, str]] = set()
    lines = []
    for line in read_table(path, columns=ADAPT):
        place = (line["ItemNumber"], line["Voice"])
        second = line["EvType"] == "AAR" and place in seen
        seen.add(place)
        cells = {
            "ItemNum": line["ItemNumber"],
            "Sentence": line["Stimulus"].strip(),
            "Plausibility": IMPLAUSIBLE if second else line["Plausible/Implausible"].capitalize(),
            "Voice": line["Voice"],
            "TrialType": line["EvType"],
            "SynonymPair": NOT_GIVEN,
            "NumSyn": NOT_GIVEN,
        }
        lines.append(SourceLine(line.number, cells))
    return lines


def parsed_lines(path: Path, events: EventSet) -> list[SourceLine]:
    """Of *_deps.txt: items are numbered by their pairs of lines; SourceError with every fault."""
    lines: list[SourceLine] = []
    faults: list[Fault] = []
    if events.has_trial_types:
        raise SourceError(path, [Fault("--set", f"a parsed file has no trial types, and {events.name} needs them")])
    for number, cells in rows(source_bytes(path), delimiter="\t", quoted=False):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {number}"))
            continue
        code = next((CODES[cell] for cell in cells[2:-1] if cell in CODES), "")
        if len(cells) < 4 or not cells[0].isdecimal() or not code:
            wrong = f"must have a number, a sentence, one of {', '.join(CODES)}, and the arguments with their roles"
            faults.append(Fault(f"line {number}", wrong))
            continue
        sentence = APART.sub(r"\1", cells[1].strip())
        item = str(int(cells[0]) // 2 + 1)
        lines.append(
            SourceLine(number, {"ItemNum": item, "Sentence": sentence, "Plausibility": code, "Voice": VOICES[0]})
        )
    if faults:
        raise SourceError(path, faults)
    return lines


def _faults(line: SourceLine, events: EventSet) -> list[Fault]:
    faults = [*filled(line, "Sentence"), *one_of(line, "Plausibility", (PLAUSIBLE, IMPLAUSIBLE))]
    faults += one_of(line, "Voice", VOICES)
    if not (line["ItemNum"].isascii() and line["ItemNum"].isdigit()):
        faults.append(Fault(f"{line.where}.ItemNum", f"{line['ItemNum']!r} is not a whole number"))
    if events.has_trial_types:
        faults += one_of(line, "TrialType", tuple(events.conditions)) + one_of(line, "NumSyn", VERSIONS)
    return faults


def _repeated(lines: list[SourceLine]) -> list[Fault]:
    faults = []
    seen: dict[tuple[str, ...], SourceLine] = {}
    for line in lines:
        key = (line["ItemNum"], line["Voice"], line["Plausibility"])
        if key in seen:
            faults.append(
                Fault(f"{line.where}.ItemNum", f"item {', '.join(key).lower()} was given on {seen[key].where} already")
            )
        seen.setdefault(key, line)
    return faults


def _unpaired(own: list[SourceLine]) -> list[Fault]:
    line = own[0]
    if len(own) < 2:
        missing = IMPLAUSIBLE if line["Plausibility"] == PLAUSIBLE else PLAUSIBLE
        return [
            Fault(f"{line.where}.Plausibility", f"item {line['ItemNum']} has no {missing} sentence, {line['Voice']}")
        ]
    return [
        Fault(f"{own[1].where}.{column}", f"differs from {line.where}, the other sentence of item {line['ItemNum']}")
        for column in ADAPT_COLUMNS
        if column in line and line[column] != own[1][column]
    ]


def _pair(own: list[SourceLine]) -> Pair:
    by_kind = {line["Plausibility"]: line for line in own}
    line = own[0]
    twin = {name: line[name] if name in line and line[name] != NOT_GIVEN else "" for name in ADAPT_COLUMNS}
    return Pair(
        item=int(line["ItemNum"]),
        voice=line["Voice"],
        plausible=by_kind[PLAUSIBLE]["Sentence"],
        implausible=by_kind[IMPLAUSIBLE]["Sentence"],
        trial_type=twin["TrialType"],
        synonym_pair=twin["SynonymPair"],
        synonym_version=twin["NumSyn"].removeprefix("Version"),
    )


@dataclass(frozen=True, slots=True)
class Parse:
    """`root` is the verb's lemma as published; `animacy` is empty where the file does not give it."""

    root: str
    animacy: str


def read_parses(path: Path) -> dict[str, Parse]:
    """By sentence, as the clean sets write it; SourceError with every fault, by line.

    Columns: a number, the sentence with its point apart, perhaps codes, and last `lemma:role` for each argument.
    """
    parses: dict[str, Parse] = {}
    faults: list[Fault] = []
    for number, cells in rows(source_bytes(path), delimiter="\t", quoted=False):
        if isinstance(cells, Fault):
            faults.append(cells.under(f"line {number}"))
            continue
        roots = [part.rpartition(":")[0] for part in cells[-1].split() if part.endswith(":root")]
        if len(cells) < 3 or len(roots) != 1:
            faults.append(Fault(f"line {number}", "must end in lemma:role for each argument, with one root"))
            continue
        animacy = next((cell for cell in cells[2:-1] if cell in ANIMACY), "")
        parses[APART.sub(r"\1", cells[1].strip())] = Parse(roots[0], animacy)
    if not faults and not parses:
        faults.append(Fault("file", "contains no rows"))
    if faults:
        raise SourceError(path, faults)
    return parses


def is_form_of(word: str, lemma: str) -> bool:
    """Whether a verb's form may have this lemma."""
    from lemminflect import getAllLemmas

    lemmas = getAllLemmas(word.casefold(), upos="VERB").get("VERB", ())
    return lemma in (word.casefold(), *lemmas)
