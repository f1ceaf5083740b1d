"""Pages speak of people and of synthetic annotators in words that stand in one place."""

from dataclasses import fields

from annotation.models import Study
from annotation.models.population import PEOPLE, SYNTHETIC, Words


def test_a_study_of_synthetic_annotators_is_never_said_to_be_of_people():
    assert Study(population=Study.Population.SYNTHETIC).people is SYNTHETIC
    assert SYNTHETIC.are_synthetic
    assert not [name.name for name in fields(Words) if "people" in getattr(SYNTHETIC, name.name)]


def test_a_study_that_nobody_has_labeled_waits_for_people():
    for population in (Study.Population.PEOPLE, Study.Population.NOBODY):
        assert Study(population=population).people is PEOPLE
    assert not PEOPLE.are_synthetic


def test_a_population_as_the_database_gives_it_has_its_words():
    assert Study(population="synthetic").people.one == "synthetic annotator"
