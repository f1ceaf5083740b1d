"""Right to left, in a real browser: Arabic words in an English page, and a page that runs from the right itself."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Judgment, Study
from tests.annotation.languages.arabic import CHOICE, RATING, open_arabic
from tests.annotation.languages.german import open_plain_german
from tests.browser import DESK, PHONE, OpenPage, no_sideways_scrolling, serious_violations

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
SHAPES: dict[str, dict[str, Any]] = {
    # Without motion, so that nothing is measured on its way.
    "desk": {"viewport": DESK, "color_scheme": "light", "reduced_motion": "reduce"},
    "phone": {
        "viewport": PHONE,
        "color_scheme": "dark",
        "reduced_motion": "reduce",
        "has_touch": True,
        "is_mobile": True,
    },
}
# How far the words of an element stand from its left and from its right edge.
GAPS = """one => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const words = range.getBoundingClientRect(), box = one.getBoundingClientRect();
    return [words.left - box.left, box.right - words.right];
}"""


def gaps(page: Page, selector: str) -> tuple[float, float]:
    left, right = page.locator(selector).first.evaluate(GAPS)
    return left, right


def at_an_item(page: Page, live_server: LiveServer, study: Study) -> Page:
    page.goto(live_server.url + study.links.get().get_absolute_url())
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#place")).to_have_text("Item 1 of 2")
    return page


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("task", [CHOICE, RATING], ids=["choice", "rating"])
def test_arabic_words_stand_at_the_right(
    open_page: OpenPage, live_server: LiveServer, tmp_path: Path, shape: str, task: str
) -> None:
    page = at_an_item(open_page(**SHAPES[shape]), live_server, open_arabic(tmp_path, task=task))
    for selector in (".sentence", ".question legend"):
        left, right = gaps(page, selector)
        assert abs(right) < 2 < left, selector
    assert serious_violations(page) == []
    assert no_sideways_scrolling(page)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_page_from_the_right_is_the_mirror_of_one_from_the_left(
    open_page: OpenPage, live_server: LiveServer, tmp_path: Path, shape: str
) -> None:
    page = at_an_item(open_page(**SHAPES[shape]), live_server, open_arabic(tmp_path))
    page.evaluate("document.documentElement.dir = 'rtl'")
    title, place = page.locator(".study-title"), page.locator("#place")
    assert place.bounding_box()["x"] < title.bounding_box()["x"]  # type: ignore[index]
    page.locator(".option").first.click()
    assert no_sideways_scrolling(page)
    page.get_by_text("Instructions").first.click()
    assert page.locator(".drawer-sheet").bounding_box()["x"] == 0  # type: ignore[index]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#place")).to_have_text("Item 2 of 2")
    assert Judgment.objects.count() == 1


def test_the_left_key_is_the_left_option_in_both_directions(
    open_page: OpenPage, live_server: LiveServer, tmp_path: Path
) -> None:
    page = at_an_item(open_page(**SHAPES["desk"]), live_server, open_arabic(tmp_path))
    for direction in ("ltr", "rtl"):
        page.evaluate(f"document.documentElement.dir = '{direction}'")
        boxes = [page.locator(".option", has_text=key).bounding_box() for key in ("F", "J")]
        assert boxes[0]["x"] < boxes[1]["x"], direction  # type: ignore[index]


def test_no_long_word_of_a_degree_is_broken(open_page: OpenPage, live_server: LiveServer, tmp_path: Path) -> None:
    page = open_page(**SHAPES["desk"])
    page.goto(live_server.url + open_plain_german(tmp_path).links.get().get_absolute_url())
    page.get_by_role("button", name="Beginnen").click()
    expect(page.locator("#place")).to_have_text("Aufgabe 1 von 2")
    words = page.locator(".option-text", has_text="Wahrscheinlicher")
    assert words.evaluate(
        "one => one.getBoundingClientRect().height < 1.9 * parseFloat(getComputedStyle(one).fontSize)"
    )
    boxes = [option.bounding_box() for option in page.locator(".option").all()]
    assert len({box["y"] for box in boxes if box}) == 1, "the degrees stand in one row"
