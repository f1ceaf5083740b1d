"""Why annotators are excluded, in words: which check, what was asked, what was answered, which limit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Exclusion, Item, Study
from annotation.quality.rules import BEYOND_MS
from annotation.quality.sentences import because as in_words
from annotation.quality.sentences import seconds
from annotation.tasktypes.contract import Scale

GONE = "an item no longer in the study"
# Rules whose evidence is answers to any item.
OF_ANSWERS = (Exclusion.Rule.QUICK, Exclusion.Rule.SITTING, Exclusion.Rule.STRAIGHT, Exclusion.Rule.PATTERN)


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One answered check in the words of the page."""

    item: str
    text: str
    expected: str
    answered: str
    distance: int


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One other answer, and what of it counts against the annotator: its label and place, or the time it took."""

    item: str
    text: str
    said: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """One exclusion. `because` is the rule with its count and limit; `checks` and `answers` are what broke it."""

    exclusion: Exclusion
    name: str
    because: str
    checks: tuple[CheckLine, ...]
    answers: tuple[AnswerLine, ...]

    @property
    def is_of_times(self) -> bool:
        return self.exclusion.rule in (Exclusion.Rule.QUICK, Exclusion.Rule.SITTING)

    @property
    def lifted(self) -> str:
        """By whom, where it is."""
        return "others have since agreed" if self.exclusion.lifted_by_policy else "reinstated"


def read_verdicts(study: Study, *, anonymous: bool = False) -> list[Verdict]:
    """Every exclusion, the newest first, in three queries. `anonymous`: without what a researcher wrote of somebody."""
    exclusions = list(study.exclusions.select_related("annotator"))
    names = study.annotator_numbers.names(one.annotator_id for one in exclusions)
    wanted = {one["item"] for exclusion in exclusions for one in (*_checks(exclusion), *_answers(exclusion))}
    task, scale = study.task, study.task.scale
    texts = {
        item: task.text(content)
        for item, content in Item.objects.filter(study=study, external_id__in=wanted).values_list(
            "external_id", "content"
        )
    }
    return [
        Verdict(
            exclusion,
            names[exclusion.annotator_id],
            because(exclusion, in_full=not anonymous),
            tuple(_line(check, texts, scale) for check in _checks(exclusion)),
            tuple(_said(one, texts, scale) for one in _answers(exclusion)),
        )
        for exclusion in exclusions
    ]


def because(exclusion: Exclusion, *, in_full: bool = True) -> str:
    """The rule with what it was held against: `2 of 2 attention checks failed; the limit is 0`."""
    return in_words(exclusion.rule, exclusion.evidence, in_full=in_full)


def _checks(exclusion: Exclusion) -> Sequence[Mapping[str, Any]]:
    """The answers that count against the annotator under the rule; for a researcher's decision, all failed ones."""
    if exclusion.rule in OF_ANSWERS:
        return []
    found: dict[str, Any] = exclusion.evidence
    attention = [check for check in found["attention"] if check["distance"] > 0]
    gold = [check for check in found["gold"] if check["distance"] >= found["gold_distance"]]
    if exclusion.rule == Exclusion.Rule.ATTENTION:
        return attention
    return gold if exclusion.rule == Exclusion.Rule.GOLD else [*attention, *gold]


def _answers(exclusion: Exclusion) -> Sequence[Mapping[str, Any]]:
    """What else the verdict rests on, under a rule of times or of order."""
    found: dict[str, Any] = exclusion.evidence
    return found[exclusion.rule] if exclusion.rule in OF_ANSWERS else []


def _said(one: Mapping[str, Any], texts: Mapping[str, str], scale: Scale) -> AnswerLine:
    said = _time(one) if "ms" in one else f"{scale.text(one['answered'])}, place {one['place']}"
    return AnswerLine(one["item"], texts.get(one["item"], GONE), said)


def _time(one: Mapping[str, Any]) -> str:
    claimed = one.get("claimed_ms")
    if claimed is None or claimed <= one["ms"] + BEYOND_MS:
        return seconds(one["ms"])
    return f"{seconds(one['ms'])} on the server, but the browser reported {seconds(claimed)}"


def _line(check: Mapping[str, Any], texts: Mapping[str, str], scale: Scale) -> CheckLine:
    return CheckLine(
        item=check["item"],
        text=texts.get(check["item"], GONE),
        expected=scale.text(check["expected"]),
        answered=scale.text(check["answered"]) if check["answered"] else "cannot judge",
        distance=check["distance"],
    )
