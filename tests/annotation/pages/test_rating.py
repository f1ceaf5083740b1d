"""Rating scales in a real browser: on a desk and on a phone, light and dark, with keys and without JavaScript."""

from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.annotation.pages.conftest import RATING, answers, rating_rows
from tests.browser import PHONE, OpenPage, faults
from tests.studies import open_small_study

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def begin(page: Page, live_server: LiveServer, folder: Path, *, points: int = 7) -> Page:
    study = open_small_study(folder, rating_rows(4), task=RATING | {"points": points}, quality={"gold_distance": 2})
    page.goto(f"{live_server.url}{study.links.get().get_absolute_url()}")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#place")).to_have_text("Item 1 of 4")
    return page


def box_of(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box is not None
    return box


def test_ten_points_by_keys(browser_page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    page = begin(browser_page, live_server, tmp_path, points=10)
    words = page.locator(".option-text").first
    # No word is broken: three lines hold the number and two words.
    assert words.evaluate("text => Math.round(text.clientHeight / parseFloat(getComputedStyle(text).lineHeight))") <= 3
    for number, key in enumerate("1095", start=1):
        expect(page.locator("#place")).to_have_text(f"Item {number} of 4")
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert answers() == ["1", "10", "9", "5"]


@pytest.mark.parametrize("points", [3, 7, 10])
def test_the_cells_are_equal_with_each_number_once_and_the_words_of_the_ends_below(
    browser_page: Page, live_server: LiveServer, tmp_path: Path, points: int
) -> None:
    page = begin(browser_page, live_server, tmp_path, points=points)
    options = page.locator(".option")
    boxes = [box_of(option) for option in options.all()]
    assert [box["x"] for box in boxes] == sorted(box["x"] for box in boxes)
    assert max(box["width"] for box in boxes) - min(box["width"] for box in boxes) < 1
    assert len({(box["y"], box["height"]) for box in boxes}) == 1
    ends = ["Completely implausible", *[""] * (points - 2), "Completely plausible"]
    # The key of the tenth point is another number; any other number is its key.
    keys = [""] * min(points, 9) + ["0"] * (points - 9)
    shown = [option.inner_text().split() for option in options.all()]
    assert shown == [[str(n), *end.split(), *key] for n, (end, key) in enumerate(zip(ends, keys, strict=True), 1)]
    low, high = (box_of(end) for end in page.locator(".end").all())
    below = boxes[0]["y"] + boxes[0]["height"]
    assert low["y"] >= below
    assert high["y"] >= below
    assert low["x"] == pytest.approx(boxes[0]["x"], abs=2)
    assert high["x"] + high["width"] == pytest.approx(boxes[-1]["x"] + boxes[-1]["width"], abs=2)
    assert low["x"] + low["width"] < high["x"]
    assert low["y"] + low["height"] <= box_of(page.locator(".move"))["y"]
    expect(page.get_by_role("radio", name="1 Completely implausible")).to_be_visible()
    if points == 7:
        assert faults(page) == []


def test_the_longest_words_of_ends_stand_apart_and_above_what_follows(
    browser_page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    words = {"low": "Not at all what anyone who speaks the language would say now", "high": "Just what " * 6}
    task = RATING | words
    study = open_small_study(tmp_path, rating_rows(4), task=task, quality={"gold_distance": 2})
    page = browser_page
    page.set_viewport_size({"width": 660, "height": 800})
    page.goto(f"{live_server.url}{study.links.get().get_absolute_url()}")
    page.get_by_role("button", name="Start").click()
    low, high = (box_of(end) for end in page.locator(".end").all())
    assert low["x"] + low["width"] < high["x"]
    assert max(end["y"] + end["height"] for end in (low, high)) <= box_of(page.locator(".move"))["y"]
    page.get_by_text("Not at all").click()
    expect(page.locator("#place")).to_have_text("Item 2 of 4")
    assert answers() == ["1"]


def test_on_a_phone_both_ends_can_be_read_and_touched(
    open_page: OpenPage, live_server: LiveServer, tmp_path: Path
) -> None:
    page = begin(open_page(viewport=PHONE, has_touch=True, is_mobile=True), live_server, tmp_path)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for option in page.locator(".option").all():
        box, words = box_of(option), box_of(option.locator(".option-text"))
        assert box["height"] >= 44
        assert words["x"] >= box["x"]
        assert words["x"] + words["width"] <= box["x"] + box["width"]
    for number, name in enumerate(("Completely implausible", "Completely plausible") * 2, start=1):
        expect(page.locator("#place")).to_have_text(f"Item {number} of 4")
        page.get_by_text(name).tap()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert answers() == ["1", "7", "1", "7"]


def test_without_javascript(open_page: OpenPage, live_server: LiveServer, tmp_path: Path) -> None:
    page = begin(open_page(java_script_enabled=False), live_server, tmp_path)
    for number in range(1, 5):
        expect(page.locator("#place")).to_have_text(f"Item {number} of 4")
        page.get_by_role("radio", name="4").check()
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert answers() == ["4"] * 4
