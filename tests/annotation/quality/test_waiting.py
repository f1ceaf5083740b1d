"""Verdicts that hang on what others say: the same whoever came first, looked at again at a constant cost."""

import random
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.assignment import finish, release_lapsed, start
from annotation.models import Exclusion, Repeater, Sitting
from annotation.privacy import erase
from annotation.quality.exclusion import apply_policy, exclude, reinstate
from annotation.quality.policy import Policy
from annotation.quality.rerun import rejudge
from annotation.recording import record
from tests.studies import open_small_study, person, plausibility_rows

pytestmark = pytest.mark.django_db

VALUES = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")
ROW = "equally_likely"


def opened(tmp_path, *, items=12, length=12, labels=3, slug="small", **quality):
    return open_small_study(
        tmp_path / slug,
        plausibility_rows(items),
        slug=slug,
        collection={"labels_per_item": labels, "sitting_length": length, "max_items_per_annotator": length},
        quality={"max_same_in_a_row": 6, "max_in_pattern": 8, **quality},
    )


def careful(item, rng):
    """What is true of the item, but for one answer in five."""
    return VALUES[item.position * 7 % 5] if rng.random() < 0.8 else rng.choice(VALUES)


def walk(study, name, *, straight, rng=None, says=None):
    rng = rng or random.Random(name)
    sitting = start(study, person(name))
    while (current := sitting.current()) is not None:
        value = says(current.item) if says else ROW if straight else careful(current.item, rng)
        record(sitting, current.position, value)
    sitting.refresh_from_db()
    return sitting


def mostly_the_row(turn, item):
    return ROW if (item.position + turn) % 3 else VALUES[0]


def excluded(study):
    return set(study.exclusions.in_force().values_list("annotator", flat=True))


@pytest.mark.slow
@pytest.mark.parametrize("order", ["SHHHHH", "HHSHHH", "HHHHHS", "SSHHHHHH", "HSHHSH", "SHHHHS"])
@pytest.mark.parametrize("seed", [1, 2])
def test_who_comes_first_makes_no_difference(tmp_path, order, seed):
    """With two sittings' worth of items, so that one shares some items with one and some with another."""
    study = opened(tmp_path, items=24)
    rng, repeating = random.Random(seed), set()
    for place, kind in enumerate(order + "HHHHHH"):
        try:
            sitting = walk(study, f"{kind}-{place}", straight=kind == "S", rng=rng)
        except Exception as error:  # noqa: BLE001 -- the study is full
            assert type(error).__name__ in ("NothingLeft", "CapReached")
            break
        if kind == "S":
            repeating.add(sitting.annotator_id)
    assert excluded(study) == set(rejudge(study, Policy.of(study))) == repeating


@pytest.mark.slow
@pytest.mark.parametrize("seed", [949, 1951])
def test_who_looks_repetitive_once_a_neighbor_is_excluded_waits_for_others(tmp_path, monkeypatch, seed):
    """By chance the seventh answers in a pattern, which is strange only without the second's labels; and the second's
    row is strange only with the seventh's. Such orders of items are rare, and were looked for.
    """
    tokens = random.Random(seed)
    monkeypatch.setattr(Sitting._meta.get_field("token"), "_get_default", lambda: f"{tokens.getrandbits(100)}")
    study, rng = opened(tmp_path, items=24), random.Random(2)
    sittings = [walk(study, f"{kind}-{place}", straight=kind == "S", rng=rng) for place, kind in enumerate("HSHHSHH")]
    repeating = {sittings[1].annotator_id, sittings[4].annotator_id}
    assert excluded(study) == repeating
    assert set(rejudge(study, Policy.of(study))) == repeating | {sittings[6].annotator_id}
    walk(study, "in-their-place", straight=False, rng=rng)
    assert excluded(study) == set(rejudge(study, Policy.of(study))) == repeating
    sittings[6].refresh_from_db()
    assert sittings[6].outcome == "completed"


def test_the_first_is_excluded_once_two_others_have_said_otherwise(tmp_path):
    study = opened(tmp_path)
    first = walk(study, "first", straight=True)
    assert (first.outcome, excluded(study)) == ("completed", set())
    assert Repeater.objects.get().annotator_id == first.annotator_id
    walk(study, "second", straight=False)
    assert excluded(study) == set()
    walk(study, "third", straight=False)
    assert excluded(study) == {first.annotator_id}
    assert len(Exclusion.objects.get().evidence["straight"]) == 12
    first.refresh_from_db()
    assert first.outcome == "completed"
    assert set(study.items.values_list("counted", "need")) == {(2, 1)}


