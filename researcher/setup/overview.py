"""Where a study's path stands: one line for each part, and what is fixed."""

from dataclasses import dataclass

from annotation.models import Consent, Item, Study
from annotation.models.study import Advance
from annotation.platforms.outcome import Outcome
from annotation.quality.sentences import policy
from annotation.quality.warnings import warnings
from annotation.stages.declared import Stages
from researcher.setup.forms import PARTS, PLATFORM_NAMES


@dataclass(frozen=True, slots=True)
class Line:
    """`is_there` is False for a stage that the study does not have."""

    key: str
    heading: str
    is_there: bool
    says: str


@dataclass(frozen=True, slots=True)
class Overview:
    lines: list[Line]
    policy: list[str]
    warnings: list[str]


def read_overview(study: Study) -> Overview:
    said = _said(study)
    lines = [Line(key, form.heading, bool(said[key]), said[key] or "none") for key, form in PARTS.items()]
    return Overview(lines, policy(study), warnings(study))


def consent_facts(study: Study) -> tuple[str, int]:
    """The version of the text that people are asked to agree to now, and how many have decided on it."""
    consent = study.path.consent
    if consent is None:
        return "", 0
    decided = Consent.objects.filter(version__study=study, version__version=consent.version)
    return consent.version, decided.count()


def _said(study: Study) -> dict[str, str]:
    """Of each part in a few words; empty for a stage that there is not."""
    path = study.path
    return {
        "information": _information(path),
        "consent": f"{_words(path.consent.text)}, version {path.consent.version}" if path.consent else "",
        "instructions": f"{_words(study.instructions)}, "
        + ("on a page of their own" if path.has_gate else "on the first page"),
        "comprehension": f"{_count(len(path.comprehension.questions), 'question')}, "
        f"{_count(path.comprehension.tries, 'try', 'tries')}"
        if path.comprehension
        else "",
        "items": _items(study),
        "questionnaire": _count(len(path.questionnaire), "question") if path.questionnaire else "",
        "debriefing": _words(path.debriefing) if path.debriefing else "",
        "platform": _platform(study),
    }


def _information(path: Stages) -> str:
    one = path.information
    if one is None:
        return ""
    minutes = f"about {_count(one.minutes, 'minute')}" if one.minutes else ""
    said = [minutes, one.pay, one.researcher, one.contact, _words(one.text) if one.text else ""]
    return " · ".join(part for part in said if part)


def _items(study: Study) -> str:
    practice = study.items.filter(kind=Item.Kind.PRACTICE).count()
    feedback = "each with its reference shown afterwards" if study.path.feedback else "without feedback"
    first = f"{_count(practice, 'practice item')}, {feedback}" if practice else "no practice items"
    then = "Enter moves on" if study.advance == Advance.ENTER else "choosing an answer moves on"
    return f"{first}; {then}"


def _platform(study: Study) -> str:
    who = PLATFORM_NAMES.get(study.platform, "an open link")
    if not study.codes:
        return f"{who}; each sitting has a code of its own"
    return f"{who}; {len(study.codes)} of {len(Outcome)} outcomes have a code"


def _words(text: str) -> str:
    return _count(len(text.split()), "word")


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
