"""Why annotators are excluded, in words: which check, what was asked, what was answered, which limit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Exclusion, Item, Study
from annotation.quality.sentences import degrees
from annotation.tasktypes.contract import Scale
from comparison.frame.names import annotator_name


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One answered check in the words of the page."""

    item: str
    text: str
    expected: str
    answered: str
    distance: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """One exclusion. `because` is the rule with its count and limit; `checks` are the answers that broke it."""

    exclusion: Exclusion
    because: str
    checks: tuple[CheckLine, ...]

    @property
    def name(self) -> str:
        return annotator_name(self.exclusion.annotator_id)


def read_verdicts(study: Study) -> list[Verdict]:
    """Every exclusion, lifted ones too, the newest first. Two queries."""
    exclusions = list(study.exclusions.select_related("annotator"))
    wanted = {check["item"] for exclusion in exclusions for check in _checks(exclusion)}
    task, scale = study.task, study.task.scale
    texts = {
        item: task.text(content)
        for item, content in Item.objects.filter(study=study, external_id__in=wanted).values_list(
            "external_id", "content"
        )
    }
    return [
        Verdict(exclusion, because(exclusion), tuple(_line(check, texts, scale) for check in _checks(exclusion)))
        for exclusion in exclusions
    ]


def because(exclusion: Exclusion) -> str:
    """The rule with what it was held against: `2 of 2 attention checks failed; the limit is 0`."""
    found: dict[str, Any] = exclusion.evidence
    if exclusion.rule == Exclusion.Rule.ATTENTION:
        return (
            f"{found['attention_failures']} of {len(found['attention'])} attention checks failed; "
            f"the limit is {found['max_attention_failures']}"
        )
    if exclusion.rule == Exclusion.Rule.GOLD:
        far, answered = found["gold_far"], len(found["gold"])
        return (
            f"{far} of {answered} gold answers ({100 * far / answered:.0f} %) "
            f"{degrees(found['gold_distance'])} or more from the reference; "
            f"the limit is {100 * found['gold_tolerance']:.0f} %"
        )
    return f"decided by {found['by']}: {found['reason']}"


def _checks(exclusion: Exclusion) -> Sequence[Mapping[str, Any]]:
    """The answers that count against the annotator under the rule; for a researcher's decision, all failed ones."""
    found: dict[str, Any] = exclusion.evidence
    attention = [check for check in found["attention"] if check["distance"] > 0]
    gold = [check for check in found["gold"] if check["distance"] >= found["gold_distance"]]
    if exclusion.rule == Exclusion.Rule.ATTENTION:
        return attention
    return gold if exclusion.rule == Exclusion.Rule.GOLD else [*attention, *gold]


def _line(check: Mapping[str, Any], texts: Mapping[str, str], scale: Scale) -> CheckLine:
    return CheckLine(
        item=check["item"],
        text=texts.get(check["item"], "an item that is no longer in the study"),
        expected=scale.text(check["expected"]),
        answered=scale.text(check["answered"]),
        distance=check["distance"],
    )
