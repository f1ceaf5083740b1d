"""A headless Chromium for tests. `browser_page` is one page; `open_page` makes pages of other shapes.

Every page fails its test if the content security policy refuses something or a script throws.
Tests that use them need `live_server`, and with it `@pytest.mark.django_db(transaction=True)`.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.forked import OF_BROWSERS

# Chromium without the windows around a page takes a third less of the processor.
CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"))
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A frame of another site would have a process of its own, and a click at once after its page comes may be lost on
    # the way there.
    "--disable-features=IsolateOrigins,site-per-process",
    "--disable-site-isolation-trials",
]
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
# Milliseconds. Playwright gives an assertion five seconds, too few on a machine that does much else.
PATIENCE = 240_000
expect.set_options(timeout=PATIENCE)

# By every rule of axe whose faults are serious, or by contrast alone. Only what is asked for goes from the browser to
# the test: axe tells of every rule, and of all that passes. What it calls experimental it leaves out by itself.
#
# To see one contrast takes as long as three other rules. Text is of one kind, and has one contrast wherever it stands,
# where its color, size and weight are the same, and what is painted behind it. Kinds that were seen to be sound are not
# asked for again; those that are now are given back.
LOOK = """async ([everyRule, known]) => {
  if (typeof axe === "undefined") return null;
  // A color that changes with the theme would take a moment.
  document.body.offsetWidth;
  document.getAnimations().filter((one) => one instanceof CSSTransition).forEach((one) => one.finish());

  const usual = { backgroundColor: "rgba(0, 0, 0, 0)", backgroundImage: "none", opacity: "1", filter: "none",
    mixBlendMode: "normal", textShadow: "none", position: "static" };
  const behind = new Map([[null, ""]]);
  const painted = (one) => {
    if (!behind.has(one)) {
      const style = getComputedStyle(one);
      const own = Object.keys(usual).filter((name) => style[name] !== usual[name]).map((name) => style[name]);
      // What is taken out of the flow may lie over something else.
      if (style.position !== "static") own.push(one.localName, one.id, one.className);
      behind.set(one, painted(one.parentElement) + (own.length ? `${own.join()} / ` : ""));
    }
    return behind.get(one);
  };
  const written = new Set(document.querySelectorAll("input, select, textarea"));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.data.trim()) written.add(walker.currentNode.parentElement);
  const kinds = new Map();
  for (const one of written) {
    const { color, fontSize, fontWeight } = getComputedStyle(one);
    if (one.checkVisibility()) kinds.set(one, `${color} ${fontSize} ${fontWeight} on ${painted(one)}`);
  }

  // preload would read the imported stylesheets into <style> elements, which the policy rightly refuses.
  const ask = (context, values, ...results) => axe.run(context, {
    preload: false, elementRef: true, resultTypes: ["violations", ...results], runOnly: { type: "rule", values } });
  const grave = ({ impact }) => ["serious", "critical"].includes(impact);
  const every = axe._audit.rules.filter((one) => one.enabled && grave(one) && !one.tags.includes("experimental"));
  const rules = everyRule ? every.map(({ id }) => id).filter((id) => id !== "color-contrast") : [];
  const sound = new Set(known.split("\\n"));
  const include = [...kinds.keys()].filter((one) => !sound.has(kinds.get(one)));
  const found = rules.length ? (await ask(document, rules)).violations.filter(grave) : [];
  const { violations, passes } = include.length
    ? await ask({ include }, ["color-contrast"], "passes") : { violations: [], passes: [] };
  const kindsOf = (results) => new Set(results.flatMap(({ nodes }) => nodes.map(({ element }) => kinds.get(element))));
  const poor = kindsOf(violations);
  return {
    found: [...found, ...violations].map(({ id, nodes }) => [id, ...nodes.map(({ target }) => JSON.stringify(target))]),
    sound: [...kindsOf(passes)].filter((one) => one && !poor.has(one)),
  };
}"""
# Those of this process, in either theme: the colors are part of them.
SOUND: set[str] = set()
SCHEMES: tuple[Literal["dark"], Literal["light"]] = ("dark", "light")

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"There is no Chromium at {CHROMIUM}; install it or set CHROMIUM to its path.")
    # Playwright's loop runs in this thread, where Django would then refuse every query as "async".
    os.environ[OF_BROWSERS] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[OpenPage]:
    """Makes pages; takes what Playwright's new_context takes (viewport, java_script_enabled, color_scheme …)."""
    complaints: list[str] = []
    contexts = []

    def heard(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "Content-Security-Policy" in message.text:
            complaints.append(message.text)

    def opened(**options: Any) -> Page:
        context = chromium.new_context(**{"viewport": DESK, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(f"{error.name}: {error.message}"))
        return page

    yield opened
    for context in contexts:
        # A request that a test holds back is let go with its page; what its route says then would fail the next test.
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")
        context.close()
    assert not complaints, complaints


@pytest.fixture
def browser_page(open_page: OpenPage) -> Page:
    """One page on a desk screen, light, with JavaScript."""
    return open_page()


def intercepted(page: Page) -> Page:
    """A page whose requests go through Playwright from the first one on.

    A route that is made later takes the very next request too: Chromium tells a page that is already there only after a
    moment that its requests are to be stopped, and what is sent within it goes by. Such a page cannot be set off line.
    """
    page.route("**/no-such-address", lambda route: route.abort())
    return page


def faults(page: Page) -> list[str]:
    """What is wrong with the page as it stands, on a phone and on a desk, light and dark; a picture of each for whoever
    asks for one: SCREENSHOTS names a folder. It is loaded once and stays on a desk, in light.
    """
    found = []
    for shape, viewport in {"phone": PHONE, "desk": DESK}.items():
        page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        found += [f"{shape}, {one}" for one in faults_as_wide(page, shape)]
    return found


def faults_as_wide(page: Page, shape: str = "") -> list[str]:
    """The same of the page as wide as it is now, light and dark. It stays in light."""
    found = [] if no_sideways_scrolling(page) else ["scrolls sideways"]
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        # What is no matter of color is the same in the dark.
        found += [f"{scheme}: {one}" for one in serious_violations(page, every_rule=scheme == "light")]
        if folder := os.environ.get("SCREENSHOTS"):
            name = urlsplit(page.url).path.strip("/").replace("/", "-")
            page.screenshot(path=Path(folder) / f"{name}-{shape}-{scheme}.png", full_page=True)
    return found


def serious_violations(page: Page, *, every_rule: bool = True) -> list[str]:
    """What axe-core finds serious or critical, or in want of contrast, one line each: rule, and where it was found."""
    asked = [every_rule, "\n".join(sorted(SOUND))]
    if (looked := page.evaluate(LOOK, asked)) is None:
        # axe is injected by the test's own hand, which no page policy stands in the way of: into this document, and
        # into those that the page comes to show.
        page.add_init_script(AXE_SCRIPT)
        page.evaluate(AXE_SCRIPT)
        looked = page.evaluate(LOOK, asked)
    SOUND.update(looked["sound"])
    return [f"{rule}: {', '.join(targets)}" for rule, *targets in looked["found"]]


def log_in(page, live_server, path="/"):
    page.goto(live_server.url + path)
    page.fill("#id_username", "rosa")
    page.fill("#id_password", "long-and-dull-1")
    page.get_by_role("button", name="Log in").click()
    # Clicking does not wait for the answer, and leaving before it comes would leave without the login.
    account_menu(page).wait_for()
    # Until its scripts have come, the page does nothing by itself.
    page.wait_for_load_state()


def account_menu(page):
    """It is there for one who is logged in, and opens by a click."""
    return page.locator("summary", has_text="account menu")


def no_sideways_scrolling(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# What matches and stands on more than one line.
BROKEN = """([within, pattern]) => [...document.querySelectorAll(within)].flatMap((root) => {
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    for (const match of text.data.matchAll(new RegExp(pattern, "gu"))) {
      const range = document.createRange();
      range.setStart(text, match.index);
      range.setEnd(text, match.index + match[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) found.push(match[0]);
    }
  }
  return found;
})"""
WORD = r"[\p{L}\p{N}]+"


def broken(page: Page, *, within: str, pattern: str = WORD) -> list[str]:
    """What of the text in these elements a line's end goes through: words, or what else the pattern finds."""
    found: list[str] = page.evaluate(BROKEN, [within, pattern])
    return found


def logged_in(page, live_server, client):
    """The browser with the researcher's session, without typing a password."""
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    return page
