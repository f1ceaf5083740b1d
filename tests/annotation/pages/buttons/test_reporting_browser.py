"""Reporting a problem in a real browser: beside the item, which keeps what is chosen, its time and its place."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import ItemReport, Judgment, Study
from tests.annotation.pages.conftest import at, walk_in
from tests.browser import DESK, PHONE, OpenPage, faults_as_wide
from tests.studies import open_small_study, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
OPEN, WRITE, SEND = "Report a problem with this item", "What is wrong with this item?", "Send report"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    page = {"report_problem": True, "cannot_judge": True}
    return open_small_study(tmp_path, plausibility_rows(3), collection={"sitting_length": 3}, page=page)


@pytest.fixture
def begin(live_server: LiveServer, study: Study):
    link = study.links.get().get_absolute_url()
    return lambda page: walk_in(page, live_server, link, of=3)


def write(page: Page, text: str) -> None:
    page.get_by_text(OPEN).click()
    page.get_by_label(WRITE).press_sequentially(text)
    page.get_by_role("button", name=SEND).click()


def test_the_item_stays_as_it_stands(browser_page: Page, begin) -> None:
    browser_page.clock.install()
    page = begin(browser_page)
    page.clock.pause_at(datetime.now() + timedelta(hours=1))
    page.keyboard.press("2")
    write(page, "2z: a word is missing")
    expect(page.locator("[data-report] .sent")).to_have_text("Sent. Thank you.")
    expect(page.locator("#announcement")).to_have_text("Sent. Thank you.")
    expect(page.get_by_role("button", name=SEND)).to_be_focused()
    page.clock.run_for(5_000)
    expect(page.get_by_label("Less likely")).to_be_checked()
    at(page, 1, of=3)
    assert ItemReport.objects.get().text == "2z: a word is missing"
    assert not Judgment.objects.exists()
    page.get_by_role("button", name="Continue").click()
    at(page, 2, of=3)
    expect(page.get_by_text(OPEN)).to_be_visible()
    assert [one.answer for one in Judgment.objects.all()] == ["less_likely"]


def test_one_that_does_not_arrive_says_so_and_is_kept(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.context.set_offline(True)
    write(page, "cut off")
    expect(page.get_by_role("alert")).to_contain_text("Not sent")
    expect(page.locator("[data-saved]")).to_have_text("")
    page.context.set_offline(False)
    page.get_by_role("button", name=SEND).click()
    expect(page.locator("[data-report] .sent")).to_have_text("Sent. Thank you.")
    assert ItemReport.objects.get().text == "cut off"


def test_by_keyboard_alone(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    summary = page.locator("[data-report] > summary")
    page.get_by_text("Instructions").first.focus()
    for _ in range(5):
        page.keyboard.press("Tab")
        if summary.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("3 and z are letters here")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("[data-report] .sent")).to_have_text("Sent. Thank you.")
    assert ItemReport.objects.get().text == "3 and z are letters here"
    at(page, 1, of=3)


def test_without_javascript(open_page: OpenPage, begin) -> None:
    page = begin(open_page(java_script_enabled=False))
    page.get_by_text(OPEN).click()
    page.get_by_label(WRITE).fill("cut off")
    page.get_by_role("button", name=SEND).click()
    at(page, 1, of=3)
    expect(page.get_by_text("Problem reported")).to_be_visible()
    assert ItemReport.objects.get().text == "cut off"


@pytest.mark.parametrize("shape", [{"viewport": DESK}, {"viewport": PHONE, "has_touch": True, "is_mobile": True}])
def test_it_is_found_sound(open_page: OpenPage, begin, shape) -> None:
    page = begin(open_page(**shape))
    page.get_by_text(OPEN).click()
    assert faults_as_wide(page) == []
    page.get_by_role("button", name=SEND).click()
    expect(page.get_by_role("alert")).to_contain_text("Please describe what is wrong")
    assert faults_as_wide(page) == []
