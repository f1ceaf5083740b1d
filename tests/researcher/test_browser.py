"""A researcher's visit in a real browser, in both themes and on a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Exclusion
from scoring.models import Chunk, Run
from scoring.runs.working import CHUNKS
from tests.browser import faults, log_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_a_visit(browser_page, live_server, researcher, study, baselines, queue):
    page = browser_page
    log_in(page, live_server)
    page.get_by_role("link", name=study.title).click()
    page.get_by_role("heading", name="Collect").wait_for()
    page.get_by_role("link", name="Runs").click()
    tick(page, "Random label, label")
    page.get_by_text("You can close this page.").wait_for()
    page.get_by_role("link", name="Results", exact=True).click()
    page.get_by_role("heading", name="Results").wait_for()


def tick(page, cell):
    """Choose one model and metric in the grid, and start it."""
    page.get_by_role("link", name="Start runs").first.click()
    page.get_by_role("link", name="None", exact=True).click()
    page.get_by_label(cell).check()
    page.get_by_role("button", name="Start 1 run", exact=True).click()


def test_progress_comes_in_without_loading_the_page_again(
    browser_page, live_server, researcher, study, baselines, queue
):
    page = browser_page
    log_in(page, live_server, reverse("runs", args=[study.slug]))
    tick(page, "Random label, label")
    row = page.locator("#runs-table").get_by_role("row", name="Random label")
    row.get_by_text("0 of 4").wait_for()
    page.evaluate("window.stayed = true")
    for chunk in Chunk.objects.filter(run__study=study):
        CHUNKS.work(chunk.pk, worker="test")
    row.get_by_text("4 of 4").wait_for()
    assert Run.objects.get(model__key="random").state == "finished"
    assert page.evaluate("window.stayed") is True
    # Nothing is live any more, so the page stops asking.
    expect(page.locator("#runs-table[hx-trigger]")).to_have_count(0)


def test_an_address_can_be_copied(open_page, live_server, researcher, study):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    log_in(page, live_server, reverse("links", args=[study.slug]))
    page.locator("#links").get_by_role("button", name="Copy").first.click()
    page.locator("#links").get_by_text("Copied").wait_for()
    address = page.locator("#links code").first.inner_text()
    assert page.evaluate("navigator.clipboard.readText()") == address


def test_a_table_sorts_by_keyboard(browser_page, live_server, researcher, checked):
    page = browser_page
    log_in(page, live_server, reverse("annotators", args=[checked.slug]))
    button = page.locator(".annotators").get_by_role("button", name="Median")
    first = page.locator(".annotators tbody tr").first.locator(".badge")
    button.focus()
    page.keyboard.press("Enter")
    first.get_by_text("careless", exact=True).wait_for()
    page.keyboard.press("Enter")
    first.get_by_text("careful", exact=True).wait_for()


def test_evidence_opens_from_the_annotators_line(browser_page, live_server, researcher, checked):
    page = browser_page
    log_in(page, live_server, reverse("annotators", args=[checked.slug]))
    page.get_by_role("link", name="evidence").click()
    verdict = Exclusion.objects.get(study=checked)
    page.locator(f"#verdict-{verdict.pk} table").wait_for(state="visible")


def test_excluding_without_javascript(open_page, live_server, researcher, study):
    page = open_page(java_script_enabled=False)
    log_in(page, live_server, reverse("annotators", args=[study.slug]))
    page.locator(".annotators a", has_text="Exclude").first.click()
    page.locator("#id_typed").wait_for()
    name = page.get_by_role("heading").inner_text().removeprefix("Exclude ").removesuffix("?")
    page.fill("#id_reason", "answered at random")
    page.fill("#id_typed", name)
    page.get_by_role("button", name=f"Exclude {name}").click()
    page.locator(".messages").get_by_text("no longer count").wait_for()


def test_all_sittings_are_selected_at_once(browser_page, live_server, researcher, study):
    page = browser_page
    study.pay, study.currency = "1.20", "GBP"
    study.save()
    log_in(page, live_server, reverse("payment", args=[study.slug]))
    page.locator(".savebar").wait_for(state="hidden")
    page.locator("[data-select-all] input").check()
    page.locator(".savebar").get_by_text("3 selected £3.60").wait_for()
    page.get_by_role("button", name="Approve 3", exact=True).click()
    page.get_by_text("Payment approved for 3 submissions.").wait_for()


def test_pages_are_accessible_and_fit(browser_page, live_server, researcher, study, checked, draft):
    addresses = [reverse("studies"), *(reverse("study", args=[one.slug]) for one in (study, checked, draft))]
    addresses += [reverse("models"), reverse("runs", args=[study.slug])]
    addresses += [reverse(name, args=[checked.slug]) for name in ("annotators", "links", "bring_in")]
    addresses.append(reverse("run", args=[study.slug, study.runs.get().pk]))
    someone = study.annotator_numbers.first().number
    addresses += [reverse(name, args=[study.slug, someone]) for name in ("annotator_exclude", "person")]
    addresses.append(reverse("payment", args=[study.slug]))
    page = browser_page
    page.goto(live_server.url + reverse("login"))
    assert faults(page) == []
    log_in(page, live_server)
    for address in addresses:
        page.goto(live_server.url + address)
        assert faults(page) == [], address
