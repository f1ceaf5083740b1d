"""Single-key shortcuts are switched off and on, on the item's page, and stay so for the sitting (WCAG 2.1.4)."""

from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Judgment
from tests.annotation.pages.conftest import at
from tests.browser import DESK, PHONE, OpenPage, faults_as_wide

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
OFF, ON = "Turn off keys", "Turn on keys"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_off_no_letter_or_digit_does_anything_and_enter_moves_on(browser_page: Page, begin) -> None:
    browser_page.clock.install()
    page = begin(browser_page)
    page.clock.pause_at(datetime.now() + timedelta(hours=1))
    press(page, OFF)
    expect(page.locator("#announcement")).to_contain_text("Keys are off")
    expect(page.locator(".option kbd").first).to_be_hidden()
    page.keyboard.press("2")
    expect(page.locator("input:checked")).to_have_count(0)
    page.get_by_label("More likely").focus()
    page.keyboard.press("3")
    page.keyboard.press("Space")
    page.keyboard.press("z")
    expect(page.get_by_label("More likely")).to_be_checked()
    page.keyboard.press("Enter")
    at(page, 2)
    assert [one.answer for one in Judgment.objects.all()] == ["more_likely"]


def test_it_stays_for_the_sitting_and_is_switched_on_again(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    press(page, OFF)
    page.get_by_label("Impossible").check()
    at(page, 2)
    expect(page.get_by_role("button", name=ON)).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name=ON)).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator("input:checked")).to_have_count(0)
    press(page, ON)
    expect(page.locator("#announcement")).to_have_text("Keys are on.")
    page.keyboard.press("2")
    at(page, 3)
    page.reload()
    expect(page.get_by_role("button", name=OFF)).to_be_visible()


def test_another_sitting_begins_with_them_on(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.evaluate("localStorage.setItem('shortcuts-off', '/another/sitting/')")
    page.reload()
    expect(page.get_by_role("button", name=OFF)).to_be_visible()
    page.keyboard.press("2")
    at(page, 2)


def test_the_switch_is_reached_by_tab(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.locator("[data-drawer] > summary").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=OFF)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=ON)).to_be_focused()
    at(page, 1)


def test_without_javascript_there_is_nothing_to_switch(open_page: OpenPage, begin) -> None:
    page = begin(open_page(java_script_enabled=False))
    expect(page.locator("[data-shortcuts] button")).to_be_hidden()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_it_is_found_sound_off_and_on(open_page: OpenPage, begin, viewport) -> None:
    page = begin(open_page(viewport=viewport))
    for name in (OFF, ON):
        button = page.get_by_role("button", name=name, exact=True)
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        button.click()
        assert faults_as_wide(page) == []


def test_where_there_are_no_keys_there_is_nothing_to_switch(open_page: OpenPage, begin) -> None:
    page = begin(open_page(viewport=PHONE, has_touch=True, is_mobile=True))
    expect(page.locator(".option kbd").first).to_be_hidden()
    expect(page.locator("[data-shortcuts] button")).to_be_hidden()
