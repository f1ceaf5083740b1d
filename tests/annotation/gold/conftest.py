"""A pilot with labels, and a draft of the same task that has none."""

from pathlib import Path

import pytest

from annotation.elsewhere.label_import import import_labels
from annotation.elsewhere.labelfile import LabelRow, write_labels
from annotation.loading import load_study
from annotation.models import Study
from tests.studies import plausibility_row, write_study

# By item: three alike twice, two who differ from a third, two alike alone, none.
GIVEN = {
    1: ["more_likely"] * 3,
    2: ["impossible"] * 3,
    3: ["more_likely", "more_likely", "less_likely"],
    4: ["less_likely"] * 2,
}


@pytest.fixture
def pilot(db: None, tmp_path: Path) -> Study:
    rows = [plausibility_row(number, group="one", attributes={"class": "x"}) for number in range(1, 6)]
    study = load_study(write_study(tmp_path / "pilot", rows, slug="pilot")).study
    labels = [
        LabelRow(f"target-{number}", f"ann-{who}", label)
        for number, given in GIVEN.items()
        for who, label in enumerate(given)
    ]
    write_labels(tmp_path / "labels.csv", labels)
    import_labels(study, tmp_path / "labels.csv")
    study.refresh_from_db()
    return study


@pytest.fixture
def draft(db: None, tmp_path: Path) -> Study:
    rows = [plausibility_row(number) for number in range(101, 104)]
    return load_study(write_study(tmp_path / "draft", rows, slug="draft")).study
