"""What a rule is given, an annotator's answers in the order in which they came; and what it finds in them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

GOLD, ATTENTION = "gold", "attention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer. `shown` are the values of its options in the order on the page; empty where nobody knows it.

    `took_ms` is at most what passed on the server, and None of labels given elsewhere alone; `claimed_ms` is what the
    annotator's browser said, None where it said nothing that a browser could.
    `others` are the labels that count of all others on the item, by value. `answer` is empty of an attention check that
    they said cannot be judged.
    """

    item: str
    kind: str
    answer: str
    reference: str | None = None
    sitting: int = 0
    shown: tuple[str, ...] = ()
    took_ms: int | None = None
    claimed_ms: int | None = None
    others: Mapping[str, int] = field(default_factory=dict)

    @property
    def place(self) -> int:
        """Of the chosen option, from 1."""
        return self.shown.index(self.answer) + 1

    @property
    def is_check(self) -> bool:
        return self.kind in (GOLD, ATTENTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`facts` are JSON: the answers that it rests on, their count and the limit. `cannot` says why it cannot judge.

    `hangs_on_others`: with other labels by others it might be broken, or not.
    """

    rule: str
    broken: bool = False
    hangs_on_others: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    cannot: str = ""
