"""The importer of Gulordava's agreement test: generated.tab becomes a forced choice of the verb's two forms."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes.contract import SLOT
from corpus.errors import Fault, SourceError
from stimuli.datasets.published import DataSet, Reading, SourceLine, filled, one_of, read_table
from stimuli.making.settings import settings

COLUMNS = (
    "pattern", "constr_id", "sent_id", "correct_number", "form", "class", "type", "n_attr", "len_prefix", "sent"
)  # fmt: skip
NUMBERS = {"sing": "singular", "plur": "plural"}
CLASSES = ("correct", "wrong")
END = "<eos>"


def read(source: Path, limit: int | None, options: dict[str, Any]) -> Reading:
    """A study of the file's pairs. SourceError, with every fault, if it is not as it should be."""
    every = _pairs(source)
    rows = [_row(correct, wrong) for correct, wrong in every[:limit]]
    study = settings(slug="colorless-green", title="Colorless green sentences", whole_sentences=False)
    counts = {
        "lines_in_file": 2 * len(every),
        "items": len(rows),
        "items_by_type": dict(Counter(row.attributes["type"] for row in rows)),
        "items_by_attractors": dict(Counter(row.attributes["attractors"] for row in rows)),
    }
    return Reading(
        settings=study,
        rows=rows,
        sources=[source],
        options={"limit": limit},
        counts=counts,
        summary=[f"{counts['lines_in_file']} lines, {counts['items']} items made"],
    )


def _pairs(source: Path) -> list[tuple[SourceLine, SourceLine]]:
    """The correct and the wrong line of each sentence, in the file's order."""
    lines = read_table(source, columns=COLUMNS, delimiter="\t")
    faults = [fault for line in lines for fault in _faults(line)]
    if faults:
        raise SourceError(source, faults)
    by_sentence: dict[str, list[SourceLine]] = defaultdict(list)
    for line in lines:
        by_sentence[_id(line)].append(line)
    for name, own in by_sentence.items():
        where = own[-1].where
        if sorted(line["class"] for line in own) != list(CLASSES):
            faults.append(Fault(f"{where}.class", f"{name} must have one correct and one wrong line, not {len(own)}"))
        elif own[0]["sent"] != own[1]["sent"] or own[0]["len_prefix"] != own[1]["len_prefix"]:
            faults.append(Fault(f"{where}.sent", f"differs from {own[0].where}, the other line of {name}"))
        elif own[0]["form"] == own[1]["form"]:
            faults.append(Fault(f"{where}.form", f"is the same as on {own[0].where}, the other line of {name}"))
    if faults:
        raise SourceError(source, faults)
    return [(own[0], own[1]) if own[0]["class"] == "correct" else (own[1], own[0]) for own in by_sentence.values()]


def _faults(line: SourceLine) -> list[Fault]:
    faults = [fault for column in ("pattern", "constr_id", "sent_id", "form", "sent") for fault in filled(line, column)]
    faults += one_of(line, "class", CLASSES) + one_of(line, "correct_number", tuple(NUMBERS))
    length = len(_tokens(line))
    prefix = line["len_prefix"]
    if not (prefix.isascii() and prefix.isdigit() and int(prefix) < length):
        faults.append(Fault(f"{line.where}.len_prefix", f"{prefix!r} is not the place of one of {length} tokens"))
    return faults


def _tokens(line: SourceLine) -> list[str]:
    tokens = line["sent"].split()
    return tokens[:-1] if tokens[-1:] == [END] else tokens


def _id(line: SourceLine) -> str:
    return f"{line['pattern']}-{line['constr_id']}-{line['sent_id']}".replace("/", "-")


def _row(correct: SourceLine, wrong: SourceLine) -> ItemRow:
    tokens, place = _tokens(correct), int(correct["len_prefix"])
    sentence = " ".join([*tokens[:place], SLOT, *tokens[place + 1 :]])
    attributes = {
        "pattern": correct["pattern"],
        "number": NUMBERS[correct["correct_number"]],
        "attractors": correct["n_attr"],
        "type": correct["type"],
    }
    content = {"sentence": sentence, "options": {"grammatical": correct["form"], "ungrammatical": wrong["form"]}}
    group = f"{correct['pattern']}-{correct['constr_id']}"
    return ItemRow(_id(correct), content, "target", "grammatical", attributes, group)


IMPORTER = DataSet(
    key="colorless-green",
    help="Gulordava et al. (2018): generated.tab, agreement in sentences that make no sense",
    paper=(
        "Gulordava, Bojanowski, Grave, Linzen and Baroni (2018). Colorless Green Recurrent Networks Dream "
        "Hierarchically. NAACL 2018"
    ),
    license="CC BY-NC 4.0",
    read=read,
)
