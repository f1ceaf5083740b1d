"""Attributes that a study declares as numbers: held to its items, stored, and written back."""

import pytest

from annotation.studyfile.reading import StudyFileError, tables_of
from tests.studies import open_small_study, plausibility_row


def rows(*intensities):
    return [plausibility_row(n, attributes={"intensity": one}) for n, one in enumerate(intensities, 1)]


@pytest.mark.django_db
def test_they_are_stored_and_written_back(tmp_path):
    study = open_small_study(tmp_path / "s", rows("0.5", "-1", ""), results={"numbers": ["intensity"]})
    assert study.numbers == ["intensity"]
    assert tables_of(study)["results"] == {"numbers": ["intensity"]}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (["intensity"], "results.numbers: intensity of 'target-2' is 'high', which is not a number"),
        (["strength"], "results.numbers: names 'strength', but no item has it"),
        ("intensity", "results.numbers: must be a list of names of attributes, each once"),
        (["a", "a"], "results.numbers: must be a list of names of attributes, each once"),
    ],
)
def test_what_is_no_number_is_refused_by_item(tmp_path, names, fault):
    with pytest.raises(StudyFileError) as refused:
        open_small_study(tmp_path / "s", rows("0.5", "high"), results={"numbers": names})
    assert fault in str(refused.value)
