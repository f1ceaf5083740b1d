"""Who the labels of a study come from, and the words that pages use for them."""

from dataclasses import dataclass

from django.db import models


@dataclass(frozen=True, slots=True)
class Words:
    """How pages speak of those who label: people, or programs in their place. `kind` is a class of the style sheets."""

    kind: str
    one: str
    many: str
    labels: str
    # Those just named.
    they: str
    # What a model is set against: accuracy against ….
    truth: str

    @property
    def annotators(self) -> str:
        """Where an annotator is one of many who labeled, and not people as such."""
        return self.many if self.are_synthetic else "annotators"

    @property
    def theirs(self) -> str:
        """Whose something is."""
        return f"{self.many}’" if self.many.endswith("s") else f"{self.many}’s"

    @property
    def are_synthetic(self) -> bool:
        return self is SYNTHETIC


PEOPLE = Words(
    kind="people",
    one="person",
    many="people",
    labels="people’s labels",
    they="people",
    truth="people",
)
SYNTHETIC = Words(
    kind="synthetic",
    one="synthetic annotator",
    many="synthetic annotators",
    labels="the labels of synthetic annotators",
    they="they",
    truth="the synthetic labels",
)


class StudyPopulation(models.TextChoices):
    """A study never holds labels of both kinds."""

    NOBODY = "nobody", "no one yet"
    PEOPLE = "people", "people"
    SYNTHETIC = "synthetic", "synthetic annotators"

    @property
    def words(self) -> Words:
        """Those of people where no one has labeled yet: they are whom a study waits for."""
        return SYNTHETIC if self is StudyPopulation.SYNTHETIC else PEOPLE
