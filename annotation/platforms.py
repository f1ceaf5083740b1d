"""Those who send participants: Prolific, any panel, Mechanical Turk, and one's own volunteers.

Of each: what study.toml says for it unless the study file says otherwise, what its ids look like, the addresses back to
it, and its rules. Free of Django: study files are read by it. To add a platform: a `Platform` below, its place in
PLATFORMS, its row in docs/studies.md, and an example in examples/.

Prolific's rules on checks are its “Attention and Comprehension Check Policy”
(researcher-help.prolific.com/en/article/fb63bb, as stored in 2022), quoted in its forum (community.prolific.co/t/6620
and /t/6237): from 5 minutes on, only who failed two attention checks or more may be rejected, in a shorter study one is
enough; a check says in so many words which answer it wants; it recommends one in any study; for comprehension nobody is
rejected, they are asked to return their submission. Read the policy itself before a study: it changes.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import quote, urlsplit

from annotation.setting import Warned

# What an address can carry: the platform's code for the outcome, the outcome's name, the platform's ids.
PLACEHOLDERS = ("code", "outcome", "id", "session")
LONGEST = 300
_PLACEHOLDER = re.compile(r"\{(" + "|".join(PLACEHOLDERS) + r")\}")
_ADDRESS = re.compile(r"https://[\x21-\x7e]+")
# The query parameter of a personal link's signature (annotation/arrival/visitor.py).
SIGNATURE = "signature"


def is_address(value: object) -> bool:
    """Whether it can be a template: https, and no placeholder in the host, where an id would decide who is asked."""
    if not isinstance(value, str) or len(value) > LONGEST or not _ADDRESS.fullmatch(value):
        return False
    host = urlsplit(value).netloc
    return bool(host) and not re.search(r"[{}]", host + _PLACEHOLDER.sub("", value))


def tells_outcomes_apart(template: str) -> bool:
    """Whether one address can serve every outcome."""
    return {"code", "outcome"} & set(_PLACEHOLDER.findall(template)) != set()


def filled_in(template: str, values: dict[str, str]) -> str:
    """The address; empty where it asks for something that is not known."""
    if not all(values.get(name) for name in _PLACEHOLDER.findall(template)):
        return ""
    return _PLACEHOLDER.sub(lambda found: quote(values[found[1]], safe=""), template)


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


def no_rules(rules: Rules) -> list[Warned]:
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
    warnings: Callable[[Rules], list[Warned]] = field(default=no_rules)
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
        names = ("id_parameter", "id_pattern", "id_required", "study_parameter", "session_parameter")
        return {
            "collection": {name: getattr(self, name) for name in names}
            | {"recovery": [way.value for way in self.recovery]},
            "return": {"address": self.address, "home": self.home},
        }


SUBMIT = "/mturk/externalSubmit"
LIVE, SANDBOX = "https://www.mturk.com", "https://workersandbox.mturk.com"
# From here on one failed check does not reject.
LONG_MINUTES = 5
SHOWN = 5


def least_failures(minutes: int) -> int:
    """Before a rejection. A sitting whose length is not known may be a long one."""
    return 1 if 0 < minutes < LONG_MINUTES else 2


CHECKS, FAILURES = "collection.attention_per_sitting", "quality.max_attention_failures"


def prolific_warnings(rules: Rules) -> list[Warned]:
    return [*_of_attention(rules), *_of_codes(rules)]


def _of_attention(rules: Rules) -> list[Warned]:
    found = []
    if rules.attention_per_sitting == 0:
        says = "Prolific recommends attention checks, and this study has none. Add “Attention checks per batch”."
        found.append(Warned(CHECKS, "Prolific recommends attention checks", says))
    elif least_failures(rules.minutes) > 1:
        when = "" if rules.minutes else f"For batches of {LONG_MINUTES} minutes or more: "
        rule = f"{when}Prolific rejects no one for one failed attention check"
        if rules.attention_per_sitting == 1:
            says = f"{rule}, and a batch has only one. Set “Attention checks per batch” to 2, or pay those who fail."
            found.append(Warned(CHECKS, "One check cannot reject anyone", says))
        if rules.max_attention_failures == 0:
            says = (
                f"{rule}, but this study excludes for one. Set “Failed attention checks allowed” to 1, or pay people "
                "who failed one."
            )
            found.append(Warned(FAILURES, "One failed check excludes", says))
    if rules.gold_per_sitting:
        says = (
            "Prolific does not count gold items as attention checks: people excluded only by gold cannot be rejected."
        )
        found.append(Warned("", "Gold items reject no one", says))
    if rules.unasked:
        named = ", ".join(rules.unasked[:SHOWN]) + (" …" if len(rules.unasked) > SHOWN else "")
        says = f"Prolific accepts only attention checks whose text says which answer to give. These may not: {named}."
        found.append(Warned(CHECKS, "Checks may not name their answer", says))
    return found


def _of_codes(rules: Rules) -> list[Warned]:
    completed = f"codes.{Outcome.COMPLETED}"
    if Outcome.COMPLETED not in rules.codes:
        says = "“Code for completed” is missing: people have no code that Prolific knows."
        return [Warned(completed, "Completion code is missing", says, stops=True)]
    found = []
    missing = [outcome for outcome in Outcome if outcome not in rules.codes]
    if missing:
        named = ", ".join(outcome.words for outcome in missing)
        says = f"Codes are missing for {named}. These people return to Prolific without one."
        found.append(Warned(f"codes.{missing[0]}", "Other codes are missing", says))
    screened = rules.codes.get(Outcome.SCREENED_OUT)
    if screened and screened == rules.codes.get(Outcome.FAILED_CHECKS):
        says = (
            "“Code for screened out” and “Code for failed checks” are the same. Prolific does not let you reject "
            "people who were screened out, so use two codes."
        )
        found.append(Warned(f"codes.{Outcome.SCREENED_OUT}", "Two outcomes share a code", says))
    return found


PROLIFIC = Platform(
    key="prolific",
    name="Prolific",
    id_parameter="PROLIFIC_PID",
    id_pattern="[0-9a-f]{24}",
    study_parameter="STUDY_ID",
    session_parameter="SESSION_ID",
    placeholders=("{{%PROLIFIC_PID%}}", "{{%STUDY_ID%}}", "{{%SESSION_ID%}}"),
    address="https://app.prolific.com/submissions/complete?cc={code}",
    home="https://app.prolific.com/",
    warnings=prolific_warnings,
    # The categories of its API (docs.prolific.com, "Approve or reject a submission").
    rejections={
        "FAILED_CHECK": "failed attention checks",
        "LOW_EFFORT": "clear lack of effort",
        "TOO_QUICKLY": "exceptionally fast: three standard deviations below the mean",
        "TOO_SLOWLY": "too slow",
        "FAILED_INSTRUCTIONS": "did not follow the instructions",
        "NO_DATA": "no answers have arrived",
        "NO_CODE": "no completion code",
        "BAD_CODE": "a wrong completion code",
        "UNSUPP_DEVICE": "a device that the study does not allow",
        "INCOMP_LONGITUDINAL": "skipped a part of a multi-part study",
        "MALINGERING": "lied to get into the study",
        "OTHER": "another reason, given in the message",
    },
    failed_checks="FAILED_CHECK",
    least_failures=least_failures,
    least_message=100,
    never_rejected=frozenset({Outcome.SCREENED_OUT, Outcome.NO_CONSENT, Outcome.QUOTA_FULL, Outcome.WITHDRAWN}),
)


def panel_warnings(rules: Rules) -> list[Warned]:
    if "address" in rules.addresses:
        return []
    missing = [outcome for outcome in Outcome if outcome not in rules.addresses]
    if not missing:
        return []
    named = ", ".join(outcome.words for outcome in missing)
    says = f"Return URLs are missing for {named}: these people cannot return to the panel."
    return [Warned(f"return.{missing[0]}", "Return URLs are missing", says, stops=Outcome.COMPLETED in missing)]


# Any panel says who comes by `id`, and each outcome has an address, which the study file names.
PANEL = Platform(
    key="panel",
    name="Another panel",
    id_parameter="id",
    study_parameter="study",
    session_parameter="session",
    warnings=panel_warnings,
)
# Mechanical Turk's ExternalQuestion: our pages stand in a frame of the worker's page.
# docs.aws.amazon.com/AWSMechTurk/latest/AWSMturkAPI/ApiReference_ExternalQuestionArticle.html: before a worker accepts,
# assignmentId is a fixed word and nothing may be asked; at the end a form posts assignmentId and at least one other
# field to `turkSubmitTo` + /mturk/externalSubmit. Of that address only the two hosts that there are, are believed.
MTURK = Platform(
    key="mturk",
    name="Mechanical Turk (ExternalQuestion)",
    id_parameter="workerId",
    id_pattern="[A-Z0-9]{5,40}",
    study_parameter="hitId",
    session_parameter="assignmentId",
    # A frame may lose its cookies, and nobody but the worker knows the assignment.
    recovery=(Recovery.SESSION,),
    framing=Framing(
        by=(
            LIVE,
            SANDBOX,
            "https://worker.mturk.com",
            "https://requester.mturk.com",
            "https://requestersandbox.mturk.com",
        ),
        preview=("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE"),
        submit_parameter="turkSubmitTo",
        submits={LIVE: LIVE + SUBMIT, SANDBOX: SANDBOX + SUBMIT},
    ),
)
# By an open link, each browser one annotator; or by personal links to ids of one's own.
VOLUNTEERS = Platform(
    key="volunteers",
    name="Your own volunteers",
    id_parameter="annotator",
    id_required=False,
    study_parameter="STUDY_ID",
    session_parameter="SESSION_ID",
)

PLATFORMS: dict[str, Platform] = {platform.key: platform for platform in (PROLIFIC, PANEL, MTURK, VOLUNTEERS)}
