"""The data set in a bundle is a study folder that loads again with the same labels."""

import pytest
from django.core.management import call_command

from annotation.models import Study
from annotation.studyfile import read_study
from comparison.bundle.making import write_folder
from tests.annotation.stages.whole import open_whole
from tests.studies import open_small_study, plausibility_row


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "data"
    made.mkdir()
    return made


@pytest.mark.slow
def test_it_loads_with_the_same_items_and_labels(study, folder, tmp_path):
    write_folder(study, folder)
    settings = folder / "study.toml"
    settings.write_text(settings.read_text().replace('slug = "small"', 'slug = "again"'))
    call_command("load_study", folder)
    again = Study.objects.get(slug="again")
    assert again.content_hash == study.content_hash
    tallies = [list(one.items.values_list("external_id", "tally", "reference")) for one in (study, again)]
    assert tallies[0] == tallies[1]
    assert again.population == Study.Population.PEOPLE


def test_all_settings_are_there(tmp_path, folder, db):
    rows = [plausibility_row(1), plausibility_row(1, kind="gold", reference="less_likely")]
    more = {
        "collection": {"gold_per_sitting": 1},
        "codes": {"completed": "C1", "no_consent": "N1"},
        "return": {"address": "https://example.org/a?b={code}", "redirect": True},
    }
    study = open_small_study(tmp_path / "s", rows, **more)
    write_folder(study, folder)
    before, after = read_study(tmp_path / "s"), read_study(folder)
    assert before == after


def test_the_stages_of_a_participants_path_are_there(tmp_path, folder, db):
    study = open_whole(tmp_path / "whole")
    write_folder(study, folder)
    before, after = read_study(tmp_path / "whole"), read_study(folder)
    assert before.stages
    assert before == after


def test_synthetic_labels_cannot_be_loaded_as_those_of_people(synthetic_study, folder):
    write_folder(synthetic_study, folder)
    assert not (folder / "labels.csv").exists()
    assert (folder / "study.toml").read_text().startswith("# Labels are synthetic")
    lines = (folder / "judgments.csv").read_text().splitlines()
    assert len(lines) == 16
    assert all(line.startswith("synthetic,synthetic,") for line in lines[1:])
    read_study(folder)
