"""History, shared links, what they open and webhooks in a real browser: both themes, on a desk and on a phone."""

from pathlib import Path

import pytest
from django.urls import reverse

from annotation.access.sharing import make_share
from annotation.models import Act
from annotation.webhooks.declaring import add_webhook, send_test
from researcher.views.comparison import PARTS
from tests.browser import faults, log_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
HOST = "hooks.example.org"


@pytest.fixture(autouse=True)
def hosts(settings) -> None:
    settings.WEBHOOK_HOSTS = [HOST]


def test_a_link_is_made_opened_by_somebody_else_and_ended(open_page, live_server, researcher, study):
    """Without JavaScript, and without an account on the other side."""
    page, other = open_page(java_script_enabled=False), open_page(java_script_enabled=False)
    log_in(page, live_server, reverse("members", args=[study.slug]))
    page.get_by_role("link", name="shared link").click()
    page.get_by_label("Link name").fill("Reviewers")
    page.get_by_label("Include CSV files").check()
    page.get_by_role("button", name="Create link").click()
    link = page.locator(".share-link").inner_text()
    other.goto(link)
    other.get_by_text(f"Shared results of “{study.title}”").wait_for()
    for title in PARTS.values():
        other.get_by_role("navigation", name="Study").get_by_role("link", name=title, exact=True).click()
        other.locator('nav.rail a[aria-current="page"]', has_text=title).wait_for()
    with other.expect_download() as download:
        other.locator("#export").get_by_role("link", name="Items", exact=True).click()
    assert Path(download.value.path()).read_text().count("\n") == 5
    page.get_by_role("button", name="End the link Reviewers").click()
    page.get_by_text("no longer shows results").wait_for()
    other.goto(link)
    other.get_by_text("This link does not work").wait_for()
    page.goto(live_server.url + reverse("history", args=[study.slug]))
    for words in ("ended a shared link", "shared results", "downloaded a file"):
        page.get_by_text(words).first.wait_for()


def test_pages_are_accessible_and_fit(browser_page, live_server, researcher, study):
    _, token = make_share(study, name="Reviewers of a journal", gives_files=True, by=researcher)
    made = add_webhook(study, address=f"https://{HOST}/a-rather-long-path/{'x' * 60}", events=["study.complete"])
    send_test(made)
    facts = {"instructions": ["not set", "text of 2,310 characters, sha256 1f2e3d4c"], "title": ["One", "Another"]}
    for _ in range(120):
        Act.objects.create(study_pk=study.pk, deed="setup changed", via="page", who="rosa", facts=facts)
    addresses = [reverse(name, args=[study.slug]) for name in ("history", "shares", "webhooks", "members")]
    addresses += [reverse("shared_part", args=[token, part]) for part in PARTS]
    addresses += [reverse("shared", args=["x" * 43])]
    log_in(browser_page, live_server)
    for address in addresses:
        browser_page.goto(live_server.url + address)
        browser_page.get_by_role("heading", level=1).wait_for()
        assert faults(browser_page) == [], address
