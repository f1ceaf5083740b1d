"""What is still to come, on the study page: from rows to the forecast, the cost, and the floors of time."""

from datetime import timedelta

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Sitting
from annotation.simulation import simulate
from comparison.statistics.response_times import times_of
from researcher.collecting.outlook import read_cost, read_outlook
from tests.studies import open_small_study, plausibility_rows

pytestmark = pytest.mark.slow


@pytest.fixture
def half(db, tmp_path):
    """Five careful annotators have labeled five items each, one careless one is excluded; 40 labels are wanted."""
    made = open_small_study(
        tmp_path / "half",
        plausibility_rows(20, attention=2),
        slug="half",
        collection={
            "labels_per_item": 2,
            "sitting_length": 5,
            "attention_per_sitting": 2,
            "max_items_per_annotator": 5,
        },
    )
    simulate(made, counts={"careful": 5, "careless": 1}, seed=1)
    # Synthetic annotators take no time: an hour for each, one after the other, of which they work ten minutes.
    start = timezone.now() - timedelta(days=1)
    for turn, sitting in enumerate(Sitting.objects.order_by("pk")):
        began = start + timedelta(hours=turn)
        Sitting.objects.filter(pk=sitting.pk).update(started_at=began, last_answer_at=began + timedelta(minutes=10))
    return made


def test_what_is_missing_is_forecast_from_what_ended(half):
    found = read_outlook(half)
    assert found.missing == 15
    assert next(line.name for line in found.lines) == "Further submissions needed"
    assert found.excluded.value == pytest.approx(1 / 6)
    assert found.excluded.n == 6
    # 25 labels of six sittings count: 15 more need 3.6 sittings, which is four.
    assert (found.left.sittings.value, found.left.sittings.n) == (4, 6)
    assert found.left.labels.value == 18
    assert found.left.hours.value == pytest.approx(3.6 / 6)
    # Six sittings in five hours and ten minutes.
    assert found.left.days.value == pytest.approx(3.6 / 6 * (5 + 1 / 6) / 24)


def test_yields_are_of_complete_items(half):
    found = dict(read_outlook(half).yields)
    complete = half.items.filter(kind="target", counted=2)
    tallies = [len(tally) for tally in complete.values_list("tally", flat=True)]
    assert found["unanimous"].n == found["no agreement"].n == len(tallies)
    assert found["unanimous"].value == pytest.approx(tallies.count(1) / len(tallies))
    assert found["majority"].value == 0


def test_the_cost_is_asked_for_and_a_fault_is_told(half, client):
    outlook = read_outlook(half)
    assert read_cost(outlook, "") is None
    cost = read_cost(outlook, "2.50")
    assert cost is not None and cost.words.startswith("10.00 [")
    for typed in ("much", "-1", "0", "nan", "inf", "1e99"):
        cost = read_cost(outlook, typed)
        assert cost is not None and cost.fault
    page = client.get(reverse("study", args=[half.slug]), {"pay": "2.50"}).content.decode()
    assert "Cost, at 2.50 per submission" in page and "10.00 [" in page
    assert "Further submissions needed" in page and "n = 6 sittings" in page
    assert (
        "Pay per submission is a number above 0"
        in client.get(reverse("study", args=[half.slug]), {"pay": "<b>"}).content.decode()
    )


def test_the_cost_stands_there_where_the_study_says_what_it_pays(half, client):
    address = reverse("study", args=[half.slug])
    assert "Cost, at" not in client.get(address).content.decode()
    type(half).objects.update(pay="2.50")
    assert "Cost, at 2.50 per submission" in client.get(address).content.decode()
    assert "Cost, at 3 per submission" in client.get(address, {"pay": "3"}).content.decode()
    type(half).objects.update(pay="0.00")
    assert "Pay per submission is a number" not in client.get(address).content.decode()


def test_a_study_that_nobody_has_answered_says_what_is_not_known(study, client):
    study.items.update(target=9)
    page = client.get(reverse("study", args=[study.slug])).content.decode()
    assert "fewer than 5 finished batches" in page
    assert "Done around" not in page


def test_floors_follow_from_the_median_of_medians_whoever_is_quick():
    honest = np.repeat(np.arange(9), 20)
    took = np.full(180, 4000)
    calm = times_of(honest, took)
    rushed = times_of(np.concatenate([honest, np.full(400, 99)]), np.concatenate([took, np.full(400, 200)]))
    assert calm is not None and rushed is not None
    assert (
        (calm.item_floor_ms, calm.sitting_floor_ms) == (rushed.item_floor_ms, rushed.sitting_floor_ms) == (1200, 1600)
    )
    assert rushed.below_item_floor == pytest.approx(400 / 580)


def test_a_few_answers_propose_no_floor():
    found = times_of(np.repeat(np.arange(4), 50), np.full(200, 4000))
    assert found is not None and found.item_floor_ms is None
    assert "100 timed answers by 5 annotators" in found.why_no_floor
    assert times_of(np.zeros(0, dtype=int), np.zeros(0, dtype=int)) is None
