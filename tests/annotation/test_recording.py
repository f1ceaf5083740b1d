"""An answer is stored once, may be changed while it is the last one, and is refused in plain words."""

import pytest

from annotation.assignment import start
from annotation.lifecycle.status import close_study
from annotation.models import Item, Judgment, Revision
from annotation.recording import NotThisItem, SittingOver, StudyClosed, record
from annotation.tasktypes.contract import AnswerError
from tests.studies import open_small_study, person, plausibility_rows, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting(tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(3), collection={"sitting_length": 3})
    return start(study, person("ann"))


def item_at(sitting, position) -> Item:
    item: Item = sitting.assignments.get(position=position).item
    return item


def test_an_answer_is_stored_and_counted(sitting):
    assert told(record(sitting, 1, "impossible", response_ms=812)) == (True, False)
    judgment = Judgment.objects.get()
    assert (judgment.answer, judgment.response_ms) == ("impossible", 812)
    item = item_at(sitting, 1)
    assert (item.counted, item.reserved, item.tally) == (1, 0, {"impossible": 1})


def test_a_second_submit_of_the_same_answer_changes_nothing(sitting):
    record(sitting, 1, "impossible")
    before = list(Judgment.objects.values())
    assert told(record(sitting, 1, "impossible")) == (False, False)
    assert list(Judgment.objects.values()) == before
    assert not Revision.objects.exists()


def test_the_last_answer_can_be_changed_and_the_first_is_kept(sitting):
    record(sitting, 1, "impossible")
    record(sitting, 1, "more_likely")
    assert Judgment.objects.get().answer == "more_likely"
    assert Revision.objects.get().answer == "impossible"
    assert item_at(sitting, 1).tally == {"more_likely": 1}


def test_a_changed_answer_keeps_what_came_with_each(sitting):
    record(sitting, 1, "impossible", response_ms=812, hidden_ms=5, submission="abcdefghijk.1")
    first = Judgment.objects.get().answered_at
    record(sitting, 1, "more_likely", response_ms=300, submission="abcdefghijk.2")
    columns = ("answer", "response_ms", "hidden_ms", "submission")
    assert Judgment.objects.values_list(*columns).get() == ("more_likely", 300, None, "abcdefghijk.2")
    assert Revision.objects.values_list(*columns).get() == ("impossible", 812, 5, "abcdefghijk.1")
    revision = Revision.objects.get()
    assert (revision.answered_at, revision.replaced_at) == (first, Judgment.objects.get().answered_at)


def test_an_earlier_answer_cannot_be_changed(sitting):
    record(sitting, 1, "impossible")
    record(sitting, 2, "impossible")
    with pytest.raises(NotThisItem):
        record(sitting, 1, "more_likely")
    assert not Revision.objects.exists()


@pytest.mark.parametrize("position", [2, 3, 4, 0])
def test_skipping_ahead_is_refused(sitting, position):
    with pytest.raises(NotThisItem):
        record(sitting, position, "impossible")
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("answer", ["", "3", "likely", "Impossible"])
def test_an_answer_outside_the_scale_is_refused(sitting, answer):
    with pytest.raises(AnswerError):
        record(sitting, 1, answer)
    assert not Judgment.objects.exists()


def test_the_last_item_ends_the_sitting(sitting):
    record(sitting, 1, "impossible")
    record(sitting, 2, "impossible")
    assert told(record(sitting, 3, "impossible")) == (True, True)
    sitting.refresh_from_db()
    assert sitting.is_over
    assert told(record(sitting, 3, "impossible")) == (False, True)
    with pytest.raises(SittingOver):
        record(sitting, 3, "more_likely")


def test_a_study_closed_midway_takes_no_answer_and_keeps_those_given(sitting):
    record(sitting, 1, "impossible")
    close_study(sitting.study)
    with pytest.raises(StudyClosed, match="answers you gave before are saved"):
        record(sitting, 2, "impossible")
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize("claimed", [-1, 10**12])
def test_an_impossible_response_time_is_not_stored(sitting, claimed):
    record(sitting, 1, "impossible", response_ms=claimed, hidden_ms=claimed)
    assert Judgment.objects.values_list("response_ms", "hidden_ms").get() == (None, None)
