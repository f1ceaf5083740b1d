"""The authors' own stimulus files, under their own names: read as the lines of a clean sentence set.

`newsentences_EventsAdapt.csv` has a heading of its own; `ev1_deps.txt` (EventsRev) and `DTFit_vassallo_deps.txt` have
none, and two lines for each item. They hold items that the clean sets leave out.
"""

import re
from pathlib import Path

from corpus.delimited import rows
from corpus.errors import Fault, SourceError
from corpus.source_text import source_bytes
from stimuli.datasets.events.sets import IMPLAUSIBLE, PLAUSIBLE, VOICES, EventSet
from stimuli.datasets.published import Line, read_table

ADAPT = ("ItemNumber", "Voice", "Plausible/Implausible", "Stimulus", "EvType")
# What the third or fourth cell of a parsed file says of a sentence: typical and atypical in DTFit.
CODES = {PLAUSIBLE: PLAUSIBLE, IMPLAUSIBLE: IMPLAUSIBLE, "T": PLAUSIBLE, "AT": IMPLAUSIBLE}
# Its sentences have their point apart.
APART = re.compile(r" ([.!?])$")
NOT_GIVEN = "NA"


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


def adapt_lines(path: Path) -> list[Line]:
    """Of newsentences_EventsAdapt.csv.

    Both sentences of a reversible item are called plausible there; the clean set calls the second implausible, which
    is a place in the pair and no judgment.
    """
    seen: set[tuple[str, str]] = set()
    found = []
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
        found.append(Line(line.number, cells))
    return found


def parsed_lines(path: Path, events: EventSet) -> list[Line]:
    """Of *_deps.txt: items are numbered by their pairs of lines; SourceError with every fault."""
    found: list[Line] = []
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
        found.append(Line(number, {"ItemNum": item, "Sentence": sentence, "Plausibility": code, "Voice": VOICES[0]}))
    if faults:
        raise SourceError(path, faults)
    return found
