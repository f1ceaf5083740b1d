"""The whole path in a real browser: by mouse, without JavaScript, by keyboard alone, by touch, in both themes."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Judgment, QuestionnaireAnswers, Sitting, Study
from annotation.platforms import Outcome
from tests.annotation.stages.whole import open_whole
from tests.browser import DESK, PHONE, OpenPage, no_sideways_scrolling, serious_violations

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
ITEM_BYTES = 40_000


@pytest.fixture
def whole(tmp_path: Path) -> Study:
    return open_whole(tmp_path / "whole")


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def choose(page: Page, words: str) -> None:
    """By the means that the page has: without a script, Continue moves on."""
    page.locator(".option", has_text=words).click()
    if not page.evaluate("!!window.htmx"):
        press(page, "Continue")


def walk(page: Page, address: str, looked=lambda: None) -> None:
    """From the link to the code; `looked` is called at every stage."""
    page.goto(address)
    looked()
    press(page, "Start")
    heading(page, "Consent")
    looked()
    press(page, "I agree to take part")
    heading(page, "Instructions")
    looked()
    press(page, "Continue")
    heading(page, "Questions about the instructions")
    looked()
    page.get_by_label("The first sentence").check()
    page.get_by_label("No", exact=True).check()
    press(page, "Continue")
    expect(page.get_by_text("This is your last try")).to_be_visible()
    looked()
    page.get_by_label("The second sentence").check()
    press(page, "Continue")
    for number, words in enumerate(("More likely", "Impossible"), start=1):
        expect(page.locator("#place")).to_have_text(f"Practice {number} of 2")
        choose(page, words)
        expect(page.get_by_text("Your answer:")).to_be_visible()
        looked()
        press(page, "Start the items" if number == 2 else "Continue")
    for number in range(1, 4):
        expect(page.locator("#place")).to_have_text(f"Item {number} of 3")
        choose(page, "Equally likely")
    heading(page, "A few questions about you")
    looked()
    page.get_by_label("25 to 34").check()
    page.get_by_label("Which language did you learn first?").fill("Finnish")
    press(page, "Continue")
    heading(page, "What this study is about")
    looked()
    press(page, "Continue to the last page")
    expect(page.locator("#code")).to_have_text(Sitting.objects.latest("pk").completion_code)


def assert_done() -> None:
    assert Sitting.objects.get().outcome == Outcome.COMPLETED
    assert Judgment.objects.count() == 5
    assert QuestionnaireAnswers.objects.get().answers == {"age": "25 to 34", "first_language": "Finnish"}


@pytest.mark.parametrize(
    ("shape", "scheme"),
    [({"viewport": DESK}, "light"), ({"viewport": PHONE, "has_touch": True, "is_mobile": True}, "dark")],
    ids=["desk", "phone"],
)
def test_every_stage_is_found_sound(
    open_page: OpenPage, live_server: LiveServer, whole: Study, shape: dict[str, Any], scheme: str
) -> None:
    page = open_page(color_scheme=scheme, **shape)

    def looked() -> None:
        assert serious_violations(page) == []
        assert no_sideways_scrolling(page)

    walk(page, live_server.url + whole.links.get().get_absolute_url(), looked)
    assert_done()


def test_without_javascript(open_page: OpenPage, live_server: LiveServer, whole: Study) -> None:
    walk(open_page(java_script_enabled=False), live_server.url + whole.links.get().get_absolute_url())
    assert_done()


def test_by_keyboard_alone(browser_page: Page, live_server: LiveServer, whole: Study) -> None:
    page = browser_page

    def until(role: str, name: str, key: str) -> None:
        """Tab to it, then press the key."""
        wanted = page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
        expect(wanted).to_be_visible()
        for _ in range(30):
            page.keyboard.press("Tab")
            if wanted.evaluate("one => one === document.activeElement"):
                return page.keyboard.press(key)
        raise AssertionError(f"Tab does not come to {name}")

    page.goto(live_server.url + whole.links.get().get_absolute_url())
    until("button", "Start", "Enter")
    until("button", "I agree to take part", "Enter")
    heading(page, "Instructions")
    page.keyboard.press("Enter")
    until("radio", "The second sentence", "Space")
    until("radio", "Yes", "ArrowDown")
    until("button", "Continue", "Enter")
    for number in (1, 2):
        expect(page.locator("#place")).to_have_text(f"Practice {number} of 2")
        page.keyboard.press("2")
        expect(page.get_by_text("Your answer:")).to_be_visible()
        page.keyboard.press("Enter")
    for number in (1, 2, 3):
        expect(page.locator("#place")).to_have_text(f"Item {number} of 3")
        page.keyboard.press("3")
    heading(page, "A few questions about you")
    until("textbox", "Which language did you learn first?", "F")
    page.keyboard.press("Enter")
    heading(page, "What this study is about")
    page.keyboard.press("Enter")
    expect(page.locator("#code")).to_be_visible()
    assert QuestionnaireAnswers.objects.get().answers == {"first_language": "F"}


def test_enter_moves_on_where_the_study_says_so(browser_page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    study = open_whole(tmp_path, stages="", page={"advance": "enter"})
    page = browser_page
    page.clock.install()
    page.goto(live_server.url + study.links.get().get_absolute_url())
    press(page, "Start")
    page.locator(".option", has_text="Less likely").click()
    expect(page.locator("[data-moment]")).to_have_text("Press Enter to continue")
    page.clock.run_for(5_000)
    expect(page.locator("#place")).to_have_text("Practice 1 of 2")
    assert not Judgment.objects.exists()
    page.keyboard.press("Enter")
    heading(page, "That is the expected answer")


def test_an_item_with_all_that_it_loads_is_light(open_page: OpenPage, live_server: LiveServer, whole: Study) -> None:
    page = open_page()
    sizes: list[int] = []

    def weighed(response: Response) -> None:
        sizes.append(len(gzip.compress(response.body())))

    walk(page, live_server.url + whole.links.get().get_absolute_url())
    Sitting.objects.update(state="active", outcome="", stage="items")
    Sitting.objects.get().assignments.filter(position=5).update(state="reserved")
    cold = open_page()
    cold.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    cold.on("response", weighed)
    cold.goto(live_server.url + Sitting.objects.get().get_absolute_url(), wait_until="networkidle")
    expect(cold.locator("#place")).to_have_text("Item 3 of 3")
    assert sizes
    assert sum(sizes) < ITEM_BYTES
