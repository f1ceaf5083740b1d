"""The button “I cannot judge this item” in a real browser: by mouse, by keys, by touch, and without JavaScript."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Judgment, Study
from tests.annotation.pages.conftest import at, open_declining, walk_in
from tests.browser import DESK, PHONE, OpenPage, faults_as_wide

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
NAME = "I cannot judge this item"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return open_declining(tmp_path / "small")


@pytest.fixture
def begin(live_server: LiveServer, study: Study):
    link = study.links.get().get_absolute_url()
    return lambda page: walk_in(page, live_server, link, of=5)


def test_by_mouse_with_its_time(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.get_by_role("button", name=NAME).click()
    at(page, 2, of=5)
    found = Judgment.objects.get()
    assert found.answer == ""
    assert found.response_ms is not None


def test_by_keyboard_and_enter_alone_means_continue(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.get_by_label("Impossible").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Please choose one of the answers")
    page.get_by_role("button", name="Continue").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=NAME)).to_be_focused()
    page.keyboard.press("Space")
    at(page, 2, of=5)
    assert Judgment.objects.get().answer == ""


def test_it_takes_the_place_of_a_choice_about_to_be_sent(browser_page: Page, begin) -> None:
    browser_page.clock.install()
    page = begin(browser_page)
    page.clock.pause_at(datetime.now() + timedelta(hours=1))
    page.keyboard.press("2")
    page.get_by_role("button", name=NAME).click()
    at(page, 2, of=5)
    page.clock.run_for(5_000)
    at(page, 2, of=5)
    assert [one.answer for one in Judgment.objects.all()] == [""]


def test_without_javascript(open_page: OpenPage, begin) -> None:
    page = begin(open_page(java_script_enabled=False))
    page.get_by_role("button", name=NAME).click()
    at(page, 2, of=5)
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_text("You said that you cannot judge this item.")).to_be_visible()


@pytest.mark.parametrize("shape", [{"viewport": DESK}, {"viewport": PHONE, "has_touch": True, "is_mobile": True}])
def test_it_is_found_sound(open_page: OpenPage, begin, shape) -> None:
    page = begin(open_page(**shape))
    box = page.get_by_role("button", name=NAME).bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert faults_as_wide(page) == []
