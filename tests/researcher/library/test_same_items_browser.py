"""The page of two studies item by item: readable in both themes, on a desk and on a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser import PHONE, logged_in, serious_violations

DESK = {"width": 1280, "height": 800}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_it_is_accessible_and_no_wider_than_the_screen(open_page, live_server, client, both, scheme, viewport):
    shown = logged_in(open_page(viewport=viewport, color_scheme=scheme), live_server, client)
    shown.goto(f"{live_server.url}{reverse('two_studies')}?a=with&b=without")
    assert serious_violations(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    if viewport == DESK:
        # No column of the tables of two studies is out of sight.
        hidden = "(table) => table.parentElement.scrollWidth - table.parentElement.clientWidth"
        tables = shown.locator("table.of-two")
        assert [table.evaluate(hidden) for table in tables.all()] == [0] * tables.count()
        expect(tables.nth(2)).to_be_attached()
    shown.get_by_role("navigation", name="Pages of items").get_by_role("link", name="Next").click()
    shown.get_by_text("Page 2 of 2").wait_for(state="visible")
