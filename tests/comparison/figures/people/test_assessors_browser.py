"""Single annotators on the page: readable in both themes, on a desk and on a phone, and chosen by keyboard alone."""

import pytest
from playwright.sync_api import expect

from tests.browser import faults, logged_in
from tests.comparison.page.visiting import address

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
DESK = {"width": 1280, "height": 800}


def test_the_section_and_the_rows_beside_runs_are_accessible(browser_page, live_server, client, researcher, crowd):
    client.force_login(researcher)
    shown = logged_in(browser_page, live_server, client)
    for part in ("people", "classes", "breakdown"):
        shown.goto(f"{live_server.url}{address(crowd[0], part)}?open=classes")
        assert faults(shown) == [], part


def test_an_annotator_is_named_by_keyboard_and_stays_on_the_other_parts(
    open_page, live_server, client, researcher, crowd
):
    client.force_login(researcher)
    shown = logged_in(open_page(java_script_enabled=False), live_server, client)
    shown.goto(live_server.url + address(crowd[0], "people") + "?open=assessors")
    for name in ("Bo", "crowd-1", "crowd-2", "crowd-3"):
        shown.get_by_role("checkbox", name=name).uncheck()
    shown.get_by_role("textbox", name="Annotator").press("Enter")
    rows = shown.locator("#assessors tbody tr")
    expect(rows).to_have_count(1)
    assert "Anna" in rows.inner_text()
    shown.get_by_role("navigation", name="Study").get_by_role("link", name="Models", exact=True).click()
    shown.get_by_role("navigation", name="Study").get_by_role("link", name="Fewer classes").click()
    expect(shown.get_by_role("rowheader", name="one person · Anna")).to_have_count(1)
    expect(shown.get_by_role("rowheader", name="one person · Bo")).to_have_count(0)
