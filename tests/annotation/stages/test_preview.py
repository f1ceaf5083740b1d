"""A sitting that is never stored: whoever stands at an item has answered those before it as an attentive person."""

import pytest

from annotation.loading import load_study
from annotation.models import Assignment, Judgment, Sitting
from annotation.models.sitting import SittingStage as Stage
from annotation.platforms import Outcome
from annotation.recording import record
from annotation.stages.preview import reach, sitting_at
from tests.studies import plausibility_rows, write_study

STRICT = {
    "item_floor_ms": 5_000,
    "sitting_floor_ms": 5_000,
    "timed_least": 1,
    "quick_tolerance": 0.0,
    "gold_tolerance": 0.0,
    "gold_distance": 1,
}


@pytest.mark.django_db
def test_the_last_item_ends_a_sitting_that_passes_the_strictest_policy(tmp_path):
    collection = {"gold_per_sitting": 2, "attention_per_sitting": 2, "sitting_length": 8}
    rows = plausibility_rows(8, gold=2, attention=2)
    study = load_study(write_study(tmp_path, rows, collection=collection, quality=STRICT)).study
    with sitting_at(study, Stage.ITEMS) as sitting:
        last = reach(sitting, 12)
        record(sitting, 12, last.item.reference or "impossible", response_ms=9_000)
        sitting.refresh_from_db()
        assert (sitting.state, sitting.outcome) == (Sitting.State.FINISHED, Outcome.COMPLETED)
        assert Judgment.objects.count() == 12
    assert not Judgment.objects.exists()
    assert not Assignment.objects.exists()
