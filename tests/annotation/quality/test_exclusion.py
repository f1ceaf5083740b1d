"""ADEPT's two rules, what they do to labels and slots, and a researcher's own verdict."""

import pytest

from annotation.assignment import start
from annotation.models import Assignment, Exclusion, Item, Study
from annotation.opening import close_study, open_study
from annotation.quality.exclusion import apply_policy, evidence, exclude, reinstate
from annotation.quality.policy import fixed_hash
from annotation.recording import record
from tests.studies import open_small_study, person, plausibility_rows

pytestmark = pytest.mark.django_db


def study_with_checks(tmp_path, *, gold=10, attention=1, **quality):
    return open_small_study(
        tmp_path,
        plausibility_rows(4, gold=gold, attention=attention),
        collection={"sitting_length": 4, "gold_per_sitting": gold, "attention_per_sitting": attention},
        quality=quality,
    )


def answer(study, name, *, gold_wrong=0, wrong="necessarily_true", attention="impossible"):
    """Answer a whole sitting; so many gold items with `wrong`, the others right (less_likely)."""
    sitting = start(study, person(name))
    while (current := sitting.current()) is not None:
        value = {"target": "equally_likely", "attention": attention, "gold": "less_likely"}[current.item.kind]
        if current.item.kind == "gold" and gold_wrong:
            value, gold_wrong = wrong, gold_wrong - 1
        record(sitting, current.position, value)
    return sitting


def test_good_answers_are_not_excluded(tmp_path):
    study = study_with_checks(tmp_path)
    answer(study, "ann")
    assert not Exclusion.objects.exists()
    assert Assignment.objects.filter(state="counted").count() == 15


def test_one_failed_attention_check_excludes(tmp_path):
    study = study_with_checks(tmp_path)
    answer(study, "ann", attention="more_likely")
    exclusion = Exclusion.objects.get()
    assert exclusion.rule == "attention"
    assert exclusion.evidence["attention_failures"] == 1
    assert exclusion.evidence["attention"][0] == {
        "item": "attention-1",
        "expected": "impossible",
        "answered": "more_likely",
        "distance": 3,
    }


def test_exactly_a_tenth_of_gold_far_off_is_allowed(tmp_path):
    answer(study_with_checks(tmp_path), "ann", gold_wrong=1)
    assert not Exclusion.objects.exists()


def test_more_than_a_tenth_of_gold_far_off_excludes(tmp_path):
    answer(study_with_checks(tmp_path), "ann", gold_wrong=2)
    exclusion = Exclusion.objects.get()
    assert (exclusion.rule, exclusion.evidence["gold_far"], len(exclusion.evidence["gold"])) == ("gold", 2, 10)


def test_gold_one_degree_off_is_near_enough(tmp_path):
    answer(study_with_checks(tmp_path), "ann", gold_wrong=10, wrong="equally_likely")
    assert not Exclusion.objects.exists()


@pytest.mark.slow
def test_both_limits_are_the_studys_own(tmp_path):
    study = study_with_checks(tmp_path, max_attention_failures=1, gold_tolerance=0.5, gold_distance=1)
    answer(study, "ann", gold_wrong=5, wrong="equally_likely", attention="more_likely")
    assert not Exclusion.objects.exists()
    answer(study, "bob", gold_wrong=6, wrong="equally_likely")
    assert Exclusion.objects.get().rule == "gold"


def test_excluded_labels_stay_stop_counting_and_reopen_their_slots(tmp_path):
    study = study_with_checks(tmp_path)
    answer(study, "ann", attention="more_likely")
    targets = Item.objects.filter(kind="target")
    assert list(targets.values_list("counted", "reserved", "need")) == [(0, 0, 3)] * 4
    assert all(item.tally == {} for item in targets)
    assert Assignment.objects.filter(state="excluded", judgment__isnull=False).count() == 15
    assert start(study, person("bob")).progress()[1] == 15


