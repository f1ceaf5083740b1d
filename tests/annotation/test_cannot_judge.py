"""That an item cannot be judged is an answer and no label: the sitting goes on, and somebody else gives the label."""

import pytest

from annotation.assignment import finish, start
from annotation.models import Assignment, Exclusion, Item, Judgment, Revision, Sitting, Study
from annotation.paying.lines import read_lines
from annotation.paying.queue import queue, to_approve
from annotation.quality.rerun import rejudge
from annotation.recording import record
from annotation.tasktypes.contract import AnswerError
from tests.studies import declare, open_small_study, person, plausibility_rows, told

pytestmark = pytest.mark.django_db
STATE = Assignment.State


def opened(folder, rows=None, *, allowed=True, **collection) -> Study:
    return open_small_study(
        folder,
        rows if rows is not None else plausibility_rows(2),
        collection={"labels_per_item": 1, "sitting_length": 2, **collection},
        page={"cannot_judge": allowed},
    )


@pytest.fixture
def study(tmp_path) -> Study:
    return opened(tmp_path)


@pytest.fixture
def sitting(study) -> Sitting:
    return start(study, person("ann"))


def book(item: Item) -> tuple[int, int, int, dict[str, int]]:
    item.refresh_from_db()
    return item.counted, item.reserved, item.need, item.tally


def at(sitting: Sitting, position: int) -> Assignment:
    return sitting.assignments.select_related("item", "judgment").get(position=position)


def test_it_is_stored_with_its_time_and_frees_the_slot(sitting):
    assert told(record(sitting, 1, None, response_ms=900)) == (True, False)
    found = at(sitting, 1)
    assert (found.state, found.judgment.answer, found.judgment.response_ms) == (STATE.DECLINED, "", 900)
    assert book(found.item) == (0, 0, 1, {})
    assert sitting.progress() == (1, 2)


def test_said_twice_it_is_said_once(sitting):
    record(sitting, 1, None)
    assert told(record(sitting, 1, None)) == (False, False)
    assert Judgment.objects.count() == 1
    assert not Revision.objects.exists()


def test_the_same_person_never_gets_the_item_again_and_another_does(study, sitting):
    declined = at(sitting, 1).item
    record(sitting, 1, None)
    record(sitting, 2, "impossible")
    study.labels_per_item = 1
    again = start(study, person("bob"))
    assert [one.item for one in again.assignments.select_related("item")] == [declined]
    record(again, 1, "more_likely")
    assert book(declined) == (1, 0, 0, {"more_likely": 1})


@pytest.mark.slow
def test_whoever_cannot_judge_anything_reaches_the_end_and_no_further(tmp_path):
    study = opened(tmp_path, plausibility_rows(6), max_items_per_annotator=4)
    for _ in range(2):
        sitting = start(study, person("ann"))
        for position in (1, 2):
            recorded = record(sitting, position, None)
        assert recorded.finished
        sitting.refresh_from_db()
        assert sitting.outcome == "completed"
    with pytest.raises(Exception, match="all the items that one person may"):
        start(study, person("ann"))
    assert not to_approve(study).exists(), "a code alone is not paid"
    line, _ = read_lines(study, list(queue(study).select_related("annotator")), pay=None)
    assert (line.answered, line.declined, line.offered) == (0, 2, 2)


@pytest.mark.parametrize("answers", [["impossible", None], [None, "impossible"], ["impossible", None, "more_likely"]])
def test_it_can_be_changed_into_a_label_and_back(sitting, answers):
    for answer in answers:
        record(sitting, 1, answer)
    found, last = at(sitting, 1), answers[-1]
    assert found.state == (STATE.COUNTED if last else STATE.DECLINED)
    assert book(found.item) == ((1, 0, 0, {last: 1}) if last else (0, 0, 1, {}))
    assert list(Revision.objects.values_list("answer", flat=True)) == [one or "" for one in answers[:-1]]


def test_a_label_in_its_place_does_not_count_once_another_has_taken_the_slot(study, sitting):
    record(sitting, 1, None)
    other = start(study, person("bob"))
    record(other, 1, "impossible")
    record(sitting, 1, "more_likely")
    found = at(sitting, 1)
    assert found.state == STATE.SURPLUS
    assert book(found.item) == (1, 0, 0, {"impossible": 1})


def test_one_whose_slot_had_gone_can_say_so_too(study, sitting):
    Assignment.objects.filter(pk=at(sitting, 1).pk).stamp_shown()
    finish(sitting)
    record(sitting, 1, None)
    found = at(sitting, 1)
    assert found.state == STATE.DECLINED
    assert book(found.item) == (0, 0, 1, {})


def test_where_the_study_does_not_allow_it_nothing_is_stored(tmp_path):
    sitting = start(opened(tmp_path, allowed=False), person("ann"))
    with pytest.raises(AnswerError):
        record(sitting, 1, None)
    assert not Judgment.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["attention", "gold"])
def test_a_declined_attention_check_is_failed_and_declined_gold_is_left_out(tmp_path, kind):
    rows = plausibility_rows(2, gold=int(kind == "gold"), attention=int(kind == "attention"))
    study = opened(tmp_path, rows, **{f"{kind}_per_sitting": 1})
    sitting = start(study, person("ann"))
    while (current := sitting.current()) is not None:
        record(sitting, current.position, None if current.item.is_check else "impossible", response_ms=10)
    excluded = kind == "attention"
    assert [one.rule for one in Exclusion.objects.all()] == ["attention"] * excluded
    assert set(rejudge(study, study.policy)) == ({sitting.annotator_id} if excluded else set())
    (line,) = read_lines(study, list(queue(study).select_related("annotator")), pay=None)
    assert ("1 of 1 attention checks failed" in line.evidence) == excluded
    assert "gold" not in line.evidence
    assert (
        at(sitting, next(one.position for one in sitting.assignments.filter(item__kind=kind))).state == STATE.DECLINED
    )


@pytest.mark.slow
def test_the_time_of_a_declined_check_hides_no_quick_answers(tmp_path):
    rows = plausibility_rows(2, attention=3)
    study = opened(tmp_path, rows, attention_per_sitting=3)
    declare(max_attention_failures=9, item_floor_ms=500, quick_tolerance=0.5, timed_least=1)
    study.refresh_from_db()
    sitting = start(study, person("ann"))
    while (current := sitting.current()) is not None:
        check = current.item.is_check
        record(sitting, current.position, None if check else "impossible", response_ms=9_000 if check else 10)
    assert Exclusion.objects.get().rule == "quick"
    assert set(rejudge(study, study.policy)) == {sitting.annotator_id}
