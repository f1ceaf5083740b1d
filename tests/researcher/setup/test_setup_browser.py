"""Setting a study up in a real browser: without JavaScript, in both themes, on a desk and on a phone."""

import pytest
from django.urls import reverse

from annotation.models import ItemReport, Sitting
from researcher.setup.parts import PARTS
from tests.annotation.stages.whole import RIGHT, open_whole
from tests.browser import DESK, PHONE, faults, log_in

# One page of each kind, below the bar that marks it; the pages themselves have tests of their own.
PREVIEWED = ("first", "consent", "again", "feedback", "target", "end", "nothing_left", "closed_midway")

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_a_path_is_made_without_javascript(open_page, live_server, researcher, draft):
    page = open_page(java_script_enabled=False)
    log_in(page, live_server, reverse("study", args=[draft.slug]))
    page.get_by_role("link", name="Setup", exact=True).click()
    page.get_by_role("link", name="Consent").first.click()
    page.get_by_label("Consent text").fill("I am **18 or older**.")
    page.get_by_role("button", name="Update preview", exact=True).click()
    page.locator(".as-read strong", has_text="18 or older").wait_for()
    page.get_by_role("button", name="Save changes").click()
    page.get_by_text("no one has decided").wait_for()
    page.get_by_role("link", name="Comprehension").click()
    for question in ("What is judged?", "May you guess?"):
        page.get_by_role("link", name="Add question").click()
        page.get_by_label("Question").fill(question)
        page.get_by_label("Answer 1", exact=True).fill("Yes")
        page.get_by_label("Answer 2", exact=True).fill("No")
        page.get_by_label("Answer 2 is correct").check()
        page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Move up: May you guess?").click()
    page.get_by_text("Moved.").wait_for()
    page.get_by_role("button", name="Remove: What is judged?").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Question restored.").wait_for()
    draft.refresh_from_db()
    assert [one.question for one in draft.path.comprehension.questions] == ["May you guess?", "What is judged?"]


def test_a_text_is_shown_as_people_read_it_while_it_is_typed(open_page, live_server, researcher, draft):
    """What could act in it is text, and nothing is saved by it."""
    page = open_page()
    log_in(page, live_server, reverse("setup_part", args=[draft.slug, "instructions"]))
    typed = page.get_by_role("textbox", name="Instructions")
    typed.fill("Read **both** sentences. <script>document.title = 'caught'</script>")
    page.locator("#as-read strong", has_text="both").wait_for()
    page.locator("#as-read", has_text="<script>").wait_for()
    typed.fill("Read _twice_.")
    page.locator("#as-read em", has_text="twice").wait_for()
    assert page.title() != "caught"
    draft.refresh_from_db()
    assert draft.instructions == "Read both sentences."
    page.get_by_role("button", name="Save changes").click()
    page.get_by_text("Saved.").wait_for()
    draft.refresh_from_db()
    assert draft.instructions == "Read _twice_."


def test_pages_are_accessible_and_fit(browser_page, live_server, researcher, tmp_path):
    study = open_whole(tmp_path / "whole", collection={"platform": "prolific"})
    rows = [("comprehension", 1), ("questionnaire", 4)]
    addresses = [reverse("setup", args=[study.slug])]
    addresses += [reverse("setup_part", args=[study.slug, part]) for part in PARTS]
    addresses += [reverse("setup_row", args=[study.slug, *row]) for row in rows]
    addresses += [reverse("setup_preview", args=[study.slug])]
    addresses += [reverse("setup_preview_at", args=[study.slug, step]) for step in PREVIEWED]
    page = browser_page
    log_in(page, live_server)
    for address in addresses:
        page.goto(live_server.url + address)
        assert faults(page) == [], address
        for viewport in (PHONE, DESK):
            page.set_viewport_size(viewport)
            # At most three screens, the longest of them with its text beside the form.
            assert page.evaluate("document.documentElement.scrollHeight / innerHeight") <= 3.0, (address, viewport)


def test_the_preview_is_walked_by_keys_and_by_buttons(open_page, live_server, researcher, tmp_path):
    """With the participant's own scripts: choosing moves on, and nothing of it is stored."""
    study = open_whole(tmp_path / "whole", page={"report_problem": True})
    page = open_page()
    log_in(page, live_server, reverse("setup_preview", args=[study.slug]))
    page.get_by_role("link", name="Start preview").click()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="I agree to take part").click()
    page.get_by_role("button", name="Continue").click()
    for answer in RIGHT.values():
        page.get_by_label(answer, exact=True).check()
    page.get_by_role("button", name="Continue").click()
    page.locator("h1", has_text="The whole study").wait_for()
    page.keyboard.press("2")
    page.get_by_text("That is the expected answer").wait_for()
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/preview/practice-2/")
    page.keyboard.press("1")
    page.wait_for_url("**/preview/feedback-2/*")
    page.get_by_role("button", name="Start the items").click()
    page.wait_for_url("**/preview/target/")
    page.get_by_text("Report a problem with this item").click()
    page.get_by_label("What is wrong with this item?").fill("The lamp is missing.")
    with page.expect_navigation():
        page.get_by_role("button", name="Send report").click()
    page.keyboard.press("1")
    page.wait_for_url("**/preview/last/")
    page.get_by_role("link", name="← Back").click()
    page.wait_for_url("**/preview/target/")
    page.get_by_role("link", name="All pages").click()
    page.get_by_role("link", name="Failed checks").click()
    page.locator("#preview", has_text="Failed checks").wait_for()
    assert not Sitting.objects.exists()
    assert not ItemReport.objects.exists()
