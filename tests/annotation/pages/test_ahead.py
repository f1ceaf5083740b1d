"""The next item is there to be looked at as soon as an answer is sent, and goes where the answer does not arrive."""

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.models import Assignment, Judgment
from tests.annotation.pages.conftest import answers, at

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SITTING = "**/sitting/**"
# Of the browser's clock, which we hold: an item's own has started.
FRAMES_MS = 50


@pytest.fixture
def under_way(held: Page) -> list[Route]:
    """At the second item, whose answers are kept on their way until we let them go on."""
    held.keyboard.press("3")
    held.keyboard.press("Enter")
    at(held, 2)
    held.clock.run_for(FRAMES_MS)
    routes: list[Route] = []
    held.route(SITTING, lambda route: routes.append(route))
    return routes


def sentence(position: int) -> str:
    content: dict[str, str] = Assignment.objects.get(position=position).item.content
    return content["original"]


def ahead(page: Page):
    return page.locator("[data-looked-at]")


def answer(page: Page, key: str) -> None:
    """Until the next item is looked at and the answer is on its way, however slow the machine."""
    with page.expect_request(SITTING):
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        expect(ahead(page)).to_be_visible()


def test_it_is_looked_at_while_the_answer_is_under_way(held: Page, under_way: list[Route]) -> None:
    answer(held, "4")
    expect(ahead(held).locator(".sentence").first).to_have_text(sentence(3))
    expect(ahead(held).locator(".place")).to_contain_text("3 of 7")
    expect(ahead(held).locator(".foot-end")).to_have_text("Saving…")
    expect(held.locator("[data-sheet]:not([data-looked-at])")).to_be_hidden()
    assert ahead(held).evaluate("sheet => sheet.inert")
    assert ahead(held).locator("progress").evaluate("bar => bar.value") == 2
    assert answers() == ["equally_likely"]
    # Nothing can be chosen yet.
    held.keyboard.press("1")
    held.clock.run_for(2_000)
    assert len(under_way) == 1
    under_way[0].continue_()
    at(held, 3)
    expect(held.locator("[data-sheet]")).to_have_count(1)
    expect(held.locator("input:checked")).to_have_count(0)
    assert answers() == ["equally_likely", "more_likely"]


def test_its_time_counts_from_when_it_was_first_seen(held: Page, under_way: list[Route]) -> None:
    answer(held, "4")
    held.clock.run_for(FRAMES_MS)
    held.clock.run_for(700)
    under_way[0].continue_()
    at(held, 3)
    held.clock.run_for(FRAMES_MS)
    held.unroute(SITTING)
    held.clock.run_for(500)
    held.keyboard.press("2")
    held.keyboard.press("Enter")
    at(held, 4)
    assert Judgment.objects.get(assignment__position=3).response_ms == pytest.approx(1_200, abs=100)


def test_where_the_answer_does_not_arrive_its_own_item_is_there_again(held: Page, under_way: list[Route]) -> None:
    held.clock.run_for(1_000)
    answer(held, "4")
    held.clock.run_for(FRAMES_MS)
    held.clock.run_for(700)
    under_way[0].abort("connectionreset")
    expect(ahead(held)).to_have_count(0)
    expect(held.get_by_role("alert")).to_contain_text("Not saved yet")
    at(held, 2)
    expect(held.get_by_label("More likely")).to_be_checked()
    expect(held.get_by_label("More likely")).to_be_focused()
    # Its clock has run on: another choice counts from when this item was first seen.
    held.unroute(SITTING)
    held.keyboard.press("2")
    held.keyboard.press("Enter")
    at(held, 3)
    changed = Judgment.objects.get(assignment__position=2)
    assert changed.answer == "less_likely"
    assert changed.response_ms == pytest.approx(1_700, abs=100)
    assert answers() == ["equally_likely", "less_likely"]
