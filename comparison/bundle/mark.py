"""Whose labels a study holds, in one sentence that stands in every file."""

from annotation.models import Study
from annotation.models.population import StudyPopulation

SAID = {
    StudyPopulation.SYNTHETIC: "Labels are synthetic: a program made them, and they say nothing about the items.",
    StudyPopulation.PEOPLE: "The annotators are people; none is synthetic.",
    StudyPopulation.NOBODY: "No one has labeled these items yet.",
}


def mark(study: Study) -> str:
    return SAID[StudyPopulation(study.population)]


def title(study: Study) -> str:
    """The study's title, which says so too where labels are synthetic."""
    return f"{study.title} (synthetic labels)" if study.people.are_synthetic else study.title


def name(study: Study) -> str:
    """What files outside the bundle are called."""
    return f"{study.slug}-synthetic-report" if study.people.are_synthetic else f"{study.slug}-report"
