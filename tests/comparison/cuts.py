"""A study on an ordered scale that is large enough for cut points."""

import pytest

from tests.comparison.cast import give_run
from tests.studies import open_small_study, plausibility_row
from tests.worlds import world

SIZE = 120
DEGREES = ["impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true"]


def degree_of(number):
    return DEGREES[number * 5 // SIZE]


@pytest.fixture
def cut_study(db, tmp_path):
    return world("with cut points", lambda: rising(tmp_path / "cut"))


def rising(folder):
    """Strengths that rise with the degrees but for every tenth item, and a baseline."""
    rows = [
        plausibility_row(number, reference=degree_of(number), attributes={"class": "odd" if number % 2 else "even"})
        for number in range(SIZE)
    ]
    study = open_small_study(folder, rows, slug="cut")
    strengths = [(row.id, None, float(-number if number % 10 == 0 else number), "") for number, row in enumerate(rows)]
    give_run(study, strengths, key="smol", family="causal")
    give_run(
        study, [(row.id, "impossible", None, "") for row in rows], key="majority", metric="label", family="baseline"
    )
    return study
