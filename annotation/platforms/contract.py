"""What a platform is to a study: what study.toml says for it, unless the study file says otherwise; and its rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

# The query parameter of a personal link's signature (annotation/arrival/signing.py).
SIGNATURE = "signature"


class Outcome(StrEnum):
    """How a sitting ended, in words that a platform can act on: each has its code and its way back."""

    COMPLETED = "completed"
    FAILED_CHECKS = "failed_checks"
    SCREENED_OUT = "screened_out"
    NO_CONSENT = "no_consent"
    QUOTA_FULL = "quota_full"
    TOO_LATE = "too_late"
    WITHDRAWN = "withdrawn"

    @property
    def words(self) -> str:
        return self.value.replace("_", " ")


class Recovery(StrEnum):
    """By what somebody goes on in another browser, besides the researcher's releasing it."""

    SESSION = "session"
    PERSONAL_LINK = "personal_link"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a study asks of its participants, as far as a platform has rules on it. 0 `minutes` are not known.

    `unasked` are attention items whose words do not name the answer that they want.
    """

    attention_per_sitting: int
    gold_per_sitting: int
    max_attention_failures: int
    minutes: int
    codes: Mapping[str, str]
    addresses: Mapping[str, str]
    unasked: tuple[str, ...] = ()


def one_failure(minutes: int) -> int:
    return 1


def no_rules(rules: Rules) -> list[str]:
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Framing:
    """Of a platform that shows our pages inside its own.

    `by` are the origins that may; `preview` is a parameter with the value that it has before somebody has accepted;
    `submit_parameter` names one of the origins in `submits`, to whose address the last page posts.
    """

    by: tuple[str, ...]
    preview: tuple[str, str]
    submit_parameter: str
    submits: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    key: str
    # What researchers call it.
    name: str
    id_parameter: str
    id_pattern: str = ""
    # Nobody comes without.
    id_required: bool = True
    study_parameter: str
    session_parameter: str
    # What it fills in with the ids of a participant, of its study and of the visit, in the address that it is given.
    placeholders: tuple[str, str, str] | None = None
    recovery: tuple[Recovery, ...] = (Recovery.PERSONAL_LINK,)
    # Where every outcome leads, as a template, and where its own pages are.
    address: str = ""
    home: str = ""
    # Never errors: in sentences, what goes against its rules.
    warnings: Callable[[Rules], list[str]] = field(default=no_rules)
    framing: Framing | None = None
    # Why it lets a sitting be rejected, by the platform's own word for it; how much its participant must be told; and
    # which ends are no reason at all.
    rejections: Mapping[str, str] = field(default_factory=dict)
    least_message: int = 0
    never_rejected: frozenset[Outcome] = frozenset()
    # The reason that rests on attention checks, and how many must be failed in a sitting of so many minutes (0: not
    # known). Nobody can insist: where a platform has no such reason, a rejection rests on its message alone.
    failed_checks: str = ""
    least_failures: Callable[[int], int] = one_failure

    @property
    def defaults(self) -> dict[str, dict[str, Any]]:
        """Values of the tables of study.toml."""
        return {
            "collection": {
                "id_parameter": self.id_parameter,
                "id_pattern": self.id_pattern,
                "id_required": self.id_required,
                "study_parameter": self.study_parameter,
                "session_parameter": self.session_parameter,
                "recovery": [way.value for way in self.recovery],
            },
            "return": {"address": self.address, "home": self.home},
        }
