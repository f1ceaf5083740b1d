"""A newcomer's first study in a real browser, step by step and timed: from a CSV file to a data set, without a shell.

    python -m bench.newcomer [--address http://127.0.0.1:8000] [--password-file var/researcher.txt] [--shots FOLDER]
        [--items N]

Against a running `make run`: a five-way study of 50 items is made from a CSV whose columns have names of their own, set
up, previewed to its end, opened; one person labels it all by keyboard; every model that the study names scores it; the
results are read and the data set is downloaded. Prints each step with its seconds; ends with 1 where one fails.
"""

import argparse
import csv
import io
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, FilePayload, Page, expect, sync_playwright

from bench.made_study import ADJECTIVES, ENDINGS, NOUNS

ITEMS = 50
HEADER = ("No.", "Plain", "With adjective", "Adj.", "N", "Verdict")
VERDICTS = ("Impossible", "Less likely", "Equally likely", "More likely", "Necessarily true")
# One of them says nothing, so that some sentences are short.
SAID = tuple(filter(None, ENDINGS))
# Of waiting for models.
PATIENCE_MS = 15 * 60 * 1000
CHROMIUM = "/usr/bin/chromium"


def items_file(items: int = ITEMS) -> bytes:
    """Items as a spreadsheet would hold them."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEADER)
    for number in range(items):
        noun, adjective = NOUNS[number], ADJECTIVES[number]
        ending = SAID[number % len(SAID)]
        plain, modified = f"The {noun} {ending}.", f"The {adjective} {noun} {ending}."
        writer.writerow([number + 1, plain, modified, adjective, noun, VERDICTS[number % 5]])
    return out.getvalue().encode()


class Walk:
    """The steps so far, each with its seconds and a picture."""

    def __init__(self, browser: Browser, address: str, shots: Path | None, *, items: int) -> None:
        self.browser, self.address, self.shots, self.items = browser, address, shots, items
        self.page = browser.new_page(base_url=address, viewport={"width": 1280, "height": 800})
        self.seconds: list[float] = []
        # A name of its own, so that the walk can be walked again.
        self.slug = f"newcomer-{int(time.time())}"

    def step(self, said: str, do: Callable[[Page], None], page: Page | None = None) -> None:
        begun = time.monotonic()
        do(page or self.page)
        self.seconds.append(time.monotonic() - begun)
        number = len(self.seconds)
        print(f"{number:2}  {self.seconds[-1]:6.1f} s  {said}", flush=True)
        if self.shots is not None:
            (page or self.page).screenshot(path=self.shots / f"newcomer-{number:02}.png", full_page=True)

    # --- The steps ----------------------------------------------------------------------------------

    def log_in(self, password: str) -> Callable[[Page], None]:
        def do(page: Page) -> None:
            page.goto("/")
            page.locator("#id_username").fill("researcher")
            page.locator("#id_password").fill(password)
            page.get_by_role("button", name="Log in").click()
            expect(page.get_by_role("heading", name="Studies")).to_be_visible()

        return do

    def upload(self, page: Page) -> None:
        page.get_by_role("link", name="New study").click()
        page.get_by_label("Five-way plausibility").check()
        file = FilePayload(name="my items.csv", mimeType="text/csv", buffer=items_file(self.items))
        page.get_by_label("File", exact=True).set_input_files(file)
        page.get_by_role("button", name="Go on to the columns").click()
        expect(page.locator("#first-item mark")).to_have_text(ADJECTIVES[0])

    def make(self, page: Page) -> None:
        page.get_by_label("Title").fill("My first study")
        page.get_by_label("Name in addresses").fill(self.slug)
        page.get_by_label("Instructions").fill("Read **both** sentences, then choose.")
        expect(page.locator("#as-read strong")).to_have_text("both")
        page.get_by_role("button", name="Make the study").click()
        expect(page.get_by_text(f"My first study is made, with {self.items} items.")).to_be_visible()

    def set_up(self, page: Page) -> None:
        page.get_by_role("link", name="Labels and sittings").first.click()
        page.locator("[name=collection__labels_per_item]").fill("1")
        page.locator("[name=collection__sitting_length]").fill(str(self.items))
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved.")).to_be_visible()

    def preview(self, page: Page) -> None:
        page.get_by_role("link", name="Preview").click()
        page.get_by_role("link", name="Walk through it").click()
        for _ in range(20):
            further = page.get_by_role("link", name="Next page")
            if not further.count():
                return
            further.click()
        raise AssertionError("The preview has no end.")

    def open(self, page: Page) -> None:
        page.goto(f"/studies/{self.slug}/")
        page.get_by_role("button", name="Open the study and fix its policy").click()
        expect(page.locator(".study-facts .badge.open")).to_be_visible()

    def label(self, link: str) -> Callable[[Page], None]:
        def do(page: Page) -> None:
            page.goto(link)
            page.get_by_role("button", name="Begin").click()
            # Other forms of the page, such as the way back, say it too.
            place = page.locator("[name=position]").first
            for number in range(self.items):
                before = place.input_value()
                page.keyboard.press(str(1 + number % 5))
                page.keyboard.press("Enter")
                if number < self.items - 1:
                    expect(place).not_to_have_value(before)
            expect(page.locator("[name=position]")).to_have_count(0)

        return do

    def score(self, page: Page) -> None:
        page.goto(f"/studies/{self.slug}/runs/")
        page.get_by_role("button", name="Score all the study names").click()
        expect(page.locator(".badge.finished").first).to_be_visible(timeout=PATIENCE_MS)
        expect(page.locator("#runs-table :is(.badge.queued, .badge.running)")).to_have_count(0, timeout=PATIENCE_MS)

    def read(self, page: Page) -> None:
        page.get_by_role("link", name="Results", exact=True).click()
        expect(page.get_by_role("heading", name="Results")).to_be_visible()
        page.get_by_role("link", name="Models", exact=True).last.click()
        expect(page.get_by_role("heading", name="Confusion matrix")).to_be_visible()

    def download(self, page: Page) -> None:
        page.get_by_role("link", name="Export", exact=True).click()
        with page.expect_download() as told:
            page.get_by_role("link", name="Download the data set").click()
        with zipfile.ZipFile(told.value.path()) as archive:
            names = archive.namelist()
        assert any(name.endswith("README.md") for name in names), names
        assert any(name.endswith(".parquet") for name in names), names


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--address", default="http://127.0.0.1:8000")
    parser.add_argument("--password-file", type=Path, default=Path("var/researcher.txt"))
    parser.add_argument("--shots", type=Path, help="where a picture of each step goes")
    parser.add_argument("--items", type=int, default=ITEMS, help=f"items of the study ({ITEMS})")
    asked = parser.parse_args()
    if asked.shots:
        asked.shots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        walk = Walk(browser, asked.address, asked.shots, items=asked.items)
        walk.step("logs in", walk.log_in(asked.password_file.read_text().strip()))
        walk.step(f"chooses the task, uploads a CSV of {asked.items} items", walk.upload)
        walk.step("looks the columns through, writes instructions, makes the study", walk.make)
        walk.step("sets one label an item and one sitting for all", walk.set_up)
        walk.step("previews every page to the end", walk.preview)
        walk.step("opens the study", walk.open)
        link = walk.page.locator("#send code").inner_text()
        person = browser.new_context().new_page()
        walk.step(f"one person labels {asked.items} items by keyboard", walk.label(link), person)
        walk.step("scores all the study names, and waits", walk.score)
        walk.step("reads the results", walk.read)
        walk.step("downloads the data set", walk.download)
        browser.close()
    print(f"    {sum(walk.seconds):6.1f} s  in all, of {len(walk.seconds)} steps")
    return 0


if __name__ == "__main__":
    sys.exit(main())
