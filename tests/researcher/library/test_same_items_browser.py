"""The page of two studies item by item: readable in both themes, on a desk and on a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser import PHONE, faults, logged_in


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_it_is_accessible_and_no_wider_than_the_screen(browser_page, live_server, client, both):
    shown, address = logged_in(browser_page, live_server, client), f"{reverse('two_studies')}?a=with&b=without"
    shown.goto(live_server.url + address)
    assert faults(shown) == []
    # On a desk no column of the tables of two studies is out of sight.
    hidden = "(table) => table.parentElement.scrollWidth - table.parentElement.clientWidth"
    tables = shown.locator("table.of-two")
    assert [table.evaluate(hidden) for table in tables.all()] == [0] * tables.count()
    expect(tables.nth(2)).to_be_attached()
    for viewport in (shown.viewport_size, PHONE):
        shown.set_viewport_size(viewport)
        shown.goto(live_server.url + address)
        shown.get_by_role("navigation", name="Pages of items").get_by_role("link", name="Next").click()
        shown.get_by_text("Page 2 of 2").wait_for(state="visible")
