"""A sitting as a person has it: in a real browser, by mouse, by keys, by touch, and without JavaScript."""

import re
import time
from itertools import product

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.lifecycle.status import close_study
from annotation.models import Judgment, Revision, Sitting, Study
from tests.annotation.pages.conftest import answers, at, two_frames
from tests.browser import DESK, PHONE, OpenPage, faults, serious_violations
from tests.studies import declare

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOMENT_MS = 800


def test_a_whole_sitting_by_mouse(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.evaluate("window.stillTheSamePage = true")
    for number in range(1, 8):
        at(page, number)
        page.get_by_text("More likely").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert page.evaluate("window.stillTheSamePage")
    assert answers() == ["more_likely"] * 7
    assert Sitting.objects.get().completion_code == page.locator("#code").inner_text()
    assert all(ms is not None and ms >= 0 for ms in Judgment.objects.values_list("response_ms", flat=True))


def test_a_whole_sitting_by_keys(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    for number, key in enumerate("1234512", start=1):
        at(page, number)
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    scale = ["impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true"]
    assert answers() == [*scale, *scale[:2]]


def test_a_whole_sitting_without_javascript(open_page: OpenPage, begin) -> None:
    page = begin(open_page(java_script_enabled=False))
    for number in range(1, 8):
        at(page, number)
        page.get_by_label("Equally likely").check()
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert answers() == ["equally_likely"] * 7


def test_a_whole_sitting_on_a_phone(open_page: OpenPage, begin) -> None:
    page = begin(open_page(viewport=PHONE, has_touch=True, is_mobile=True))
    boxes = [option.bounding_box() for option in page.locator(".option").all()]
    assert len({box["x"] for box in boxes}) == 1, "the options stand in a column"
    assert all(box["height"] >= 44 for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for number in range(1, 8):
        at(page, number)
        page.get_by_text("Impossible").tap()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert answers() == ["impossible"] * 7


@pytest.mark.parametrize("by_keys", [False, True], ids=["by mouse", "by keys"])
def test_a_choice_made_before_the_scripts_have_come(browser_page: Page, live_server, link, by_keys: bool) -> None:
    page = browser_page
    page.goto(f"{live_server.url}{link}")
    held: list[Route] = []
    page.route("**/annotator-choosing*.js", lambda route: held.append(route))
    page.get_by_role("button", name="Start").click(no_wait_after=True)
    at(page, 1)
    if by_keys:
        page.get_by_label("Impossible").focus()
        page.keyboard.press("ArrowDown")
    else:
        page.get_by_text("Less likely").click()
    expect(page.get_by_label("Less likely")).to_be_checked()
    assert answers() == []
    held[0].continue_()
    if by_keys:
        expect(page.locator("[data-moment]")).to_have_text("Press Enter to continue")
        page.keyboard.press("Enter")
    at(page, 2)
    assert answers() == ["less_likely"]
    assert Judgment.objects.get().response_ms is None, "nobody has seen when they chose"


def test_undo_within_the_moment(held: Page) -> None:
    for undo in ("z", "Escape", "button"):
        held.keyboard.press("2")
        if undo == "button":
            held.get_by_role("button", name="Undo").click()
        else:
            held.keyboard.press(undo)
        held.clock.run_for(2 * MOMENT_MS)
        expect(held.locator("input:checked"), undo).to_have_count(0)
        at(held, 1)
        assert answers() == []


def test_choosing_again_within_the_moment_counts_once(held: Page) -> None:
    held.keyboard.press("2")
    held.clock.run_for(MOMENT_MS - 100)
    held.keyboard.press("4")
    held.clock.run_for(MOMENT_MS - 100)
    at(held, 1)
    held.clock.run_for(200)
    at(held, 2)
    assert answers() == ["more_likely"]
    assert not Revision.objects.exists()


def test_enter_moves_on_at_once(held: Page) -> None:
    held.keyboard.press("2")
    held.keyboard.press("Enter")
    at(held, 2)
    assert answers() == ["less_likely"]


def test_the_response_time_runs_from_shown_to_chosen(held: Page) -> None:
    held.clock.run_for(3_000)
    held.keyboard.press("2")
    held.clock.run_for(700)
    held.keyboard.press("Enter")
    at(held, 2)
    response_ms = Judgment.objects.get().response_ms
    assert response_ms is not None
    # The clock ran freely until it was held, by jumping an hour.
    assert (response_ms - 3_000) % 3_600_000 < 60_000


def test_the_time_in_which_the_page_was_hidden_is_kept_apart(held: Page) -> None:
    def hide(hidden: bool) -> None:
        held.evaluate(
            """hidden => {
                Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            hidden,
        )

    for _ in range(2):
        hide(True)
        held.clock.run_for(600_000)
        hide(False)
        held.clock.run_for(1_500)
    held.keyboard.press("2")
    held.keyboard.press("Enter")
    at(held, 2)
    judgment = Judgment.objects.get()
    assert judgment.hidden_ms == 1_200_000
    assert judgment.response_ms is not None
    # As above: an hour, and the time before it.
    assert (judgment.response_ms - 3_000) % 3_600_000 < 60_000
    held.clock.run_for(1_000)
    held.keyboard.press("2")
    held.keyboard.press("Enter")
    at(held, 3)
    assert Judgment.objects.latest("pk").hidden_ms == 0


def test_the_clock_starts_when_the_item_is_painted(held: Page) -> None:
    held.keyboard.press("2")
    held.keyboard.press("Enter")
    at(held, 2)
    held.clock.run_for(3_000)
    held.keyboard.press("2")
    held.keyboard.press("Enter")
    at(held, 3)
    response_ms = Judgment.objects.latest("pk").response_ms
    # Two frames of 16 ms each.
    assert response_ms is not None
    assert 2_900 < response_ms < 3_000


def test_the_time_runs_on_where_continue_was_pressed_without_an_answer(held: Page) -> None:
    held.clock.run_for(3_000)
    held.keyboard.press("Enter")
    expect(held.locator("#problem")).to_contain_text("Please choose one of the answers")
    held.clock.run_for(2_000)
    held.keyboard.press("2")
    held.keyboard.press("Enter")
    at(held, 2)
    response_ms = Judgment.objects.get().response_ms
    assert response_ms is not None
    # As above: an hour, and the time before it.
    assert 5_000 <= response_ms % 3_600_000 < 60_000


@pytest.mark.parametrize("leave", ["reload", "back"])
def test_the_time_of_an_item_that_comes_again_without_an_answer_goes_on(browser_page: Page, begin, leave: str) -> None:
    page = begin(browser_page)
    two_frames(page)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    at(page, 2)
    page.wait_for_timeout(1_500)
    if leave == "reload":
        page.reload()
    else:
        page.get_by_role("link", name="← Back").click()
        at(page, 1)
        page.get_by_role("button", name="Continue").click()
    at(page, 2)
    two_frames(page)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    at(page, 3)
    times = [*Judgment.objects.order_by("assignment__position").values_list("response_ms", flat=True)]
    assert times[1] is not None and times[1] >= 1_500
    assert times[0] is not None and times[0] < 1_500, "the time of an item that is answered goes on no more"


def test_of_a_page_that_was_loaded_the_clock_starts_before_its_scripts_are_there(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    late: list[Route] = []
    page.route("**/annotator-choosing*.js", lambda route: late.append(route))
    page.reload(wait_until="commit")
    while not (late and page.evaluate("performance.getEntriesByName('first-contentful-paint').length")):
        page.wait_for_timeout(20)
    page.wait_for_timeout(500)
    late[0].continue_()
    page.wait_for_load_state("load")
    two_frames(page)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    at(page, 2)
    response_ms = Judgment.objects.get().response_ms
    assert response_ms is not None
    assert response_ms >= 500


def test_arrows_select_and_enter_moves_on(held: Page) -> None:
    held.get_by_label("Impossible").focus()
    held.keyboard.press("ArrowRight")
    held.keyboard.press("ArrowRight")
    held.clock.run_for(2 * MOMENT_MS)
    at(held, 1)
    held.keyboard.press("Enter")
    at(held, 2)
    assert answers() == ["equally_likely"]


def test_other_keys_choose_nothing(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    for keys in ("Control+1", "Alt+1", "Meta+1", "6", "f"):
        page.keyboard.press(keys)
        expect(page.locator("input:checked"), keys).to_have_count(0)


def test_keys_are_off_while_typing(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.evaluate("document.querySelector('.stimulus').append(document.createElement('textarea'))")
    page.locator("textarea").press_sequentially("125z")
    expect(page.locator("textarea")).to_have_value("125z")
    expect(page.locator("input:checked")).to_have_count(0)


def test_going_back_and_changing(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.keyboard.press("2")
    at(page, 2)
    page.get_by_role("link", name="Back").click()
    at(page, 1)
    expect(page.get_by_label("Less likely")).to_be_checked()
    page.keyboard.press("5")
    at(page, 2)
    assert answers() == ["necessarily_true"]
    assert Revision.objects.get().answer == "less_likely"


def test_reloading_and_coming_back_by_the_link(browser_page: Page, begin, live_server: LiveServer, link: str) -> None:
    page = begin(browser_page)
    page.keyboard.press("2")
    at(page, 2)
    sentence = page.locator(".stimulus").inner_text()
    page.reload()
    at(page, 2)
    page.goto(f"{live_server.url}{link}")
    page.get_by_role("button", name="Continue").click()
    at(page, 2)
    assert page.locator(".stimulus").inner_text() == sentence


def test_the_next_item_takes_focus_and_is_announced(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.keyboard.press("2")
    at(page, 2)
    expect(page.locator("#announcement")).to_have_text("Saved. Item 2 of 7.")
    expect(page.locator("article")).to_be_focused()
    expect(page.locator("[data-saved]")).to_have_text(re.compile("Saved"))
    expect(page).to_have_title(re.compile("^2 of 7"))


def test_a_missing_answer_is_told_beside_the_options(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("Please choose one of the answers")
    page.keyboard.press("3")
    at(page, 2)


def test_an_answer_that_does_not_arrive_is_kept_and_sent_again(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.context.set_offline(True)
    page.keyboard.press("3")
    expect(page.get_by_role("alert")).to_have_text("Not saved yet: no connection. Trying again…")
    expect(page.get_by_label("Equally likely")).to_be_checked()
    page.context.set_offline(False)
    at(page, 2)
    assert answers() == ["equally_likely"]


@pytest.mark.parametrize("scripts", [True, False])
def test_the_instructions_slide_over(open_page: OpenPage, begin, scripts: bool) -> None:
    page = begin(open_page(java_script_enabled=scripts))
    page.locator("summary").click()
    expect(page.get_by_role("heading", name="Instructions")).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator("input:checked")).to_have_count(0)
    page.locator("summary").click()
    expect(page.get_by_role("heading", name="Instructions")).to_be_hidden()
    at(page, 1)


def test_escape_shuts_the_instructions(browser_page: Page, begin) -> None:
    page = begin(browser_page)
    page.locator("summary").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Instructions")).to_be_hidden()
    expect(page.locator("summary")).to_be_focused()


def test_a_study_that_closes_in_the_middle(browser_page: Page, begin, study: Study) -> None:
    # Whoever was given a check first, and failed it, would be told another end.
    declare(max_attention_failures=9)
    page = begin(browser_page)
    page.keyboard.press("2")
    at(page, 2)
    close_study(study)
    page.keyboard.press("2")
    expect(page.get_by_role("heading", name="This study has closed")).to_be_visible()
    expect(page.get_by_text("Your answer is saved.")).to_be_visible()
    expect(page.locator("#code")).to_have_text(Sitting.objects.get().completion_code)


def test_the_code_can_be_copied(open_page: OpenPage, begin) -> None:
    page = begin(open_page(permissions=["clipboard-read", "clipboard-write"]))
    for number in range(1, 8):
        at(page, number)
        page.keyboard.press("1")
    page.get_by_role("button", name="Copy code").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == Sitting.objects.get().completion_code


def test_no_page_has_a_serious_fault_of_access(browser_page: Page, live_server: LiveServer, link: str) -> None:
    page, found = browser_page, {}
    page.goto(f"{live_server.url}{link}")
    found["welcome"] = faults(page)
    page.get_by_role("button", name="Start").click()
    at(page, 1)
    found["item"] = faults(page)
    # A choice stands for a moment alone: one item each.
    for number, (scheme, viewport) in enumerate(product(("light", "dark"), (DESK, PHONE)), start=1):
        page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.get_by_label("Less likely").check()
        found[f"chosen, {scheme}, {viewport}"] = serious_violations(page)
        at(page, number + 1)
    page.locator("summary").click()
    time.sleep(0.3)
    found["drawer"] = faults(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_be_visible()
    found["problem"] = faults(page)
    page.goto(f"{live_server.url}/s/nothing/")
    found["notice"] = faults(page)
    assert not any(found.values()), found
