"""Lines that are cut at the other stages' pages: their forms are sent again as an answer is, and count once."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.assignment import start
from annotation.models import Annotator, ComprehensionTry, Consent, QuestionnaireAnswers, Sitting, Study
from tests.annotation.stages.whole import open_whole
from tests.browser import intercepted
from tests.studies import declare

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
TRYING = "Not saved yet: no connection. Trying again…"
SITTING = "**/sitting/**"


@pytest.fixture
def page(browser_page: Page, live_server: LiveServer, tmp_path: Path) -> Page:
    """At the consent, with the browser's clock in our hand."""
    browser_page.clock.install()
    intercepted(browser_page).goto(live_server.url + open_whole(tmp_path / "whole").links.get().get_absolute_url())
    press(browser_page, "Start")
    heading(browser_page, "Consent")
    # Until then a form goes as it goes without scripts.
    browser_page.wait_for_load_state()
    browser_page.clock.pause_at(datetime.now() + timedelta(hours=1))
    return browser_page


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def cut_on_the_way_there(route: Route) -> None:
    route.abort("timedout")


def cut_on_the_way_back(route: Route) -> None:
    route.fetch()
    route.abort("connectionreset")


def press_while_cut(page: Page, button: str, how: object = cut_on_the_way_back) -> None:
    """The page says so, keeps what was entered, and a second later tries again."""
    # htmx takes a page that it has swapped in a moment later.
    page.clock.run_for(100)
    page.route(SITTING, how, times=1)  # type: ignore[arg-type]
    press(page, button)
    expect(page.get_by_role("alert")).to_have_text(TRYING)
    page.clock.run_for(1_000)


@pytest.mark.parametrize("how", [cut_on_the_way_there, cut_on_the_way_back])
def test_every_form_before_the_items_is_sent_again(page: Page, how: object) -> None:
    press_while_cut(page, "I agree to take part", how)
    heading(page, "Instructions")
    press_while_cut(page, "Continue", how)
    heading(page, "Questions about the instructions")
    page.get_by_label("The second sentence").check()
    page.get_by_label("No", exact=True).check()
    press_while_cut(page, "Continue", how)
    expect(page.locator("#place")).to_have_text("Practice 1 of 2")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert (Consent.objects.get().agreed, ComprehensionTry.objects.get().passed) == (True, True)


def test_that_one_declines_is_sent_again_as_that(page: Page) -> None:
    press_while_cut(page, "I do not agree", cut_on_the_way_there)
    expect(page.get_by_text("You decided not to take part.")).to_be_visible()
    assert not Consent.objects.get().agreed


def test_what_would_fail_again_is_not_sent_again(page: Page) -> None:
    page.route(SITTING, lambda route: route.fulfill(status=500, body="Error"), times=1)
    press(page, "I agree to take part")
    expect(page.get_by_role("alert")).to_contain_text("Please send them again")
    page.clock.run_for(60_000)
    assert not Consent.objects.exists()
    press(page, "I agree to take part")
    heading(page, "Instructions")


def test_who_comes_to_the_items_in_a_crowd_is_told_so_with_the_way_back(page: Page) -> None:
    study = Study.objects.get()
    declare(max_unanswered=1, addresses={"quota_full": "https://panel.example/full"})
    start(study, Annotator.objects.create(platform="annotator", external_id="before"))
    Sitting.objects.filter(annotator__external_id="before").update(link=study.links.get(), stage="items")
    press(page, "I agree to take part")
    heading(page, "Instructions")
    page.clock.run_for(100)
    press(page, "Continue")
    heading(page, "Questions about the instructions")
    page.clock.run_for(100)
    page.get_by_label("The second sentence").check()
    page.get_by_label("No", exact=True).check()
    press(page, "Continue")
    heading(page, "Please try again soon")
    expect(page.get_by_role("link", name="Return to the platform")).to_have_attribute(
        "href", "https://panel.example/full"
    )


@pytest.mark.parametrize("how", [cut_on_the_way_there, cut_on_the_way_back])
def test_the_questionnaire_and_the_debriefing_are_sent_again(page: Page, how: object) -> None:
    Sitting.objects.update(stage=Sitting.Stage.QUESTIONNAIRE, state="finished", outcome="completed", origin="")
    page.reload()
    page.get_by_label("25 to 34").check()
    page.get_by_label("Which language did you learn first?").fill("Finnish")
    press_while_cut(page, "Continue", how)
    heading(page, "What this study is about")
    press_while_cut(page, "Continue to the last page", how)
    heading(page, "Thank you")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert QuestionnaireAnswers.objects.get().answers == {"age": "25 to 34", "first_language": "Finnish"}


def test_the_feedback_of_practice_says_that_the_lease_ends_and_holds_on(page: Page) -> None:
    page.clock.resume()
    press(page, "I agree to take part")
    heading(page, "Instructions")
    press(page, "Continue")
    heading(page, "Questions about the instructions")
    page.get_by_label("The second sentence").check()
    page.get_by_label("No", exact=True).check()
    press(page, "Continue")
    page.locator(".option", has_text="More likely").click()
    expect(page.get_by_text("Your answer:")).to_be_visible()
    expect(page.get_by_text("Are you still here?")).to_be_hidden()
    Sitting.objects.update(lease_expires_at=timezone.now() + timedelta(minutes=1))
    page.reload()
    expect(page.get_by_text("Are you still here?").last).to_be_visible()
    press(page, "I am still here")
    expect(page.get_by_text("Your items are kept for you.").last).to_be_attached()
    assert Sitting.objects.get().lease_expires_at > timezone.now() + timedelta(minutes=2)
    expect(page.get_by_text("Your answer:")).to_be_visible()
