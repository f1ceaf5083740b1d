"""What a page sends along with an answer: its times, and the token by which the same submit is known."""

import pytest

from annotation.models import Judgment, Sitting
from tests.annotation.pages.bot import Bot

pytestmark = pytest.mark.django_db


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
