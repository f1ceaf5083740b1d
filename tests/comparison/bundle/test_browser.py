"""In a browser: the part of the page that makes the report keeps itself up to date, and the report stands alone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from comparison import tasks
from comparison.exported import report_under_way
from tests.browser import PHONE, no_sideways_scrolling, serious_violations
from tests.comparison.page.visiting import address

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_the_file_is_offered_as_soon_as_it_is_there(
    live_server, browser_page, researcher, study, settings, tmp_path, nothing_in_it
):
    settings.VAR_DIR = tmp_path / "var"
    browser_page.goto(live_server.url + reverse("login"))
    browser_page.fill("#id_username", "researcher")
    browser_page.fill("#id_password", "long-and-dull")
    browser_page.press("#id_password", "Enter")
    report_under_way(study).begin()
    browser_page.goto(live_server.url + address(study, "export"))
    expect(browser_page.locator("#report")).to_contain_text("Waiting for a worker")
    report_under_way(study).report("5 of 13 steps done", share=5 / 13)
    expect(browser_page.locator("#report progress")).to_have_attribute("value", "0.385")
    tasks.make_report(study.pk)
    with browser_page.expect_download() as found:
        browser_page.get_by_role("link", name="Download report").click()
    assert found.value.suggested_filename == "small-report.zip"


def test_the_report_stands_alone(open_page, study, bundle):
    report = bundle(study) / "report.html"
    for theme in ("light", "dark"):
        page = open_page(viewport=PHONE, color_scheme=theme)
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(report.as_uri())
        assert [address.rpartition("/")[2] for address in asked] == ["report.html"]
        assert no_sideways_scrolling(page)
        assert serious_violations(page) == []
        expect(page.locator("figure svg").nth(1)).to_be_attached()
