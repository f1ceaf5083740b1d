"""Making a study in a real browser: with and without JavaScript, in both themes, on a desk and on a phone."""

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import expect

from annotation.models import Study
from tests.browser import PHONE, faults, log_in, no_sideways_scrolling, serious_violations
from tests.researcher.new_study.renamed import RENAMED
from tests.researcher.new_study.workbooks import BOTH

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


# What covers the shade at the edge of the faults is of the notice's color, as is their head: no strip lies over a row.
COVERS_IN_THE_COLOR_OF_ITS_BOX = """() => {
  const faults = document.querySelector("#faults .faults");
  const color = getComputedStyle(document.querySelector("#faults")).backgroundColor;
  const cover = getComputedStyle(faults).backgroundImage;
  return cover.startsWith(`linear-gradient(${color}, ${color})`)
    && getComputedStyle(faults.querySelector("thead")).backgroundColor === color;
}"""


@pytest.fixture
def researcher(db):
    return get_user_model().objects.create_user("rosa", password="long-and-dull-1")


def upload(page, live_server):
    page.goto(live_server.url + "/new-study/")
    items = {"name": "renamed.csv", "mimeType": "text/csv", "buffer": RENAMED.encode()}
    page.get_by_label("Drop a file or choose one").set_input_files(items)
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("renamed.csv").first.wait_for()


def swap(page, *, back=False):
    """Take the sentence without its adjective for the one with it."""
    page.get_by_label("With adjective").select_option("modified" if back else "original")
    page.get_by_label("Plain").select_option("original" if back else "modified")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_study_is_made(scripts, open_page, live_server, researcher):
    page = open_page(java_script_enabled=scripts)
    log_in(page, live_server)
    upload(page, live_server)
    first = page.locator("#item")
    first.locator("mark", has_text="false").wait_for()
    swap(page)
    if not scripts:
        page.get_by_role("button", name="Update preview").click()
    first.get_by_text("does not occur in the modified sentence").wait_for()
    swap(page, back=True)
    page.get_by_text("Instructions and source").click()
    page.get_by_label("Instructions", exact=True).fill("Read **both** sentences.")
    page.get_by_label("Title").fill("Adjectives")
    if scripts:
        page.locator("#as-read strong", has_text="both").wait_for()
    page.get_by_role("button", name="Create study").click()
    page.get_by_role("heading", name="Study created").wait_for()
    study = Study.objects.get(slug="adjectives")
    assert study.instructions == "Read **both** sentences."
    assert study.items.get(external_id="7").content["modified"] == "A false key opens doors."


def test_the_pages_are_accessible_and_fit(browser_page, live_server, researcher):
    page = browser_page
    log_in(page, live_server)
    page.goto(live_server.url + "/new-study/")
    assert faults(page) == []
    upload(page, live_server)
    assert faults(page) == []
    swap(page)
    page.get_by_role("button", name="Create study").click()
    page.get_by_text("No study created.").first.wait_for()
    page.get_by_text("All problems").click()
    assert faults(page) == []


def test_what_is_wrong_with_a_file_is_in_the_color_of_its_box(browser_page, live_server, researcher):
    page = browser_page
    log_in(page, live_server)
    page.goto(live_server.url + "/new-study/")
    wrong = {"name": "a.csv", "mimeType": "text/csv", "buffer": b"a,b\n1\n"}
    page.get_by_label("Drop a file or choose one").set_input_files(wrong)
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("No study created.").first.wait_for()
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(COVERS_IN_THE_COLOR_OF_ITS_BOX)
    assert faults(page) == []


def test_a_file_in_windows_1252_under_a_title_is_made_without_its_faulty_rows(open_page, live_server, researcher):
    page = open_page(viewport=PHONE)
    log_in(page, live_server)
    page.goto(live_server.url + "/new-study/")
    assert page.locator(".stepper").inner_text().split() == ["1.", "Upload", "2.", "Columns", "3.", "Done"]
    text = "Urteile im März;;\nNr;Sentence;Form\n1;Der Hund fängt Bälle.;a\n2;;b\n3;Es fällt.;b\n"
    items = {"name": "march.csv", "mimeType": "text/csv", "buffer": text.encode("cp1252")}
    page.get_by_label("Drop a file or choose one").set_input_files(items)
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Notes on the file").click()
    page.get_by_text("Read as Windows-1252 (Western Europe)").wait_for()
    page.get_by_text("line 1: above the table and left out").wait_for()
    page.locator("td.wrong").get_by_text("is missing").wait_for()
    assert no_sideways_scrolling(page)
    assert serious_violations(page) == []
    page.get_by_label("Leave out 1 row").check()
    page.get_by_role("button", name="Create study", exact=True).click()
    page.get_by_text("2 items · Rating").wait_for()
    assert serious_violations(page) == []
    sentences = Study.objects.get().items.order_by("position").values_list("content__sentence", flat=True)
    assert [*sentences] == ["Der Hund fängt Bälle.", "Es fällt."]


def test_choosing_a_sheet_reads_it_at_once(open_page, live_server, researcher):
    page = open_page()
    log_in(page, live_server)
    page.goto(live_server.url + "/new-study/")
    mime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    items = {"name": BOTH["name"], "mimeType": mime, "buffer": BOTH["text"]}
    page.get_by_label("Drop a file or choose one").set_input_files(items)
    page.get_by_role("button", name="Continue").click()
    # Its scripts too, without which a choice waits for a button.
    page.wait_for_url("**/new-study/*/")
    page.get_by_label("Sheet").select_option("Notes")
    page.get_by_label("when", exact=True).wait_for()
    page.get_by_label("Sheet").select_option("Items")
    column = page.get_by_label("Ungrammatical", exact=True).first
    column.wait_for()
    assert column.input_value().startswith("option")


def test_opened_notes_stay_open_and_typing_stops_no_request(open_page, live_server, researcher):
    page = open_page()
    said = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    log_in(page, live_server)
    upload(page, live_server)
    page.locator("#notes summary").click()
    # Each answer takes longer than the pause after which the next is asked for.
    page.route("**/new-study/*/", lambda route: (page.wait_for_timeout(900), route.continue_()))
    question = page.get_by_label("Title", exact=True)
    for words in ("One", "One two", "One two three"):
        question.fill(words)
        page.wait_for_timeout(700)
    page.locator("#new-slug[value=one-two-three]").wait_for()
    expect(page.locator("#notes[open]")).to_have_count(1)
    assert said == []


def test_what_is_typed_while_the_server_answers_stays(open_page, live_server, researcher):
    page = open_page()
    log_in(page, live_server)
    page.goto(live_server.url + "/new-study/")
    text = b"id,sentence,mean\n1,A dog barks.,4.5\n2,A dog bark.,1.5\n"
    items = {"name": "pilot.csv", "mimeType": "text/csv", "buffer": text}
    page.get_by_label("Drop a file or choose one").set_input_files(items)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/new-study/*/")
    points = page.get_by_label("Scale points")
    points.wait_for()
    page.route("**/new-study/*/", lambda route: (page.wait_for_timeout(600), route.continue_()))
    page.get_by_label("mean", exact=True).select_option("strength")
    points.fill("5")
    expect(page.locator("#answers li")).to_have_count(5)
    page.get_by_role("button", name="Create study").click()
    page.get_by_role("heading", name="Study created").wait_for()
    assert Study.objects.get().task_settings["points"] == 5
