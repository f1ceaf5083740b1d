"""Buttons that copy: each says what it did, and where the browser keeps the clipboard shut, the text is selected."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser import log_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# As without https, where there is no clipboard, and as a browser that refuses.
CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {{ value: {} }})"
CLIPBOARDS = {
    "open": CLIPBOARD.format("{ writeText: async (text) => { window.copied = text; } }"),
    "none": CLIPBOARD.format("undefined"),
    "refused": CLIPBOARD.format("{ writeText: async () => { throw new DOMException('no', 'NotAllowedError'); } }"),
}
SELECTED = "Selected: copy it with your keyboard or menu"


def pressed(page: Page, name: str) -> str:
    page.get_by_role("button", name=name, exact=True).click()
    said = page.get_by_role("button", name=name, exact=True).locator("xpath=..").locator("[data-copied]")
    expect(said).not_to_be_empty()
    return said.inner_text()


@pytest.mark.parametrize("clipboard", CLIPBOARDS)
def test_a_button_that_copies_says_what_it_did(open_page, live_server, researcher, study, clipboard):
    page = open_page()
    page.add_init_script(CLIPBOARDS[clipboard])
    log_in(page, live_server)
    for name, button in (("study", "Copy link"), ("results", "Copy as text")):
        page.goto(live_server.url + reverse(name, args=[study.slug]))
        text = page.get_by_role("button", name=button, exact=True).get_attribute("data-copy")
        assert text
        said = pressed(page, button)
        if clipboard == "open":
            assert (said, page.evaluate("window.copied")) == ("Copied", text)
            continue
        assert said == SELECTED
        assert page.evaluate("getSelection().toString()").split() == text.split()
        # A second press finds the text that the first one has put there.
        pressed(page, button)
        expect(page.locator("code.to-copy")).to_have_count(1)
