"""Who is offered what, and what happens to slots that are left."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.arrival.refusals import (
    AnnotatorExcluded,
    CapReached,
    NothingLeft,
    NothingMore,
    StudyNotOpen,
    WrongPopulation,
)
from annotation.assignment import release_lapsed, start
from annotation.lifecycle.status import close_study
from annotation.models import Annotator, Assignment, Item, Judgment, Sitting
from annotation.quality.exclusion import exclude
from annotation.recording import SittingOver, record
from tests.studies import open_small_study, person, plausibility_row, plausibility_rows, told

pytestmark = pytest.mark.django_db


def answer_all(sitting: Sitting, answer: str = "equally_likely") -> None:
    while (current := sitting.current()) is not None:
        record(sitting, current.position, answer)


def lapse(sitting: Sitting) -> None:
    Sitting.objects.filter(pk=sitting.pk).update(lease_expires_at=timezone.now() - timedelta(seconds=1))


def kinds(sitting: Sitting) -> list[str]:
    return list(sitting.assignments.values_list("item__kind", flat=True))


def test_a_sitting_holds_its_targets_and_checks(tmp_path):
    rows = plausibility_rows(9, gold=4, attention=3)
    study = open_small_study(tmp_path, rows, collection={"gold_per_sitting": 2, "attention_per_sitting": 1})
    found = kinds(start(study, person("ann")))
    assert (found.count("target"), found.count("gold"), found.count("attention")) == (5, 2, 1)
    assert Item.objects.filter(kind="target", reserved=1).count() == 5


def test_practice_comes_first(tmp_path):
    study = open_small_study(tmp_path, [*plausibility_rows(3), plausibility_row(1, kind="practice")])
    assert kinds(start(study, person("ann")))[0] == "practice"


@pytest.mark.slow
def test_checks_do_not_always_stand_in_the_same_place(tmp_path):
    study = open_small_study(
        tmp_path,
        plausibility_rows(5, attention=1),
        collection={"attention_per_sitting": 1, "labels_per_item": 30},
    )
    places = {kinds(start(study, person(f"p{number}"))).index("attention") for number in range(15)}
    assert len(places) > 2


def test_the_neediest_items_come_first(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(6), collection={"sitting_length": 3})
    first = set(start(study, person("ann")).assignments.values_list("item", flat=True))
    second = set(start(study, person("bob")).assignments.values_list("item", flat=True))
    assert not first & second


def test_starting_twice_is_one_sitting(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(6))
    assert start(study, person("ann")) == start(study, person("ann"))


@pytest.mark.slow
def test_nobody_is_offered_an_item_twice(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(6), collection={"sitting_length": 4})
    for _ in range(2):
        answer_all(start(study, person("ann")))
    assert Assignment.objects.values("item").distinct().count() == 6
    with pytest.raises(NothingMore):
        start(study, person("ann"))


@pytest.mark.slow
def test_the_cap_on_one_annotator_holds(tmp_path):
    study = open_small_study(
        tmp_path, plausibility_rows(9), collection={"sitting_length": 4, "max_items_per_annotator": 6}
    )
    answer_all(start(study, person("ann")))
    second = start(study, person("ann"))
    assert second.progress() == (0, 2)
    answer_all(second)
    with pytest.raises(CapReached):
        start(study, person("ann"))


def test_a_full_study_offers_nothing(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2), collection={"labels_per_item": 1})
    sitting = start(study, person("ann"))
    with pytest.raises(NothingLeft) as held:
        start(study, person("bob"))
    assert type(held.value) is NothingLeft, "what ann holds may become free"
    answer_all(sitting)
    with pytest.raises(NothingMore):
        start(study, person("bob"))


def test_a_lapsed_sitting_gives_its_slots_to_others(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2), collection={"labels_per_item": 1})
    lapse(start(study, person("ann")))
    assert start(study, person("bob")).progress() == (0, 2)


def test_upkeep_reopens_lapsed_slots(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2))
    sitting = start(study, person("ann"))
    lapse(sitting)
    assert (release_lapsed(), release_lapsed()) == (1, 0)
    assert list(Item.objects.values_list("need", flat=True)) == [3, 3]


def test_a_lapsed_annotator_goes_on_where_they_were(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(3), collection={"sitting_length": 3})
    sitting = start(study, person("ann"))
    record(sitting, 1, "impossible")
    lapse(sitting)
    release_lapsed()
    again = start(study, person("ann"))
    assert again == sitting
    current = again.current()
    assert current is not None
    assert current.position == 2
    assert Item.objects.filter(reserved=1).count() == 2


@pytest.mark.slow
def test_slots_that_have_gone_are_not_taken_back(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(3), collection={"labels_per_item": 1, "sitting_length": 3})
    sitting = start(study, person("ann"))
    record(sitting, 1, "impossible")
    lapse(sitting)
    answer_all(start(study, person("bob")))
    again = start(study, person("ann"))
    assert again.is_over
    assert again.progress() == (1, 1)


@pytest.mark.slow
def test_a_late_answer_is_kept_but_does_not_count_twice(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2), collection={"labels_per_item": 1, "sitting_length": 2})
    sitting = start(study, person("ann"))
    lapse(sitting)
    bob = start(study, person("bob"))
    record(bob, 1, "impossible")
    item = Assignment.objects.get(sitting=bob, position=1).item
    late = Assignment.objects.get(sitting=sitting, item=item)
    Assignment.objects.filter(sitting=sitting).update(shown_at=timezone.now())
    # Bob's other item goes back, so that Ann's sitting is still alive when her late answer comes.
    lapse(bob)
    release_lapsed()
    sitting.refresh_from_db()
    record(sitting, late.position, "more_likely")
    late.refresh_from_db()
    item.refresh_from_db()
    assert late.state == Assignment.State.SURPLUS
    assert (item.counted, item.tally) == (1, {"impossible": 1})


def left_without_a_slot(tmp_path) -> Sitting:
    """Ann was shown her first item and left; Bob has answered everything since."""
    study = open_small_study(tmp_path, plausibility_rows(4), collection={"labels_per_item": 1, "sitting_length": 2})
    ann = start(study, person("ann"))
    ann.assignments.filter(position=1).update(shown_at=timezone.now())
    lapse(ann)
    for _ in range(2):
        answer_all(start(study, person("bob")), "impossible")
    ann.refresh_from_db()
    assert ann.state == Sitting.State.LAPSED
    return ann


@pytest.mark.slow
def test_a_late_answer_is_kept_where_no_slot_is_left_at_all(tmp_path):
    ann = left_without_a_slot(tmp_path)
    assert told(record(ann, 1, "more_likely")) == (True, True)
    late = ann.assignments.get(position=1)
    assert (late.state, late.judgment.answer) == (Assignment.State.SURPLUS, "more_likely")
    assert list(Item.objects.values_list("counted", "reserved", "tally")) == [(1, 0, {"impossible": 1})] * 4
    ann.refresh_from_db()
    assert ann.is_over
    # Once more the same, from a page whose reply was lost; then another one, which the end forbids.
    assert told(record(ann, 1, "more_likely")) == (False, True)
    with pytest.raises(SittingOver):
        record(ann, 1, "impossible")
    assert Judgment.objects.filter(assignment__sitting=ann).count() == 1


@pytest.mark.slow
def test_a_late_answer_to_an_item_that_was_never_shown_is_refused(tmp_path):
    ann = left_without_a_slot(tmp_path)
    with pytest.raises(SittingOver):
        record(ann, 2, "more_likely")
    assert not Judgment.objects.filter(assignment__sitting=ann).exists()


@pytest.mark.slow
def test_a_late_answer_of_someone_who_was_excluded_is_refused(tmp_path):
    ann = left_without_a_slot(tmp_path)
    exclude(ann.study, ann.annotator, rule="researcher", evidence={})
    ann.refresh_from_db()
    with pytest.raises(SittingOver):
        record(ann, 1, "more_likely")


@pytest.mark.slow
def test_a_sitting_that_ended_in_another_tab_is_not_taken_for_one_to_begin(tmp_path):
    """Two late answers at once: the second must not lay out a new sitting, and land on the item that stands there."""
    ann = left_without_a_slot(tmp_path)
    before_it_ended = Sitting.objects.select_related("study", "annotator").get(pk=ann.pk)
    record(ann, 1, "more_likely")
    Item.objects.update(target=2)
    record(before_it_ended, 1, "more_likely")
    assert Sitting.objects.filter(annotator=ann.annotator).count() == 1
    assert Assignment.objects.filter(annotator=ann.annotator, state=Assignment.State.RESERVED).count() == 0


def test_the_database_refuses_an_overfull_item(tmp_path):
    open_small_study(tmp_path, plausibility_rows(1))
    with pytest.raises(IntegrityError), transaction.atomic():
        Item.objects.update(counted=2, reserved=2)


def test_a_closed_study_starts_nobody(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1))
    close_study(study)
    with pytest.raises(StudyNotOpen):
        start(study, person("ann"))


def test_an_excluded_annotator_cannot_come_back(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(1))
    start(study, person("ann"))
    exclude(study, person("ann"), rule="researcher", evidence={})
    with pytest.raises(AnnotatorExcluded):
        start(study, person("ann"))


def test_people_and_synthetic_annotators_never_mix(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(3))
    start(study, person("ann"))
    robot = Annotator.objects.create(platform="synthetic", external_id="robot", profile="careful")
    with pytest.raises(WrongPopulation):
        start(study, robot)


@pytest.mark.slow
def test_queries_do_not_grow_with_the_study(tmp_path):
    counts = []
    for size, name in ((6, "few"), (400, "many")):
        study = open_small_study(tmp_path / name, plausibility_rows(size), slug=name)
        with CaptureQueriesContext(connection) as caught:
            sitting = start(study, person(name))
            record(sitting, 1, "impossible")
        counts.append(len(caught))
    assert counts[0] == counts[1]


def test_checks_are_found_by_their_kind_and_not_by_reading_every_target(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(4, gold=2, attention=1))
    with CaptureQueriesContext(connection) as caught:
        start(study, person("ann"))
    (asked,) = (one["sql"] for one in caught if "'gold'" in one["sql"] and one["sql"].startswith("SELECT"))
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {asked}")
            steps = [row[-1] for row in cursor.fetchall()]
        assert any("(study_id=? AND kind=?" in step for step in steps), steps
    else:
        assert 'NOT ("annotation_item"."kind"' not in asked
