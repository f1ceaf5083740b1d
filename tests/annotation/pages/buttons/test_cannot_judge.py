"""The button below the options: on every item alike, checks too; what it stores, and what Back shows."""

from pathlib import Path

import pytest

from annotation.models import Assignment, Judgment, Sitting, Study
from tests.annotation.pages.bot import Bot, FieldMissing
from tests.annotation.pages.conftest import open_declining
from tests.annotation.stages.whole import open_whole
from tests.studies import declare

pytestmark = pytest.mark.django_db
NAME = "I cannot judge this item"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return open_declining(tmp_path / "small")


def begun(study: Study) -> Bot:
    visitor = Bot()
    visitor.begin(study.links.get().get_absolute_url())
    return visitor


@pytest.mark.slow
def test_every_item_has_the_button_checks_too(study: Study) -> None:
    visitor = begun(study)
    for _ in range(5):
        assert NAME in visitor.page.text
        visitor.post(cannot_judge="yes", response_ms="70")
    assert "Thank you" in visitor.page.text
    assert set(Assignment.objects.values_list("state", flat=True)) == {"declined"}
    assert set(Judgment.objects.values_list("answer", "response_ms")) == {("", 70)}


def test_it_holds_against_what_was_chosen_before(study: Study) -> None:
    begun(study).post(cannot_judge="yes", answer="impossible")
    assert Judgment.objects.get().answer == ""


@pytest.mark.slow
def test_back_says_what_was_said_and_takes_a_label(study: Study) -> None:
    visitor = begun(study)
    assert "You said that" not in visitor.page.text
    visitor.post(cannot_judge="yes")
    visitor.open(next(link for link in visitor.page.links if link.endswith("/back/")))
    assert "You said that you cannot judge this item." in visitor.page.text
    assert "answer" not in visitor.page.fields
    visitor.page.address = Sitting.objects.get().get_absolute_url()
    visitor.answer("impossible")
    assert Assignment.objects.get(position=1).state == "counted"


@pytest.mark.slow
def test_elsewhere_there_is_none_and_nothing_takes_it(study: Study) -> None:
    declare(cannot_judge=False)
    visitor = begun(study)
    with pytest.raises(FieldMissing):
        visitor.post(cannot_judge="yes")
    visitor.page.names.add("cannot_judge")
    assert visitor.post(cannot_judge="yes").status == 422
    assert "needs an answer to every item" in visitor.page.text
    assert not Judgment.objects.exists()


@pytest.mark.slow
def test_practice_shows_the_expected_answer(tmp_path: Path) -> None:
    study = open_whole(tmp_path / "whole", stages="", page={"cannot_judge": True})
    visitor = begun(study)
    visitor.post(cannot_judge="yes")
    assert "This is the expected answer" in visitor.page.text
    assert f"Your answer: {NAME}" in visitor.page.text
    assert "Expected: Less likely" in visitor.page.text
