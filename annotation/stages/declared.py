"""What a study says of the stages around its items, as its study file declares them. Free of Django."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.languages import gettext_noop

# As wide as they can be and still say something: nobody is known by one of them.
AGE_BANDS = (
    gettext_noop("18 to 24"),
    gettext_noop("25 to 34"),
    gettext_noop("35 to 44"),
    gettext_noop("45 to 54"),
    gettext_noop("55 to 64"),
    gettext_noop("65 or older"),
)
# An answer too: to a question that must be answered, the only way not to say it.
DECLINED = gettext_noop("Prefer not to say")


@dataclass(frozen=True, slots=True)
class Information:
    """What somebody knows before they begin. 0 minutes and empty texts are not said."""

    minutes: int
    pay: str
    researcher: str
    contact: str
    text: str


@dataclass(frozen=True, slots=True)
class ConsentText:
    text: str
    version: str


@dataclass(frozen=True, slots=True)
class Question:
    """Of comprehension: one of the options is right. `explanation` is what somebody reads who chose another."""

    question: str
    options: tuple[str, ...]
    answer: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Comprehension:
    tries: int
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """One question of the questionnaire; `kind` is what it is answered by."""

    name: str
    question: str
    kind: str
    options: tuple[str, ...]
    required: bool

    @property
    def choices(self) -> tuple[str, ...]:
        """What there is to choose from; empty where people write."""
        if self.kind != "age_band":
            return self.options
        return (*AGE_BANDS, DECLINED) if self.required else AGE_BANDS


@dataclass(frozen=True, slots=True)
class Stages:
    """None, or no field, is a stage that the study does not have. Instructions and items it always has."""

    information: Information | None
    consent: ConsentText | None
    comprehension: Comprehension | None
    feedback: bool
    questionnaire: tuple[Field, ...]
    debriefing: str

    @property
    def has_gate(self) -> bool:
        """Whether somebody may be turned back before the items: until then they hold none of them."""
        return self.consent is not None or self.comprehension is not None


def declared(tables: Mapping[str, Mapping[str, Any]]) -> Stages:
    """The stages of a study, from the tables that annotation.studyfile.stages has read and checked."""
    comprehension, information, consent = (tables.get(name) for name in ("comprehension", "information", "consent"))
    return Stages(
        information=Information(**information) if information else None,
        consent=ConsentText(**consent) if consent else None,
        comprehension=_comprehension(comprehension) if comprehension else None,
        feedback=tables.get("practice", {}).get("feedback", True),
        questionnaire=tuple(
            Field(**{**field, "options": tuple(field["options"])})
            for field in tables.get("questionnaire", {}).get("fields", [])
        ),
        debriefing=tables.get("debriefing", {}).get("text", ""),
    )


def _comprehension(table: Mapping[str, Any]) -> Comprehension:
    questions = (Question(**{**one, "options": tuple(one["options"])}) for one in table["questions"])
    return Comprehension(table["tries"], tuple(questions))
