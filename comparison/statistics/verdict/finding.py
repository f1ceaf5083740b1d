"""One line of a verdict: a state in a word, a statement that can be quoted, and the numbers that it rests on."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["good", "warn", "bad", "tie", "open"]
GOOD: Kind = "good"
WARN: Kind = "warn"
BAD: Kind = "bad"
TIE: Kind = "tie"
OPEN: Kind = "open"
# The picture beside a state's word; of some words it is their own.
ICONS: dict[Kind, str] = {GOOD: "check", WARN: "half", BAD: "cross", TIE: "equal", OPEN: "ring"}
OWN_ICONS = {"Below": "down", "Worse": "down", "Caution": "warn", "Look": "warn"}
# What is a fact or a remark is not open: nothing of it waits for a test or for labels.
OWN_ICONS |= {"Collected": "dot", "Reference": "dot", "Only": "dot", "Note": "info"}
# What stands between two parts of the evidence.
DOT = " · "


@dataclass(frozen=True, slots=True)
class State:
    """`kind` says which color and picture the word has."""

    word: str
    kind: Kind

    @property
    def icon(self) -> str:
        return OWN_ICONS.get(self.word, ICONS[self.kind])


@dataclass(frozen=True, slots=True)
class Finding:
    """What is said on one part; `evidence` is empty where the statement says all."""

    part: str
    state: State
    statement: str
    evidence: str = ""

    @property
    def text(self) -> str:
        """
        >>> Finding("people", State("Good", "good"), "Annotators agree well.", "α = .85").text
        'Annotators agree well. α = .85'
        """
        return " ".join(filter(None, (self.statement, self.evidence)))


def joined(*clauses: str) -> str:
    """
    >>> joined("α = .72", "", "82 % of label pairs match")
    'α = .72 · 82 % of label pairs match'
    """
    return DOT.join(filter(None, clauses))
