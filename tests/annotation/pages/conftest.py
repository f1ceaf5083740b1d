"""One small open study of each task type, and a visitor who has begun."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.itemfile import ItemRow
from annotation.models import Judgment, Sitting, Study
from tests.annotation.pages.bot import Bot
from tests.browser import intercepted
from tests.studies import open_small_study, plausibility_rows


@pytest.fixture
def study(db: None, tmp_path: Path) -> Study:
    """Five targets and one check of each kind to a sitting: seven items, no two sittings alike."""
    return open_small_study(
        tmp_path / "small",
        plausibility_rows(20, gold=3, attention=2),
        collection={"gold_per_sitting": 1, "attention_per_sitting": 1, "id_parameter": "PROLIFIC_PID"},
    )


def open_declining(folder: Path) -> Study:
    """Three targets and one check of each kind to a sitting, and a button to say that one cannot judge an item."""
    return open_small_study(
        folder,
        plausibility_rows(3, gold=1, attention=1),
        collection={"sitting_length": 3, "gold_per_sitting": 1, "attention_per_sitting": 1},
        page={"cannot_judge": True},
    )


@pytest.fixture
def link(study: Study) -> str:
    first = study.links.first()
    assert first is not None
    return first.get_absolute_url()


@pytest.fixture
def bot(link: str) -> Bot:
    """At the first item of a sitting."""
    visitor = Bot()
    visitor.begin(link)
    return visitor


@pytest.fixture
def sitting(bot: Bot) -> Sitting:
    return Sitting.objects.get()


@pytest.fixture
def begin(live_server: LiveServer, link: str) -> Callable[[Page], Page]:
    """Takes a page through the welcome page to the first item."""
    return lambda page: walk_in(page, live_server, link)


@pytest.fixture
def held(browser_page: Page, begin: Callable[[Page], Page]) -> Page:
    """At the first item, with the browser's clock in our hand: the moment lasts until `run_for`."""
    return with_its_clock_held(browser_page, begin)


@pytest.fixture
def routed(browser_page: Page, begin: Callable[[Page], Page]) -> Page:
    """As `held`, for tests that make a route and send at once."""
    return with_its_clock_held(intercepted(browser_page), begin)


def with_its_clock_held(browser_page: Page, begin: Callable[[Page], Page]) -> Page:
    browser_page.clock.install()
    page = begin(browser_page)
    two_frames(page)
    page.clock.pause_at(datetime.now() + timedelta(hours=1))
    return page


def walk_in(page: Page, live_server: LiveServer, link: str, *, of: int = 7) -> Page:
    page.goto(f"{live_server.url}{link}")
    page.get_by_role("button", name="Start").click()
    at(page, 1, of=of)
    # Until its scripts have come, keys do nothing.
    page.wait_for_load_state()
    return page


def two_frames(page: Page) -> None:
    """Until the clock of an item that was loaded has started, which it does when the item is painted."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def at(page: Page, number: int, *, of: int = 7) -> None:
    expect(page.locator("#place")).to_have_text(f"Item {number} of {of}")


def answers() -> list[str]:
    return list(Judgment.objects.order_by("assignment__position").values_list("answer", flat=True))


def choice_rows(targets: int) -> list[ItemRow]:
    return [
        ItemRow(
            f"choice-{number}",
            {
                "context": "It was the first evening of the tour.",
                "sentence": f"Soup number {number} was ____ cold.",
                "options": {"intensifier": "very", "negation": "never"},
            },
        )
        for number in range(1, targets + 1)
    ]


def sentence_rows(targets: int) -> list[ItemRow]:
    return [
        ItemRow(
            f"pair-{number}",
            {
                "options": {
                    "grammatical": f"The keys to cabinet {number} are on the table.",
                    "ungrammatical": f"The keys to cabinet {number} is on the table.",
                }
            },
        )
        for number in range(1, targets + 1)
    ]


def yes_no_rows(targets: int) -> list[ItemRow]:
    rows = []
    for number in range(1, targets + 1):
        content = {"question": f"Is lighthouse {number} still in use?"}
        if number % 2:
            content["passage"] = f"Lighthouse {number} was built in 1871 and still guides ships into the bay."
        rows.append(ItemRow(f"question-{number}", content))
    return rows


RATING = {
    "type": "rating",
    "question": "How plausible is it?",
    "points": 7,
    "low": "Completely implausible",
    "high": "Completely plausible",
}


def rating_rows(targets: int) -> list[ItemRow]:
    """Single sentences and pairs in turn."""
    rows = []
    for number in range(1, targets + 1):
        sentence, other = f"The chef tasted soup number {number}.", f"Soup number {number} tasted the chef."
        content = {"sentence": sentence} if number % 2 else {"first": sentence, "second": other}
        rows.append(ItemRow(f"rating-{number}", content))
    return rows
