"""From published pairs to items with a slot: what is kept, and what is set aside and why.

The rule is that of Goldberg's eval_bert.py (2019, arXiv:1901.05287), as the notebook has it: both sentences have the
same number of tokens and differ in just one, which becomes the slot; a final point is put after the sentence.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from annotation.itemfile import ItemRow
from annotation.tasktypes.contract import SLOT
from stimuli.datasets.published import Line

COLUMNS = ("case", "template", "good", "bad")
NUMBERS = {"sing": "singular", "plur": "plural"}


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


def convert(lines: Iterable[Line], wanted: Wanted) -> Converted:
    """One item a line, in the file's order. Ids name the line, which is what a published pair is known by."""
    converted = Converted()
    for line in lines:
        found = slotted(line["good"], line["bad"])
        reason = found if isinstance(found, str) else _left_out(found, wanted)
        if reason:
            converted.aside[reason].append(line.number)
        elif isinstance(found, Slotted):
            converted.rows.append(_row(line, found))
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


def _left_out(found: Slotted, wanted: Wanted) -> str:
    for word in (found.good, found.bad):
        if word in wanted.leave_out:
            return f"a candidate is {word!r}, which was to be left out"
        if wanted.vocabulary is not None and word not in wanted.vocabulary:
            return f"the candidate {word!r} is not a whole word of the vocabulary"
    return ""


def _row(line: Line, found: Slotted) -> ItemRow:
    number = NUMBERS.get(line["template"].split("_")[0])
    attributes: Mapping[str, str] = {
        "phenomenon": line["case"],
        "template": line["template"],
        **({"number": number} if number else {}),
    }
    content = {"sentence": found.sentence, "options": {"grammatical": found.good, "ungrammatical": found.bad}}
    return ItemRow(f"{line['case']}-{line.number}", content, "target", "grammatical", dict(attributes))