def test_exclusion_midway_ends_the_sitting(tmp_path):
    study = study_with_checks(tmp_path)
    sitting = start(study, person("ann"))
    record(sitting, 1, "impossible")
    exclude(study, person("ann"), rule="researcher", evidence={"reason": "asked to be left out"})
    sitting.refresh_from_db()
    assert sitting.is_over
    assert Item.objects.filter(reserved__gt=0).count() == 0


def test_reinstating_brings_labels_back_where_there_is_room(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2), collection={"labels_per_item": 1, "sitting_length": 2})
    answer(study, "ann")
    verdict = exclude(study, person("ann"), rule="researcher", evidence={})
    bob = start(study, person("bob"))
    record(bob, 1, "impossible")
    taken = bob.assignments.get(position=1).item
    exclude(study, person("bob"), rule="researcher", evidence={})
    reinstate(verdict)
    assert Assignment.objects.filter(annotator=person("ann"), state="counted").count() == 2
    reinstate(Exclusion.objects.in_force().get())
    assert Assignment.objects.get(annotator=person("bob"), item=taken).state == "surplus"
    assert list(Item.objects.values_list("counted", flat=True)) == [1, 1]


def test_a_lifted_verdict_is_not_passed_again(tmp_path):
    study = study_with_checks(tmp_path)
    answer(study, "ann", attention="more_likely")
    reinstate(Exclusion.objects.get())
    assert not Exclusion.objects.in_force().exists()
    sitting = start(study, person("bob"))
    assert apply_policy(study, person("ann")) is None
    assert sitting.current() is not None


def test_evidence_is_empty_before_any_check(tmp_path):
    found = evidence(study_with_checks(tmp_path), person("ann"))
    assert (found.as_json()["attention"], found.as_json()["gold"], found.broken_rule) == ([], [], None)


def test_a_row_of_one_answer_excludes_by_what_is_stored(tmp_path):
    study = open_small_study(
        tmp_path, plausibility_rows(12), collection={"sitting_length": 12}, quality={"max_same_in_a_row": 6}
    )
    for name in ("ann", "bob"):
        sitting = start(study, person(name))
        while (current := sitting.current()) is not None:
            others = "impossible" if current.item.position % 3 else "more_likely"
            record(sitting, current.position, others)
    assert not Exclusion.objects.exists()
    answer(study, "cyd")
    exclusion = Exclusion.objects.get()
    assert (exclusion.rule, exclusion.annotator) == ("straight", person("cyd"))
    assert len(exclusion.evidence["straight"]) == 12
    assert exclusion.evidence["straight"][0]["answered"] == "equally_likely"
    assert set(Item.objects.values_list("counted", flat=True)) == {2}


def test_quick_answers_exclude_once_they_are_timed(tmp_path):
    study = open_small_study(
        tmp_path,
        plausibility_rows(8),
        collection={"sitting_length": 4},
        quality={"item_floor_ms": 800, "timed_least": 3},
    )
    answer(study, "untimed")
    assert not Exclusion.objects.exists()
    sitting = start(study, person("timed"))
    while (current := sitting.current()) is not None:
        record(sitting, current.position, "equally_likely", response_ms=300)
    exclusion = Exclusion.objects.get()
    assert (exclusion.rule, exclusion.annotator, len(exclusion.evidence["quick"])) == ("quick", person("timed"), 4)


def test_an_answer_that_was_changed_is_not_timed(tmp_path):
    study = open_small_study(
        tmp_path, plausibility_rows(4), collection={"sitting_length": 4}, quality={"item_floor_ms": 800}
    )
    sitting = start(study, person("ann"))
    record(sitting, 1, "impossible", response_ms=5000)
    record(sitting, 1, "less_likely", response_ms=100)
    record(sitting, 2, "less_likely", response_ms=5000)
    assert evidence(study, person("ann")).as_json()["timed"] == 1


def test_the_policy_is_hashed_once_when_the_study_opens(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2))
    assert study.policy_hash == fixed_hash(study)
    close_study(study)
    Study.objects.filter(pk=study.pk).update(gold_tolerance=0.5)
    study.refresh_from_db()
    open_study(study)
    assert study.policy_hash != fixed_hash(study)
