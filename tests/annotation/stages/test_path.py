"""The whole path of a participant, through real pages and rows."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.assignment import release_lapsed, start
from annotation.lifecycle.status import close_study
from annotation.models import (
    Annotator,
    Assignment,
    ComprehensionTry,
    Consent,
    Item,
    Judgment,
    QuestionnaireAnswers,
    Sitting,
    Study,
)
from annotation.platforms import Outcome
from annotation.simulation import simulate
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.conftest import Walker
from tests.annotation.stages.whole import RIGHT, WRONG, open_whole
from tests.studies import declare, open_small_study, person, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
Stage = Sitting.Stage


def stage() -> str:
    return Sitting.objects.get().stage


def test_the_whole_path(walker: Walker, link: str) -> None:
    page = walker.open(link)
    for said in ("About 6 minutes", "1.20 pounds", "Department of Linguistics", "Up to 3 items", "2 for practice"):
        assert said in page.text
    assert "Read both sentences" not in page.text, "the instructions have a page of their own"
    assert "I am 18 or older" in walker.post().text
    assert "Read both sentences" in walker.post(decision="agree").text
    assert "What do you judge?" in walker.post().text
    page = walker.post(**RIGHT)
    assert "Practice 1 of 2" in page.text
    page = walker.answer("more_likely")
    for said in ("A different answer was expected", "More likely", "Less likely", "Broken lamps seldom light"):
        assert said in page.text
    assert "Practice 2 of 2" in walker.post().text
    assert "That is the expected answer" in walker.answer("impossible").text
    page = walker.post()
    assert "Item 1 of 3" in page.text
    assert "The items start here" in page.text
    for _ in range(3):
        page = walker.answer()
    assert "A few questions about you" in page.text
    sitting = Sitting.objects.get()
    assert (sitting.outcome, sitting.completion_code in page.text) == (Outcome.COMPLETED, False)
    page = walker.post(first_language="Finnish", age="25 to 34")
    assert "compare people with language models" in page.text
    assert sitting.completion_code in walker.post().text
    assert (Consent.objects.get().agreed, ComprehensionTry.objects.get().passed) == (True, True)
    assert QuestionnaireAnswers.objects.get().answers == {"first_language": "Finnish", "age": "25 to 34"}
    assert Judgment.objects.count() == 5


def test_nobody_holds_items_before_the_gates_are_passed(walker: Walker, link: str) -> None:
    walker.begin(link)
    for step in ({"decision": "agree"}, {}, WRONG):
        assert not Assignment.objects.exists()
        assert not Item.objects.filter(reserved__gt=0).exists()
        assert Study.objects.get().population == Study.Population.NOBODY
        walker.post(**step)
    walker.post(**RIGHT)
    assert Item.objects.filter(reserved__gt=0).count() == 3


def test_each_stage_is_where_one_left_it(walker: Walker, link: str) -> None:
    """A closed tab, and the link again: the first page offers to go on, and leads there."""
    walker.begin(link)
    for step, at in [
        ({"decision": "agree"}, Stage.INSTRUCTIONS), ({}, Stage.COMPREHENSION), (RIGHT, Stage.PRACTICE),
    ]:  # fmt: skip
        walker.post(**step)
        assert stage() == at
        before = walker.page.html
        assert "Continue" in walker.open(link).text
        walker.post()
        assert walker.page.text == walker.open(walker.page.address).text
        assert ("Practice" in walker.page.text) == ("Practice" in before)
    assert Sitting.objects.count() == 1


def test_the_first_page_says_what_is_asked_besides(walker: Walker, link: str) -> None:
    gates = (
        "First you are asked whether you agree to take part. Before the items, you answer 2 questions about the "
        "instructions"
    )
    about = "After the items, you answer a few questions about yourself."
    page = walker.open(link)
    assert (gates in page.text, about in page.text) == (True, True)
    walker.reaches_items(link)
    page = walker.open(link)
    assert ("First you are asked" in page.text, about in page.text) == (False, True)


class TestWithoutItemsLeft:
    def test_one_is_told_before_agreeing(self, walker: Walker, link: str) -> None:
        Item.objects.filter(kind="target").update(target=0)
        page = walker.begin(link)
        assert page.status == 409
        assert not Sitting.objects.exists()

    def test_one_who_was_on_the_way_ends_with_quota_full(self, walker: Walker, link: str) -> None:
        walker.begin(link)
        walker.consents()
        walker.post()
        Item.objects.filter(kind="target").update(target=0)
        page = walker.post(**RIGHT)
        sitting = Sitting.objects.get()
        assert (sitting.outcome, sitting.is_over) == (Outcome.QUOTA_FULL, True)
        assert page.status == 200
        assert not page.has_item


def test_those_who_hold_nothing_do_not_stand_in_anybodys_way(link: str) -> None:
    """max_unanswered counts those who hold items; whoever comes to them too early tries again, and has lost nothing."""
    declare(max_unanswered=1)
    first, second = Walker(), Walker()
    for walker in (first, second):
        walker.begin(link)
        walker.consents()
        walker.post()
    first.post(**RIGHT)
    page = second.post(**RIGHT)
    assert page.status == 429
    assert "All places are taken" in page.text
    first.practices()
    first.answer("impossible")
    second.open(link)
    assert "All your answers were correct" in second.post().text
    assert "Practice 1 of 2" in second.post().text
    assert ComprehensionTry.objects.count() == 2


def test_a_lease_does_not_end_who_holds_nothing(walker: Walker, link: str) -> None:
    walker.begin(link)
    Sitting.objects.update(lease_expires_at=timezone.now() - timedelta(days=1))
    assert release_lapsed() == 0
    walker.consents()
    assert stage() == Stage.INSTRUCTIONS


def test_a_study_that_closes_says_so_at_every_stage(walker: Walker, whole: Study, link: str) -> None:
    walker.begin(link)
    close_study(whole)
    assert walker.post(decision="agree").status == 410
    assert not Consent.objects.exists()


def test_who_fails_the_questions_is_told_why_it_ends(walker: Walker, link: str) -> None:
    walker.begin(link)
    walker.consents()
    walker.post()
    walker.post(**WRONG)
    page = walker.post(**WRONG)
    assert Sitting.objects.get().outcome == Outcome.SCREENED_OUT
    assert "Not all answers about the instructions were correct" in page.text
    assert "no items for you" not in page.text


def test_a_page_that_is_past_changes_nothing(walker: Walker, link: str) -> None:
    walker.begin(link)
    consent = walker.page
    walker.consents()
    instructions = walker.page
    walker.post()
    for page in (consent, instructions):
        walker.page = page
        walker.post(**({"decision": "agree"} if page is consent else {}))
        assert stage() == Stage.COMPREHENSION
    assert walker.client.post(walker.page.address, {**walker.page.fields, "stage": "nonsense"}).status_code == 409


@pytest.mark.parametrize("posted", ["consent", "comprehension", "questionnaire"])
def test_an_altered_page_of_another_stage_is_refused_like_a_valid_one(tmp_path: Path, posted: str) -> None:
    link = open_whole(tmp_path).links.get().get_absolute_url()
    walker = Walker()
    walker.begin(link)
    send(walker, posted, refused=posted != "consent")
    walker.consents()
    walker.post()
    send(walker, posted, refused=posted != "comprehension")
    walker.post(**RIGHT)
    walker.post()
    walker.practices()
    assert stage() == Stage.ITEMS
    send(walker, posted, refused=True)
    walker.finish()
    send(walker, posted, refused=posted != "questionnaire")
    walker.post(first_language="Finnish")
    walker.post()
    assert stage() == Stage.END
    send(walker, posted, refused=True)


def send(walker: Walker, posted: str, *, refused: bool) -> None:
    """Without a single answer, in place of what the page before them would post."""
    data = {"stage": posted, "csrfmiddlewaretoken": walker.client.cookies["csrftoken"].value}
    status = walker.client.post(Sitting.objects.get().get_absolute_url(), data).status_code
    # Behind questions that were passed, their page has nothing but a button, and may be sent twice.
    goes_on = posted == "comprehension" and ComprehensionTry.objects.filter(passed=True).exists()
    assert status == (303 if goes_on else 409 if refused else 422), (posted, stage())


def test_nor_is_a_page_of_a_stage_that_the_study_does_not_have(tmp_path: Path) -> None:
    study = open_small_study(tmp_path, plausibility_rows(3))
    walker = Walker()
    walker.begin(study.links.get().get_absolute_url())
    for posted in ("consent", "questionnaire"):
        send(walker, posted, refused=True)


def test_who_has_declined_gets_no_form_for_it(walker: Walker, link: str) -> None:
    walker.begin(link)
    walker.post(decision="decline")
    send(walker, "consent", refused=True)


def test_a_second_sitting_asks_only_what_was_not_passed(tmp_path: Path) -> None:
    link = open_whole(tmp_path, targets=6).links.get().get_absolute_url()
    walker = Walker()
    walker.reaches_items(link)
    walker.practices()
    walker.finish()
    walker.post(first_language="Finnish")
    walker.post()
    walker.open(link)
    assert "Do another batch" in walker.page.text
    assert "Read both sentences" in walker.post().text
    assert "1 of 3" in walker.post().text, "no practice, no consent, no questions once more"
    walker.finish()
    assert "compare people with language models" in walker.page.text, "the questionnaire is asked once"


def test_synthetic_annotators_skip_the_stages(whole: Study) -> None:
    simulate(whole, counts={"careful": 1}, seed=1)
    assert not Consent.objects.exists()
    assert Judgment.objects.count() == 5
    assert Sitting.objects.get().outcome == Outcome.COMPLETED


def test_a_study_without_stages_is_as_it_was(tmp_path: Path) -> None:
    link = open_small_study(tmp_path, plausibility_rows(5)).links.get().get_absolute_url()
    visitor = Bot()
    assert "Read both sentences" in visitor.open(link).text
    assert "1 of 5" in visitor.post().text
    assert "Thank you" in visitor.finish().text


def test_looking_stores_nothing(link: str) -> None:
    Bot().open(link)
    assert not Annotator.objects.exists()
    assert not Sitting.objects.exists()


class TestAfterATimeAway:
    @pytest.fixture
    def away(self, walker: Walker, link: str) -> Walker:
        walker.reaches_items(link)
        walker.practices()
        walker.answer()
        long_ago = timezone.now() - timedelta(minutes=11)
        Sitting.objects.update(last_answer_at=long_ago, instructed_at=long_ago)
        return walker

    def test_the_instructions_come_again_before_the_next_item(self, away: Walker) -> None:
        page = away.open(away.page.address)
        assert "You were away for a while" in page.text
        assert "Read both sentences" in page.text
        page = away.post()
        assert "2 of 3" in page.text
        assert "2 of 3" in away.open(page.address).text

    def test_an_answer_that_comes_late_is_kept_and_they_follow_it(self, away: Walker) -> None:
        page = away.answer()
        assert Judgment.objects.count() == 4
        assert "You were away for a while" in page.text
        assert "3 of 3" in away.post().text

    def test_not_after_nine_minutes(self, away: Walker) -> None:
        Sitting.objects.update(last_answer_at=timezone.now() - timedelta(minutes=9))
        assert "2 of 3" in away.open(away.page.address).text


def test_an_annotator_without_a_link_has_no_gate(whole: Study) -> None:
    assert start(whole, person("ann")).stage == Stage.PRACTICE
