"""The “?” beside a figure: there where it should be, and it works by keyboard, on a phone and without JavaScript."""

import re

import pytest
from playwright.sync_api import expect

from comparison.glossary.entries import GLOSSARY
from tests.browser import PHONE, logged_in, serious_violations
from tests.comparison.page.visiting import PAGES, address, page

# What a reader of the small study meets on each part, beside what its own figures bring.
EXPECTED = {
    "people": {"percent_agreement", "ac1", "ac2_ordinal", "fleiss_kappa", "alpha_nominal", "alpha_ordinal",
               "cohen_kappa", "brennan_prediger", "ceiling", "people_reference", "by_label", "majority", "ties_shared",
               "weighted", "stopping"},
    "classes": {"fewer_classes"},
    "strength": {"strength"},
    "run-figures": {"balanced_accuracy", "macro_f1", "matthews", "kappa_linear", "kappa_quadratic", "mean_distance",
                    "jensen_shannon", "total_variation", "cross_entropy"},
    "between-runs": {"alike", "mcnemar", "difference", "beside_person"},
    "alternative": {"advantage", "winning_rate"},
    "biases": {"bias_label", "bias_length", "place_lead"},
    "overview": {"accuracy", "rank", "best", "told", "beside_person"},
    "breakdown": {"breakdown"},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("part", PAGES)
@pytest.mark.django_db
def test_every_button_opens_the_words_of_its_term(client, researcher, study, part):
    client.force_login(researcher)
    html = page(client, study, part).content.decode()
    asked = set(re.findall(r'popovertarget="about-(\w+)"', html))
    opened = re.findall(r'<div popover class="about-words" id="about-(\w+)"', html)
    assert sorted(asked) == sorted(opened)
    assert asked <= set(GLOSSARY)
    assert not EXPECTED.get(part, set()) - asked


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "shape", [{}, {"viewport": PHONE}, {"java_script_enabled": False}], ids=["desk", "phone", "bare"]
)
def test_it_opens_by_keyboard_and_moves_nothing(open_page, live_server, client, researcher, study, shape):
    client.force_login(researcher)
    browser = logged_in(open_page(**shape), live_server, client)
    browser.goto(live_server.url + address(study, "people") + "?open=other-coefficients")
    button = browser.get_by_role("button", name="What is Krippendorff’s α, ordinal?")
    words = browser.get_by_role("dialog", name="Krippendorff’s α, ordinal")
    height = "document.documentElement.scrollHeight"
    before = None if "java_script_enabled" in shape else browser.evaluate(height)
    button.press("Enter")
    words.wait_for(state="visible")
    box = words.bounding_box()
    size = browser.viewport_size
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]
    if before is not None:
        assert browser.evaluate(height) == before
        assert serious_violations(browser) == []
    browser.keyboard.press("Tab")
    browser.keyboard.press("Enter")
    browser.wait_for_url("**/docs/statistics/agreement-among-people/#krippendorffs-alpha")
    expect(browser.locator("#krippendorffs-alpha")).to_be_visible()
