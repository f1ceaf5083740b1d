"""What the results of a study hold runs against, and how that is called."""

from annotation.models import Study
from comparison.frame.filters.selection import Selection
from comparison.frame.judging import strength_words, target_of_strengths
from comparison.frame.outline import Outline
from comparison.frame.selected import Selected


class HeldAgainst:
    """Of what is `chosen` to be shown."""

    chosen: Selected

    @property
    def study(self) -> Study:
        return self.chosen.study

    @property
    def outline(self) -> Outline:
        return self.chosen.outline

    @property
    def selection(self) -> Selection:
        return self.chosen.selection

    @property
    def strength_target(self) -> str:
        """What strengths are held against: published numbers where a study has nothing else."""
        found = self.outline
        return target_of_strengths(
            has_labels=found.has_labels,
            has_references=found.has_references,
            has_published=found.has_published,
            against=self.selection.against,
        )

    @property
    def strength_words(self) -> str:
        return strength_words(self.strength_target, self.study.people)

    @property
    def strength_compared(self) -> str:
        """What of labels and references a strength is set against."""
        people, first = self.study.people, self.outline.values[0]
        if self.study.task.scale.ordered:
            return f"the mean degree of {people.labels} (1 is {first}) and the degree of the reference"
        return f"the share of {people.labels}, and the references, that are {first}"

    @property
    def has_truth(self) -> bool:
        """Whether there is anything to hold a run against."""
        return self.outline.has_labels or self.outline.has_references or self.outline.has_published

    @property
    def nothing_held(self) -> str:
        """Why there is no truth of the kind that runs are held against here; empty where there is."""
        return self.outline.no_majority if self.selection.against != "reference" else ""

    @property
    def target_words(self) -> str:
        return "the reference" if self.selection.against == "reference" else "the majority label"

    @property
    def exactly(self) -> str:
        """What accuracy is agreement with, beside ρ."""
        return "the reference" if self.selection.against == "reference" else "the most common rating"
