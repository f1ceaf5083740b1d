"""What one rule finds in an annotator's answers. Pure."""

from dataclasses import dataclass, field
from typing import Any


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
