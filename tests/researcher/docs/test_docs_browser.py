"""The pages of docs/ in a browser: what is wider than a screen scrolls in its own box, and nothing is cut."""

import pytest
from django.urls import reverse

from comparison.statistics.estimate import ESTIMATE
from researcher.docs.reading import documents
from tests.browser import BROKEN, DESK, PHONE, faults_as_wide, logged_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PAGES = [one.name for whole in documents() for one in (whole, *whole.parts)]
WIDE = "[...document.querySelectorAll('{}')].filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"

# Whether the page scrolls sideways, and what a line's end goes through: figures; an n, too, but not in what is quoted
# as code.
LOOKED_AT = f"""(figure) => {{
  const broken = {BROKEN};
  const scrolls = document.documentElement.scrollWidth > innerWidth;
  return {{ scrolls, broken: [...broken(["main", figure]), ...broken([".unbroken", ".+"])] }};
}}"""

# How far its text goes beyond the box that is scrolled to its end.
BEYOND = """(box) => {
  box.scrollLeft = box.scrollWidth;
  return box.querySelector("code").getBoundingClientRect().right - box.getBoundingClientRect().right;
}"""


@pytest.fixture
def open_docs(open_page, live_server, client, researcher):
    client.force_login(researcher)

    def opened(**options):
        page = logged_in(open_page(**options), live_server, client)
        return page, lambda name: page.goto(live_server.url + reverse("docs", args=[name]))

    return opened


def test_no_page_scrolls_sideways_no_figure_breaks_and_commands_fit_a_desk(open_docs):
    page, go = open_docs(viewport=DESK)
    narrow = False
    for name in PAGES:
        go(name)
        for again in (False, True):
            if again:
                narrow = not narrow
                page.set_viewport_size(PHONE if narrow else DESK)
            if not narrow:
                assert page.evaluate(WIDE.format("pre:has(> .language-sh)")) == [], name
            found = page.evaluate(LOOKED_AT, ESTIMATE.pattern)
            assert found == {"scrolls": False, "broken": []}, (name, narrow)


def test_commands_that_are_wider_than_a_phone_scroll_by_keyboard_to_their_end(open_docs):
    page, go = open_docs(viewport=PHONE)
    go("papers/agreement")
    assert faults_as_wide(page) == []
    assert page.evaluate(WIDE.format("pre"))
    box = page.get_by_role("region", name="Commands").first
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        shade = box.evaluate("one => getComputedStyle(one).backgroundImage.match(/linear-gradient/g).length")
        assert shade == 4, "nothing shows that there is more"
    box.evaluate("one => one.addEventListener('scroll', () => one.dataset.scrolled = one.scrollLeft > 0)")
    box.focus()
    page.keyboard.press("ArrowRight")
    page.locator("pre[data-scrolled=true]").wait_for()
    assert box.evaluate(BEYOND) <= 0, "the end of the longest line stays out of sight"
