"""Where a study stands, as lists show it: do people agree, which models are nearest, and what does not count."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Assignment
from comparison.frame.judging import PUBLISHED
from comparison.frame.selected import Selected
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.evidence import MAJORITY
from comparison.statistics.verdict.parts import Verdict


@dataclass(frozen=True, slots=True)
class Standing:
    """`against_people`: runs are compared with people's labels. Where no item has a majority, references stand in."""

    verdict: Verdict
    agreement_name: str
    has_labels: bool
    has_references: bool
    against_people: bool
    # What stands in for people where there is nothing of theirs to hold a run against.
    instead: str

    @property
    def agreement(self) -> Estimate:
        return self.verdict.people.alpha


def read_standing(chosen: Selected) -> Standing:
    """Of all of a study, by what its results show."""
    outline = chosen.outline
    return Standing(
        verdict=chosen.verdict,
        agreement_name=f"Krippendorff’s α, {'ordinal' if chosen.study.task.scale.ordered else 'nominal'}",
        has_labels=outline.has_labels,
        has_references=outline.has_references,
        against_people=outline.against == MAJORITY and outline.has_labels,
        instead="published ratings" if chosen.strength_target == PUBLISHED else "reference",
    )


STATE = Assignment.State
# What answered assignments on targets come to, where their labels do not count.
SET_ASIDE = {
    "excluded": Count("pk", filter=Q(state=STATE.EXCLUDED)),
    "surplus": Count("pk", filter=Q(state=STATE.SURPLUS)),
    "dropped": Count("pk", filter=Q(state=STATE.DROPPED)),
}


def none_valid(*, excluded: int, surplus: int, annotators: int, dropped: int = 0) -> str:
    """Of labels of which none counts, how many there are and why: `4 labels, none valid: 1 annotator excluded`."""
    labels = excluded + surplus + dropped
    if not labels:
        return ""
    why = [f"{annotators:,} annotator{'' if annotators == 1 else 's'} excluded"] if excluded else []
    why += [f"{surplus:,} surplus"] if surplus else []
    why += [f"{dropped:,} of dropped items"] if dropped else []
    return f"{labels:,} label{'' if labels == 1 else 's'}, none valid: {', '.join(why)}"
