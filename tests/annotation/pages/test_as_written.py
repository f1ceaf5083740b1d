"""People read an item as models do: its line breaks and spaces, in its own direction, and untranslated."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.itemfile import ItemRow
from annotation.models import Study
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import SLOT
from tests.annotation.pages.bot import Bot
from tests.browser import PHONE, OpenPage
from tests.studies import open_small_study

BROKEN = "Dr. Lee: Did you take it?\n\nMs. Roy:  I did not.\n- first point\n\t- second point"
HEBREW = 'הרופא שאל: "האם לקחת 2 (שתי) גלולות?"'
SCALE = {"type": "rating", "question": "עד כמה המשפט טבעי?", "points": 7, "low": "גרוע", "high": "טוב"}
CHOICE = {"type": "forced_choice", "question": "Which fits?", "options": ["a", "b"]}
# Of each task type, items whose texts are all like that one; what stands on the page besides is ours.
TASKS: dict[str, tuple[Mapping[str, Any], Any]] = {
    "yes_no": ({"type": "yes_no"}, lambda text: {"passage": text, "question": text}),
    "rating": (SCALE, lambda text: {"sentence": text}),
    "pair": (SCALE, lambda text: {"first": text, "second": text}),
    "plausibility": (
        {"type": "plausibility"},
        lambda text: {"original": text, "modified": text, "modifier": re.findall(r"\w+", text)[1]},
    ),
    "slot": (
        CHOICE,
        lambda text: {"context": text, "sentence": f"{SLOT} {text}", "options": {"a": text, "b": f"{text}!"}},
    ),
    "sentences": (CHOICE, lambda text: {"options": {"a": text, "b": f"{text}!"}}),
}
# What a reader sees of the item's texts, as a browser would copy them.
SEEN = ".stimulus :is(.sentence, .passage), .options-forced_choice .option-text"


def opened(folder: Path, key: str, text: str) -> Study:
    task, content = TASKS[key]
    collection, quality = {"sitting_length": 1}, {"gold_distance": 1}
    row = ItemRow("1", content(text))
    slug = key.replace("_", "-")
    return open_small_study(folder, [row], slug=slug, task=task, collection=collection, quality=quality)


def first_page(study: Study) -> str:
    visitor = Bot()
    visitor.begin(study.links.get().get_absolute_url())
    return visitor.page.html


@pytest.mark.parametrize("key", TASKS)
@pytest.mark.django_db
def test_words_whose_language_was_not_said_run_as_their_letters_do_and_are_not_translated(
    key: str, tmp_path: Path
) -> None:
    page = first_page(opened(tmp_path / key, key, HEBREW))
    texts = re.findall(r'<(?:p class="(?:sentence|passage)"|span class="option-text")([^>]*)>([^<]*)', page)
    assert texts
    assert all('translate="no"' in attributes for attributes, _ in texts if attributes)
    assert all('dir="auto"' in attributes for attributes, text in texts if "הרופא" in text)


@pytest.mark.django_db
def test_options_of_a_scale_are_not_translated_either(tmp_path: Path) -> None:
    page = first_page(opened(tmp_path, "rating", HEBREW))
    assert '<bdi dir="auto" translate="no">גרוע</bdi>' in page
    assert '<legend dir="auto">עד כמה המשפט טבעי?</legend>' in page


@pytest.mark.django_db
def test_options_in_the_words_of_the_page_are_not_translated_either(tmp_path: Path) -> None:
    assert '<span class="option-text" translate="no">Yes</span>' in first_page(opened(tmp_path, "yes_no", HEBREW))


@pytest.mark.django_db
def test_a_browser_is_told_not_to_translate_the_page(tmp_path: Path) -> None:
    link = opened(tmp_path, "yes_no", HEBREW).links.get().get_absolute_url()
    assert '<meta name="google" content="notranslate">' in Bot().open(link).html


@pytest.mark.django_db
def test_our_word_in_a_slot_does_not_turn_the_sentence_round(tmp_path: Path) -> None:
    page = first_page(opened(tmp_path, "slot", HEBREW))
    assert 'class="visually-hidden" lang="en" dir="ltr">(blank)' in page


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_people_read_the_line_breaks_and_spaces_that_models_read(
    tmp_path: Path, browser_page: Page, live_server: LiveServer
) -> None:
    for key in TASKS:
        page = at_the_item(browser_page, live_server, opened(tmp_path / key, key, BROKEN))
        expect(page.locator(SEEN).first).to_be_attached()
        assert all(BROKEN in text for text in page.locator(SEEN).all_inner_texts()), key
        heights = page.locator(SEEN).evaluate_all("all => all.map(one => one.getClientRects()[0].height)")
        assert min(heights) > 5 * 16, f"{key}: five lines"


def test_models_read_them_in_every_task_type() -> None:
    for task, content in TASKS.values():
        settings = {name: value for name, value in task.items() if name != "type"}
        item = content(BROKEN)
        asked = task_type(task["type"]).configured(settings).requests(item, "sentence")
        assert all(BROKEN in request.text for request in asked)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_hebrew_runs_from_the_right_whatever_stands_around_it(
    tmp_path: Path, open_page: OpenPage, live_server: LiveServer
) -> None:
    page, seen = open_page(viewport=PHONE), "all => all.map(one => [getComputedStyle(one).direction, one.translate])"
    for key in TASKS:
        at_the_item(page, live_server, opened(tmp_path / key, key, f"({HEBREW}"))
        found = page.locator(SEEN).evaluate_all(seen)
        assert found, key
        assert all(one == ["rtl", False] for one in found), key


def at_the_item(page: Page, live_server: LiveServer, study: Study) -> Page:
    page.goto(f"{live_server.url}{study.links.get().get_absolute_url()}")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#place")).to_be_visible()
    return page
