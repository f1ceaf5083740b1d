"""Checks come to a draft in a real browser: by hand without a script, with the item seen as it is typed, by file."""

import pytest
from django.urls import reverse

from annotation.loading import load_study
from tests.browser import faults, log_in
from tests.studies import plausibility_row, plausibility_rows, write_study

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

FILE = """kind,First,Second,Word,right
gold,A key opens doors.,A false key opens doors.,false,less_likely
attention,A dog barks.,A dead dog barks.,dead,impossible
"""


def test_gold_is_added_by_hand_and_by_file(open_page, live_server, researcher, draft, tmp_path):
    page = open_page()
    log_in(page, live_server, reverse("setup", args=[draft.slug]))
    page.get_by_role("link", name="Item list").click()
    page.get_by_role("link", name="Add item", exact=True).click()
    page.get_by_role("radio", name="Gold").check()
    page.get_by_label("First sentence").fill("A clock strikes.")
    page.get_by_label("Second sentence, with the modifier").fill("A stopped clock strikes.")
    page.get_by_label("Modifier", exact=True).fill("stopped")
    page.locator("#look mark", has_text="stopped").wait_for()
    page.get_by_role("button", name="Add item", exact=True).click()
    page.locator("#item-reference_error").wait_for()
    page.get_by_label("Correct answer", exact=True).select_option("less_likely")
    page.get_by_role("button", name="Add item", exact=True).click()
    page.get_by_text("gold-1 added.").wait_for()
    page.get_by_role("link", name="Add from file").click()
    (tmp_path / "checks.csv").write_text(FILE)
    page.get_by_label("File").set_input_files(tmp_path / "checks.csv")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Add items").click()
    page.get_by_text("2 items added.").wait_for()
    page.get_by_label("Select target-1", exact=True).check()
    page.get_by_role("button", name="Remove 1").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Items restored.").wait_for()
    kinds = draft.items.order_by("position").values_list("kind", flat=True)
    assert list(kinds) == ["target"] * 3 + ["gold", "gold", "attention"]


def test_an_item_is_added_without_javascript(open_page, live_server, researcher, draft):
    page = open_page(java_script_enabled=False)
    log_in(page, live_server, reverse("item_new", args=[draft.slug]))
    page.get_by_role("radio", name="Attention check").check()
    page.get_by_label("First sentence").fill("A clock strikes.")
    page.get_by_label("Second sentence, with the modifier").fill("A stopped clock strikes.")
    page.get_by_label("Modifier", exact=True).fill("stopped")
    page.get_by_role("button", name="Update preview").click()
    page.locator("#look mark", has_text="stopped").wait_for()
    page.get_by_label("Correct answer", exact=True).select_option("impossible")
    page.get_by_role("button", name="Add item", exact=True).click()
    page.get_by_text("attention-1 added.").wait_for()


def test_pages_are_accessible_and_fit(browser_page, live_server, researcher, client, tmp_path):
    rows = plausibility_rows(60, gold=2)
    rows.append(plausibility_row(1, kind="practice", reference="impossible", explanation="A broken lamp is dark."))
    study = load_study(write_study(tmp_path / "many", rows, slug="many")).study
    sent = client.post(reverse("items_file_add", args=[study.slug]), {"pasted": FILE})
    addresses = [reverse(name, args=[study.slug]) for name in ("items", "item_new", "items_file_add")]
    addresses += [reverse("item_edit", args=[study.slug, "practice-1"]), sent.headers["Location"]]
    log_in(browser_page, live_server)
    for address in addresses:
        browser_page.goto(live_server.url + address)
        assert faults(browser_page) == [], address