def test_a_sitting_that_lapses_counts_as_one_that_ends(tmp_path):
    study = opened(tmp_path)
    first = walk(study, "first", straight=True)
    walk(study, "second", straight=False)
    third = start(study, person("third"))
    for position in range(1, 12):
        record(third, position, careful(third.assignments.get(position=position).item, random.Random(position)))
    assert excluded(study) == set()
    Sitting.objects.filter(pk=third.pk).update(lease_expires_at=third.started_at)
    release_lapsed(study=study)
    assert excluded(study) == {first.annotator_id}


@pytest.mark.slow
def test_who_is_at_a_sitting_is_judged_when_it_ends(tmp_path):
    study = opened(tmp_path, items=24, length=12)
    study.max_items_per_annotator = 24
    study.save()
    walk(study, "first", straight=True)
    under_way = start(study, person("first"))
    for name in ("second", "third", "fourth", "fifth"):
        walk(study, name, straight=False)
    assert excluded(study) == set()
    finish(under_way)
    assert excluded(study) == {under_way.annotator_id}


@pytest.mark.slow
def test_a_verdict_goes_when_others_say_the_same_by_then(tmp_path):
    study = opened(tmp_path, items=8, length=8, labels=12, stretch_chance=0.001)
    first = walk(study, "first", straight=True)
    for name in ("second", "third"):
        walk(study, name, straight=False, says=lambda item: "less_likely" if item.position % 2 else "more_likely")
    assert excluded(study) == {first.annotator_id}
    for turn in range(9):
        now = walk(study, f"more-{turn}", straight=False, says=partial(mostly_the_row, turn))
        assert now.annotator_id not in excluded(study)
    verdict = Exclusion.objects.get(annotator=first.annotator_id)
    assert (verdict.lifted_at is not None, verdict.lifted_by_policy) == (True, True)
    assert excluded(study) == set(rejudge(study, Policy.of(study)))
    assert set(study.items.values_list("counted", flat=True)) == {12}


@pytest.mark.slow
def test_what_a_researcher_decides_is_looked_at_too_and_stands(tmp_path):
    study = opened(tmp_path)
    first = walk(study, "first", straight=True)
    walk(study, "second", straight=False)
    third = walk(study, "third", straight=False)
    assert excluded(study) == {first.annotator_id}
    decided = exclude(study, third.annotator, rule="researcher", evidence={})
    assert excluded(study) == {third.annotator_id}
    reinstate(decided)
    assert excluded(study) == {first.annotator_id}
    reinstate(Exclusion.objects.get(annotator=first.annotator_id))
    apply_policy(study, third.annotator)
    assert first.annotator_id not in excluded(study)


@pytest.mark.slow
@pytest.mark.parametrize("crowd", [3, 12])
def test_looking_again_costs_the_same_however_many_there_are(tmp_path, crowd):
    """Repeaters of whose items nobody says anything new are not even read."""
    study = opened(tmp_path, items=12 * crowd, labels=1)
    for number in range(crowd - 1):
        walk(study, f"repeater-{number}", straight=True)
    last = start(study, person("last"))
    for position in range(1, 13):
        record(last, position, careful(last.assignments.get(position=position).item, random.Random(position)))
    assert Repeater.objects.count() == crowd - 1
    with CaptureQueriesContext(connection) as caught:
        apply_policy(study, last.annotator)
    reads = [one["sql"] for one in caught if one["sql"].startswith("SELECT")]
    assert len(reads) == 4, reads


def test_a_verdict_goes_with_the_labels_it_hung_on(tmp_path):
    study = opened(tmp_path)
    first = walk(study, "first", straight=True)
    walk(study, "second", straight=False)
    third = walk(study, "third", straight=False)
    assert excluded(study) == {first.annotator_id}
    erase(study, third.annotator, labels=True)
    assert excluded(study) == set()


def test_who_was_erased_waits_for_no_verdict(tmp_path):
    study = opened(tmp_path)
    first = walk(study, "first", straight=True)
    erase(study, first.annotator, labels=True)
    assert not Repeater.objects.exists()
