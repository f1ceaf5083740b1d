"""Sixty items, labeled by a crowd of three and two assessors who are known by name."""

from pathlib import Path

import numpy as np
import pytest

from annotation.elsewhere.label_import import import_labels
from annotation.elsewhere.labelfile import LabelRow, write_labels
from annotation.models import Study
from comparison.statistics.counts import Ints
from tests.comparison.cast import give_run
from tests.studies import open_small_study, plausibility_row

DEGREES = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")
NAMES = ("Anna", "Bo", "crowd-1", "crowd-2", "crowd-3")
ITEMS = 60


def drawn(seed: int) -> Ints:
    """What each of the five says of every item, shape (people, items): near a truth that they share."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, ITEMS)
    noise = rng.choice([0, 0, 0, 0, 1, -1], size=(len(NAMES), ITEMS))
    return np.asarray(np.clip(truth + noise, 0, 4))


SAID = drawn(7)
# Anna labeled the first forty items alone.
ANNA = 40


@pytest.fixture
def crowd(db: None, tmp_path: Path) -> tuple[Study, Ints]:
    """Sixty items with references, labeled by a crowd of three and two assessors, all in one imported file."""
    rng = np.random.default_rng(3)
    references = np.clip(SAID[2] + rng.choice([0, 0, 1], ITEMS), 0, 4)
    rows = [plausibility_row(n + 1, reference=DEGREES[references[n]]) for n in range(ITEMS)]
    study = open_small_study(tmp_path / "crowd", rows, slug="crowd", collection={"labels_per_item": 5})
    labels = [
        LabelRow(row.id, name, DEGREES[SAID[who, n]])
        for n, row in enumerate(rows)
        for who, name in enumerate(NAMES)
        if name != "Anna" or n < ANNA
    ]
    write_labels(tmp_path / "labels.csv", labels)
    import_labels(study, tmp_path / "labels.csv")
    give_run(
        study, [(row.id, row.reference, None, "") for row in rows], key="parrot", metric="label", family="baseline"
    )
    study.refresh_from_db()
    return study, references
