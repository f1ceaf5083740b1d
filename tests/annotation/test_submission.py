"""The same submit twice counts once, whatever was sent in between; another one is another answer."""

import pytest

from annotation.assignment import start
from annotation.lifecycle.status import close_study
from annotation.models import Assignment, Judgment, Revision, Sitting
from annotation.recording import NotThisItem, is_submission, record, submission_of_page
from tests.studies import open_small_study, person, plausibility_rows, told

pytestmark = pytest.mark.django_db

PAGE, OTHER = "abcdefghij_", "ABCDEFGHIJ-"


@pytest.fixture
def sitting(tmp_path):
    return start(open_small_study(tmp_path, plausibility_rows(3), collection={"sitting_length": 3}), person("ann"))


def stands_after(sitting: Sitting, *sent: tuple[str, str]) -> str:
    """The answer to the first item after these submits of it, held against what the item counts."""
    for submission, answer in sent:
        record(sitting, 1, answer, submission=submission)
    judgment = Judgment.objects.get()
    assert Assignment.objects.get(position=1).item.tally == {judgment.answer: 1}
    return judgment.answer


def test_the_server_makes_what_it_takes():
    assert is_submission(submission_of_page())
    assert is_submission(f"{submission_of_page()}.12")
    assert not any(is_submission(one) for one in ("", "short", f"{PAGE}.", f"{PAGE}.12345", f"{PAGE}\n", "ä" * 11))


def test_one_that_comes_again_changes_nothing(sitting):
    assert stands_after(sitting, (f"{PAGE}.1", "impossible"), (f"{PAGE}.1", "impossible")) == "impossible"
    assert not Revision.objects.exists()


@pytest.mark.parametrize("again", [PAGE, f"{PAGE}.1"])
def test_one_that_comes_again_after_a_change_in_another_tab(sitting, again):
    sent = [(again, "impossible"), (OTHER, "more_likely"), (again, "impossible")]
    assert stands_after(sitting, *sent) == "more_likely"
    assert Revision.objects.get().submission == again


def test_one_that_was_overtaken_on_its_own_page(sitting):
    assert stands_after(sitting, (f"{PAGE}.2", "more_likely"), (f"{PAGE}.1", "impossible")) == "more_likely"
    assert not Revision.objects.exists()


def test_choices_of_one_page_are_all_taken_in_their_order(sitting):
    answers = ("impossible", "more_likely", "impossible")
    assert stands_after(sitting, *((f"{PAGE}.{n}", answer) for n, answer in enumerate(answers, 9))) == "impossible"
    assert Revision.objects.count() == 2


def test_without_a_script_the_last_that_comes_is_the_last_that_was_made(sitting):
    assert stands_after(sitting, (PAGE, "impossible"), (PAGE, "more_likely"), (PAGE, "impossible")) == "impossible"


def test_what_has_come_before_is_never_refused(sitting):
    stands_after(sitting, (f"{PAGE}.1", "impossible"), (f"{OTHER}.1", "more_likely"))
    record(sitting, 2, "impossible")
    assert told(record(sitting, 1, "impossible", submission=f"{PAGE}.1")) == (False, False)
    with pytest.raises(NotThisItem):
        record(sitting, 1, "impossible", submission=f"{PAGE}.2")
    record(sitting, 3, "impossible")
    assert told(record(sitting, 1, "impossible", submission=f"{PAGE}.1")) == (False, True)
    close_study(sitting.study)
    assert told(record(sitting, 1, "impossible", submission=f"{PAGE}.1")) == (False, True)
    assert Judgment.objects.get(assignment__position=1).answer == "more_likely"
