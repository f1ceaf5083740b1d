"""ADEPT's two rules, what they do to labels and slots, and a researcher's own verdict."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.assignment import start
from annotation.lifecycle.status import close_study, open_study
from annotation.models import Assignment, Exclusion, Item, Judgment
from annotation.quality.exclusion import apply_policy, evidence, exclude, reinstate
from annotation.quality.policy import fixed_hash
from annotation.quality.rerun import rejudge
from annotation.quality.sentences import because
from annotation.recording import record
from researcher.collecting.verdicts import read_verdicts
from tests.studies import declare, open_small_study, person, plausibility_rows

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


@pytest.mark.slow
def test_good_answers_are_not_excluded(tmp_path):
    study = study_with_checks(tmp_path)
    answer(study, "ann")
    assert not Exclusion.objects.exists()
    assert Assignment.objects.filter(state="counted").count() == 15


@pytest.mark.slow
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


@pytest.mark.slow
def test_exactly_a_tenth_of_gold_far_off_is_allowed(tmp_path):
    answer(study_with_checks(tmp_path), "ann", gold_wrong=1)
    assert not Exclusion.objects.exists()


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_lifted_verdict_is_not_passed_again(tmp_path):
    study = study_with_checks(tmp_path)
    answer(study, "ann", attention="more_likely")
    reinstate(Exclusion.objects.get())
    assert not Exclusion.objects.in_force().exists()
    sitting = start(study, person("bob"))
    apply_policy(study, person("ann"))
    assert not Exclusion.objects.in_force().exists()
    assert sitting.current() is not None


def test_evidence_is_empty_before_any_check(tmp_path):
    found = evidence(study_with_checks(tmp_path), person("ann"))
    assert (found.as_json()["attention"], found.as_json()["gold"], found.broken_rule) == ([], [], None)


@pytest.mark.slow
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


def timed_study(tmp_path, **quality):
    return open_small_study(
        tmp_path, plausibility_rows(8), collection={"sitting_length": 4}, quality={"item_floor_ms": 800, **quality}
    )


def answer_after(study, name, *, passed, claimed):
    """Answer a sitting; of each item so many milliseconds passed on the server, and so many the browser claims."""
    sitting = start(study, person(name))
    while (current := sitting.current()) is not None:
        shown = timezone.now() - timedelta(milliseconds=passed)
        Assignment.objects.filter(pk=current.pk).update(shown_at=shown)
        record(sitting, current.position, "equally_likely", response_ms=claimed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("passed", "claimed", "is_quick"),
    [
        (5000, 3000, False),
        (5000, 300, True),
        (32, 5000, True),
        (32, None, True),
        (32, 99_999_999_999, True),
        (5000, None, False),
    ],
)
def test_the_smaller_of_browser_and_server_is_held_against_the_floors(tmp_path, passed, claimed, is_quick):
    for name, limits in (("quick", {}), ("sitting", {"item_floor_ms": 0, "sitting_floor_ms": 800})):
        study = open_small_study(
            tmp_path / name,
            plausibility_rows(4),
            slug=name,
            collection={"sitting_length": 4},
            quality={"item_floor_ms": 800, "timed_least": 4, **limits},
        )
        answer_after(study, name, passed=passed, claimed=claimed)
        assert [one.rule for one in study.exclusions.all()] == [name] * is_quick
        assert set(rejudge(study, study.policy)) == set(study.exclusions.values_list("annotator", flat=True))


@pytest.mark.slow
def test_what_a_browser_cannot_have_measured_is_named_and_stays_stored(tmp_path):
    study = timed_study(tmp_path, timed_least=4)
    answer_after(study, "forger", passed=32, claimed=5000)
    verdict = study.exclusions.get()
    assert verdict.evidence["impossible"] == 4
    assert "For 4, the browser reported more time than passed" in because("quick", verdict.evidence)
    assert verdict.evidence["quick"][0]["claimed_ms"] == 5000
    assert "but the browser reported 5.0 s" in read_verdicts(study)[0].answers[0].said
    assert set(Judgment.objects.values_list("response_ms", flat=True)) == {5000}


def test_times_on_some_answers_alone_do_not_hide_the_others(tmp_path):
    study = timed_study(tmp_path, timed_least=4)
    sitting = start(study, person("lazy"))
    sitting.assignments.stamp_shown()
    for position in range(1, 5):
        record(sitting, position, "equally_likely", response_ms=5000 if position == 1 else None)
    assert study.exclusions.get().rule == "quick"


def test_of_an_answer_that_was_changed_the_first_is_timed(tmp_path):
    study = timed_study(tmp_path, timed_least=2)
    sitting = start(study, person("ann"))
    sitting.assignments.update(shown_at=timezone.now() - timedelta(seconds=9))
    record(sitting, 1, "impossible", response_ms=100)
    record(sitting, 1, "less_likely", response_ms=5000)
    record(sitting, 2, "impossible", response_ms=5000)
    record(sitting, 2, "less_likely", response_ms=100)
    found = evidence(study, person("ann"))
    assert [one["item"] for one in found.as_json()["quick"]] == [sitting.assignments.get(position=1).item.external_id]
    assert (found.as_json()["timed"], set(rejudge(study, study.policy))) == (2, {sitting.annotator_id})


def test_an_item_that_was_never_served_was_not_read(tmp_path):
    study = timed_study(tmp_path, timed_least=1)
    sitting = start(study, person("blind"))
    record(sitting, 1, "impossible", response_ms=5000)
    assert evidence(study, person("blind")).broken_rule == "quick"


def test_the_policy_is_hashed_once_when_the_study_opens(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(2))
    assert study.policy_hash == fixed_hash(study)
    close_study(study)
    declare(study, gold_tolerance=0.5)
    study.refresh_from_db()
    open_study(study)
    assert study.policy_hash != fixed_hash(study)
