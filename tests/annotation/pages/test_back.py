"""What a page sends with an answer, and going back one item and changing its answer."""

import pytest

from annotation.models import Judgment, Revision, Sitting
from tests.annotation.pages.bot import Bot

pytestmark = pytest.mark.django_db


@pytest.fixture
def back(bot: Bot, sitting: Sitting) -> str:
    """After two answers: less likely, then more likely."""
    bot.answer("less_likely")
    bot.answer("more_likely")
    return f"{sitting.get_absolute_url()}back/"


@pytest.mark.slow
def test_the_first_item_has_nothing_behind_it(bot: Bot, sitting: Sitting) -> None:
    address = f"{sitting.get_absolute_url()}back/"
    assert address not in bot.page.links
    assert "1 of 7" in bot.open(address).text


@pytest.mark.slow
def test_shows_the_item_before_with_its_answer_chosen(bot: Bot, back: str) -> None:
    assert back in bot.page.links
    page = bot.open(back)
    assert "2 of 7" in page.text
    assert page.fields["answer"] == "more_likely"


@pytest.mark.slow
def test_there_is_no_going_back_two(bot: Bot, back: str) -> None:
    assert back not in bot.open(back).links


@pytest.mark.slow
def test_a_changed_answer_is_stored_and_the_old_one_kept(bot: Bot, sitting: Sitting, back: str) -> None:
    page = _posted_from(bot, back, "impossible")
    assert "3 of 7" in page.text
    second = Judgment.objects.get(assignment__position=2)
    assert second.answer == "impossible"
    assert Revision.objects.get().answer == "more_likely"


@pytest.mark.slow
def test_the_same_answer_moves_on_and_changes_nothing(bot: Bot, back: str) -> None:
    page = _posted_from(bot, back, "more_likely")
    assert "3 of 7" in page.text
    assert not Revision.objects.exists()


@pytest.mark.slow
def test_a_bad_answer_shows_the_item_before_again(bot: Bot, back: str) -> None:
    page = _posted_from(bot, back, "certain")
    assert page.status == 422
    assert "2 of 7" in page.text
    assert page.fields["answer"] == "more_likely"


@pytest.mark.slow
def test_two_items_back_is_refused(bot: Bot, sitting: Sitting, back: str) -> None:
    page = bot.post(answer="impossible", position="1")
    assert page.status == 409
    assert "3 of 7" in page.text
    assert Judgment.objects.get(assignment__position=1).answer == "less_likely"


@pytest.mark.slow
def test_a_finished_sitting_has_no_way_back(bot: Bot, sitting: Sitting, back: str) -> None:
    bot.finish()
    assert sitting.completion_code in bot.open(back).text


def _posted_from(bot: Bot, back: str, answer: str):
    """Open the page before and post its form to where the form says."""
    bot.open(back)
    bot.page.address = back.removesuffix("back/")
    return bot.post(answer=answer)


@pytest.mark.slow
def test_keeps_the_time_in_which_the_page_was_hidden_apart(bot: Bot) -> None:
    bot.post(answer="impossible", response_ms="1200", hidden_ms="600000")
    assert Judgment.objects.values_list("response_ms", "hidden_ms").get() == (1200, 600_000)
    bot.post(answer="impossible", response_ms="1200")
    assert Judgment.objects.latest("pk").hidden_ms is None


@pytest.mark.parametrize("submission", ["", "<b>", "x" * 200])
def test_a_token_that_we_have_not_made_is_no_reason_to_refuse(bot: Bot, submission: str) -> None:
    assert bot.post(answer="impossible", submission=submission).status == 200
    assert Judgment.objects.get().submission == ""


def test_every_showing_of_an_item_has_a_token_of_its_own(bot: Bot, sitting: Sitting) -> None:
    first = bot.page.fields["submission"]
    again = bot.open(sitting.get_absolute_url()).fields["submission"]
    assert first != again
    bot.answer()
    assert Judgment.objects.get().submission == again
