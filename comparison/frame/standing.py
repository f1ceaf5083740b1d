"""Where a study stands, as lists show it: do people agree, and which models are nearest."""

from dataclasses import dataclass

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
    found = chosen.outline
    return Standing(
        verdict=chosen.verdict,
        agreement_name=f"Krippendorff’s α, {'ordinal' if chosen.study.task.scale.ordered else 'nominal'}",
        has_labels=found.has_labels,
        has_references=found.has_references,
        against_people=found.against == MAJORITY and found.has_labels,
        instead="published ratings" if chosen.strength_target == PUBLISHED else "reference",
    )
