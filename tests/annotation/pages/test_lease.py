"""A lease about to end is told, can be held on to, and is told when it has ended."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.assignment import release_lapsed, start
from annotation.lifecycle.status import close_study
from annotation.models import Judgment, Sitting, Study
from annotation.views.item import STILL_HERE
from tests.annotation.pages.bot import Bot
from tests.annotation.pages.conftest import at, walk_in
from tests.browser import OpenPage, faults
from tests.studies import open_small_study, person, plausibility_rows

ASKS = "Are you still here?"
ENDED = "your items may now go to other people"


def left() -> timedelta:
    return Sitting.objects.earliest("pk").lease_expires_at - timezone.now()


def ends_in(span: timedelta) -> None:
    Sitting.objects.update(lease_expires_at=timezone.now() + span)


@pytest.mark.django_db
class TestTheButton:
    def test_holds_the_items_on(self, bot: Bot, sitting: Sitting) -> None:
        ends_in(timedelta(minutes=1))
        page = bot.post(stage=STILL_HERE)
        assert "1 of 7" in page.text
        assert left() > timedelta(minutes=9), "no longer than before a first answer"
        assert not Judgment.objects.exists()

    def test_tells_a_page_with_scripts_for_how_long(self, bot: Bot, sitting: Sitting) -> None:
        bot.answer()
        data = {**bot.page.fields, "stage": STILL_HERE}
        answer = bot.client.post(sitting.get_absolute_url(), data, headers={"HX-Request": "true"})
        assert answer.status_code == 204
        assert 3_500 < int(answer["Lease-Seconds"]) <= 3_600

    @pytest.mark.slow
    def test_takes_up_again_what_has_lapsed(self, bot: Bot, sitting: Sitting) -> None:
        ends_in(-timedelta(minutes=1))
        release_lapsed()
        assert "1 of 7" in bot.post(stage=STILL_HERE).text
        sitting.refresh_from_db()
        assert sitting.state == Sitting.State.ACTIVE
        assert sitting.current() is not None

    def test_holds_nothing_of_a_study_that_has_closed(self, bot: Bot, sitting: Sitting, study: Study) -> None:
        ends_in(timedelta(minutes=1))
        close_study(study)
        assert "This study has closed" in bot.post(stage=STILL_HERE).text
        assert left() < timedelta(minutes=2)

    def test_holds_nothing_for_another_browser(self, bot: Bot, sitting: Sitting) -> None:
        ends_in(timedelta(minutes=1))
        sitting.refresh_from_db()
        Sitting.objects.update(browser="somebody else's")
        assert bot.post(stage=STILL_HERE).status == 403
        assert left() < timedelta(minutes=2)

    @pytest.mark.slow
    def test_begins_no_sitting_that_has_ended(self, bot: Bot, sitting: Sitting) -> None:
        last = bot.page
        bot.finish()
        bot.page = last
        assert sitting.completion_code in bot.post(stage=STILL_HERE).text
        sitting.refresh_from_db()
        assert sitting.is_over


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "said"), [(3, None), (1, ASKS), (-1, None)], ids=["long", "soon", "back"])
def test_without_a_script_it_is_told_by_the_page(bot: Bot, sitting: Sitting, minutes: int, said: str | None) -> None:
    ends_in(timedelta(minutes=minutes))
    html = bot.open(sitting.get_absolute_url()).html
    notice = html[html.index('<div class="lease"') :]
    assert (" hidden>" in notice[: notice.index("<p")]) == (said is None)
    shown = notice[notice.index('">', notice.index("<p")) : notice.index("</p>")]
    assert said is None or said in shown


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
class TestInABrowser:
    def test_it_is_told_two_minutes_before_and_can_be_held_on_to(self, held: Page) -> None:
        self._until_two_minutes_are_left(held)
        notice = held.locator("[data-lease]")
        expect(notice).to_contain_text(ASKS)
        expect(held.locator("#announcement")).to_contain_text(ASKS)
        held.get_by_label("Equally likely").focus()
        held.keyboard.press("ArrowRight")
        ends_in(timedelta(minutes=1))
        held.get_by_role("button", name="I am still here").click()
        expect(notice).to_be_hidden()
        expect(held.locator("#announcement")).to_have_text("Your items are kept for you.")
        expect(held.locator("input:checked")).to_have_count(1)
        # Without an answer yet, ten minutes.
        assert left() > timedelta(minutes=9)
        held.clock.run_for(400_000)
        expect(notice).to_be_hidden()
        held.clock.run_for(150_000)
        expect(notice).to_contain_text(ASKS)
        assert not Judgment.objects.exists()

    def test_it_is_told_when_it_has_ended(self, held: Page) -> None:
        self._until_two_minutes_are_left(held)
        held.clock.run_for(118_000)
        expect(held.locator("[data-lease]")).to_contain_text(ASKS)
        held.clock.run_for(2_000)
        expect(held.locator("[data-lease]")).to_contain_text(ENDED)
        expect(held.locator("#announcement")).to_contain_text(ENDED)

    def test_an_answer_renews_it(self, held: Page) -> None:
        self._until_two_minutes_are_left(held)
        held.keyboard.press("2")
        held.keyboard.press("Enter")
        at(held, 2)
        expect(held.locator("[data-lease]")).to_be_hidden()

    def test_a_line_that_is_cut_is_told(self, held: Page) -> None:
        self._until_two_minutes_are_left(held)
        held.context.set_offline(True)
        held.get_by_role("button", name="I am still here").click()
        expect(held.locator("[data-lease]")).to_contain_text("No connection")

    def test_it_is_told_that_others_have_the_items(
        self, open_page: OpenPage, live_server: LiveServer, tmp_path: Path
    ) -> None:
        study = open_small_study(
            tmp_path, plausibility_rows(3), collection={"labels_per_item": 1, "sitting_length": 3, "lease_minutes": 2}
        )
        page = walk_in(open_page(), live_server, study.links.get().get_absolute_url(), of=3)
        # Two minutes in all: the page asks at once.
        expect(page.locator("[data-lease]")).to_contain_text(ASKS)
        ends_in(-timedelta(minutes=1))
        release_lapsed()
        start(study, person("other"))
        page.get_by_role("button", name="I am still here").click()
        expect(page.get_by_text("The other items went to other people")).to_be_visible()

    def test_the_notice_is_found_sound(self, browser_page: Page, live_server: LiveServer, link: str) -> None:
        page = walk_in(browser_page, live_server, link)
        ends_in(timedelta(minutes=1))
        page.reload()
        expect(page.locator("[data-lease]")).to_contain_text(ASKS)
        assert faults(page) == []

    def test_without_javascript(self, open_page: OpenPage, live_server: LiveServer, link: str) -> None:
        page = walk_in(open_page(java_script_enabled=False), live_server, link)
        expect(page.locator("[data-lease]")).to_be_hidden()
        ends_in(timedelta(minutes=1))
        page.reload()
        page.get_by_role("button", name="I am still here").click()
        expect(page.locator("[data-lease]")).to_be_hidden()
        at(page, 1)
        assert left() > timedelta(minutes=9)

    def _until_two_minutes_are_left(self, page: Page) -> None:
        """Holding the clock has let an hour pass, so the page is loaded anew."""
        page.reload()
        notice = page.locator("[data-lease]")
        expect(notice).to_be_hidden()
        seconds = int(notice.get_attribute("data-lease") or 0)
        page.clock.run_for(1_000 * (seconds - 121))
        expect(notice).to_be_hidden()
        page.clock.run_for(2_000)
        expect(notice).to_be_visible()
