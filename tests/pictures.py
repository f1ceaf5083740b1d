"""The pictures of docs/ and the README, from the running product: `make pictures`.

Without `--at`, an installation of its own starts in a temporary folder, with the samples, and is photographed once its
runs are scored (some minutes). With `--at http://127.0.0.1:8000 --password FILE` it takes one that runs.
To add one: a line in PICTURES; to show it: `![what it shows](pictures/NAME.webp)` in a page of docs/.
"""

import argparse
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from tests.browser import ARGUMENTS, CHROMIUM
from tests.house.sources import ROOT
from tests.parallax_client.serving import free_port

FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 150_000
PATIENCE_SECONDS = 600
SIZES: Mapping[str, tuple[int, int, float]] = {"desk": (1360, 850, 1.25), "phone": (390, 780, 2)}
PEOPLE, SYNTHETIC = "/studies/blimp-human", "/studies/adjectives"
# What a page says while it computes.
UNFINISHED = ("text=Computing", "text=updating…")


@dataclass(frozen=True, slots=True)
class Picture:
    """`tall`: pixels from the top, where the window has not all of what is told."""

    name: str
    path: str
    size: str = "desk"
    tall: int = 0


PICTURES = (
    Picture("studies", "/studies/"),
    Picture("new-study", "/new-study/"),
    Picture("setup", f"{SYNTHETIC}/setup/"),
    Picture("question", f"{SYNTHETIC}/setup/question/"),
    Picture("annotator-phone", f"{SYNTHETIC}/setup/preview/target/", size="phone"),
    Picture("collect", f"{PEOPLE}/"),
    Picture("annotators", f"{PEOPLE}/annotators/"),
    Picture("runs", f"{PEOPLE}/runs/"),
    Picture("results", f"{PEOPLE}/results/"),
    Picture("people", f"{PEOPLE}/results/people/"),
    Picture("models", f"{PEOPLE}/results/models/"),
    Picture("items", f"{PEOPLE}/results/items/"),
    Picture("docs-search", "/docs/?q=krippendorff"),
)


def photograph(page: Page, picture: Picture, *, at: str) -> bytes:
    """As PNG, once nothing on the page is being computed."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        answer = page.goto(f"{at}{picture.path}", wait_until="load")
        if answer is None or answer.status != 200:
            raise RuntimeError(f"{picture.path} answers {answer and answer.status}")
        if not any(page.locator(sign).count() for sign in UNFINISHED):
            break
        if time.monotonic() > until:
            raise RuntimeError(f"{picture.path} still computes after {PATIENCE_SECONDS} seconds")
        time.sleep(5)
    page.mouse.move(0, 0)
    return page.screenshot(animations="disabled")


def compressed(png: bytes) -> bytes:
    """As WebP, at the best quality that fits."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    for quality in (88, 80, 70, 60, 45):
        out = io.BytesIO()
        image.save(out, "WEBP", quality=quality, method=6)
        if out.tell() <= MOST_BYTES:
            break
    return out.getvalue()


def take(at: str, password: str, names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        context = logged_in(browser, at=at, password=password)
        state = context.storage_state()
        for picture in PICTURES:
            if names and picture.name not in names:
                continue
            width, height, scale = SIZES[picture.size]
            context = browser.new_context(
                viewport={"width": width, "height": picture.tall or height},
                device_scale_factor=scale,
                color_scheme="light",
                storage_state=state,
            )
            made = compressed(photograph(context.new_page(), picture, at=at))
            (FOLDER / f"{picture.name}.webp").write_bytes(made)
            print(f"{picture.name}.webp  {len(made) // 1000} kB", flush=True)
            context.close()
        browser.close()


def logged_in(browser: Browser, *, at: str, password: str) -> BrowserContext:
    """Waits for the server: the first start loads the samples."""
    context = browser.new_context()
    page = context.new_page()
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            page.goto(f"{at}/login/")
            break
        except Error:
            if time.monotonic() > until:
                raise
            time.sleep(2)
    page.fill("#id_username", "researcher")
    page.fill("#id_password", password)
    page.press("#id_password", "Enter")
    page.wait_for_url(lambda address: "login" not in address)
    return context


@contextmanager
def started() -> Iterator[tuple[str, Path]]:
    """An installation of its own: its address, and the file with its password."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        environment = {**os.environ, "PARALLAX_VAR": folder, "PORT": str(port)}
        process = subprocess.Popen([sys.executable, "-m", "config.local"], cwd=ROOT, env=environment)
        try:
            yield f"http://127.0.0.1:{port}", Path(folder) / "researcher.txt"
        finally:
            process.terminate()
            process.wait(60)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make pictures", description="Takes the pictures of docs/ and the README.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which; all of them by default")
    parser.add_argument("--at", help="the address of a running installation; by default, one is started")
    parser.add_argument("--password", type=Path, help="the researcher.txt of that installation")
    options = parser.parse_args()
    if options.at:
        take(options.at.rstrip("/"), options.password.read_text().split()[-1], options.names)
        return
    with started() as (at, file):
        while not file.exists():
            time.sleep(1)
        take(at, file.read_text().split()[-1], options.names)


if __name__ == "__main__":
    main()
