"""The comparison page in a real browser: the charts are drawn under the strict policy, and nothing complains."""

import re
from itertools import pairwise

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import expect

from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.pictures.engine import NARROW
from researcher.views.comparison import PARTS
from tests.browser import PHONE, faults, logged_in, serious_violations
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import PAGES, address, open_results

TOKENS = settings.BASE_DIR / "static" / "css" / "tokens.css"

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# The underline of a box is drawn through all that it holds, whatever that says of itself.
LINED = """(one) => { while (one && getComputedStyle(one).textDecorationLine === "none") one = one.parentElement;
return one ? "underlined" : "none"; }"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def read_verdict(study):
    return select(study, Selection()).verdict


def test_charts_are_there_and_the_console_is_silent(browser_page, live_server, client, researcher, study):
    client.force_login(researcher)
    page = logged_in(browser_page, live_server, client)
    heard = []
    for part in ("models", "strength", "breakdown", "overview"):
        heard += open_results(page, live_server, study, part)
        charts = {"strength": 1}.get(part, 0)
        expect(page.locator("figure.chart svg.wide:visible")).to_have_count(charts)
        expect(page.locator("figure.chart")).to_have_count(charts)
        expect(page.locator("figure.chart svg.narrow:visible")).to_have_count(0)
    # The title is what the browser shows of the mark that is pointed at.
    pointed = page.locator("table.dots circle").first
    pointed.hover()
    assert "n = " in pointed.locator("title").text_content()
    assert [line for line in heard if "favicon" not in line] == []


def test_a_figure_downloads_as_svg_and_png(browser_page, live_server, client, researcher, study, tmp_path):
    client.force_login(researcher)
    page = logged_in(browser_page, live_server, client)
    open_results(page, live_server, study)
    page.locator(".foot .menu summary").click()
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as waiting:
            page.locator(".foot .menu").get_by_role("link", name=kind.upper()).click()
        assert waiting.value.suggested_filename == f"small-accuracy.{kind}"
        waiting.value.save_as(tmp_path / kind)
        assert (tmp_path / kind).read_bytes().startswith(start)


def token_values(css: str) -> dict[str, str]:
    return dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", css))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_drawing_serves_both_themes_and_its_file_is_light(
    open_page, live_server, client, researcher, study, scheme, tmp_path
):
    """On white paper the dark theme's light text could not be read."""
    client.force_login(researcher)
    page = logged_in(open_page(color_scheme=scheme), live_server, client)
    open_results(page, live_server, study, "strength")
    light, dark = (token_values(part) for part in TOKENS.read_text().split("@media"))
    used = light if scheme == "light" else light | dark
    shown = "getComputedStyle(document.querySelector('#strength-chart svg.wide {}')).fill"
    for shape, name in (('text[fill="var(--ink)"]', "--ink"), ('path[fill="var(--models)"]', "--models")):
        red, green, blue = (int(used[name][place : place + 2], 16) for place in (1, 3, 5))
        assert page.evaluate(shown.format(shape)) == f"rgb({red}, {green}, {blue})"
    with page.expect_download() as waiting:
        page.locator("#strength-chart .menu summary").click()
        page.locator("#strength-chart").get_by_role("link", name="SVG").click()
    waiting.value.save_as(tmp_path / "svg")
    colors = set(re.findall(r"#[0-9a-f]{6}", (tmp_path / "svg").read_text()))
    assert {light["--ink"], light["--models"], light["--muted"], light["--line"], light["--surface"]} <= colors
    assert not colors & (set(dark.values()) - set(light.values()))


def test_a_chart_on_a_phone_is_the_narrow_one_and_its_text_is_no_smaller(
    open_page, live_server, client, researcher, study
):
    client.force_login(researcher)
    page = logged_in(open_page(viewport=PHONE, java_script_enabled=False), live_server, client)
    page.goto(live_server.url + address(study, "strength"))
    expect(page.locator("#strength-chart svg.wide")).to_be_hidden()
    box = page.locator("#strength-chart svg.narrow").bounding_box()
    assert 0.9 * NARROW < box["width"] <= PHONE["width"]


def test_choosing_a_run_shows_its_matrix(browser_page, live_server, client, researcher, study):
    client.force_login(researcher)
    page = logged_in(browser_page, live_server, client)
    page.goto(live_server.url + address(study, "models"))
    page.locator("#confusion summary.chip").click()
    page.locator("#confusion .menu").get_by_role("link", name="majority").click()
    expect(page.locator("#confusion caption")).to_contain_text("majority")
    assert f"run={study.runs.get(model__key='majority').pk}" in page.url


def test_a_row_unfolds_and_a_check_has_its_page(open_page, live_server, client, researcher, study):
    """Without a script."""
    client.force_login(researcher)
    page = logged_in(open_page(java_script_enabled=False), live_server, client)
    page.goto(live_server.url + address(study, "models"))
    shown = page.locator(".board .more").first
    expect(shown.get_by_text("Accuracy vs. reference")).to_be_hidden()
    shown.locator("summary").click()
    expect(shown.get_by_text("Accuracy vs. reference")).to_be_visible()
    page.get_by_role("navigation", name="Study").get_by_role("link", name="Pairwise tests").click()
    expect(page.get_by_role("heading", name="Pairwise tests", level=1)).to_be_visible()
    page.get_by_role("heading", name="Agreement of runs").wait_for(state="visible")


def test_tables_sort_by_any_column(browser_page, live_server, client, researcher, study):
    client.force_login(researcher)
    page = logged_in(browser_page, live_server, client)
    page.goto(live_server.url + address(study, "run-figures"))
    table = page.locator("table[data-sortable]").first
    head = table.get_by_role("columnheader", name="Balanced accuracy")
    head.get_by_role("button", name="Balanced accuracy", exact=True).click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert table.get_by_role("rowheader").first.inner_text().startswith("majority")


def test_no_part_is_longer_than_three_screens_and_the_first_answers(
    open_page, live_server, client, researcher, study, synthetic_study
):
    """Each with ten runs: the dot table of the Overview begins above the middle of the first screen."""
    names = [f"target-{number}" for number in range(1, 7)]
    for one in (study, synthetic_study):
        for number in range(10 - one.runs.count()):
            given = [(name, "equally_likely", None, "") for name in names]
            give_run(one, given, key=f"more-{number}", metric="label", family="classifier")
    client.force_login(researcher)
    page = logged_in(open_page(), live_server, client)
    for one in (study, synthetic_study):
        for part in PARTS:
            page.goto(live_server.url + address(one, part))
            if part == "overview":
                box = page.locator("table.dots").first.bounding_box()
                assert box["y"] < 400, one
            tall = page.evaluate("document.documentElement.scrollHeight")
            assert tall <= 3 * 800, (one, part, tall)


def test_the_part_in_use_is_in_sight_on_a_phone(open_page, live_server, client, researcher, study):
    client.force_login(researcher)
    page = logged_in(open_page(viewport=PHONE, java_script_enabled=False), live_server, client)
    for part in PARTS:
        page.goto(live_server.url + address(study, part))
        box = page.locator(".parts [aria-current]").bounding_box()
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= PHONE["width"], part


def test_filters_are_folded_on_a_phone_and_act_without_javascript(open_page, live_server, client, researcher, study):
    """The answer is on the first screen, and a filter that is set says so while it is folded."""
    client.force_login(researcher)
    page = logged_in(open_page(viewport=PHONE, java_script_enabled=False), live_server, client)
    page.goto(live_server.url + address(study))
    assert page.locator("section.card").first.bounding_box()["y"] < PHONE["height"] * 0.6
    expect(page.locator("select[name=agreement]")).to_be_hidden()
    page.get_by_text("Filter", exact=True).click()
    page.locator("select[name=agreement]").select_option("unanimous")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("select[name=agreement]")).to_be_hidden()
    page.get_by_role("link", name="Agreement: unanimous").click()
    page.get_by_text("6 of 6 items").wait_for(state="visible")
    expect(page.get_by_role("link", name="Agreement: unanimous")).to_have_count(0)


def test_the_overview_answers_before_it_explains(open_page, live_server, client, researcher, study):
    """The answer beside the dot table; what they rest on is folded and has all the sentences."""
    client.force_login(researcher)
    page = logged_in(open_page(), live_server, client)
    open_results(page, live_server, study)
    expect(page.locator("table.dots").first).to_be_visible()
    expect(page.locator("details table").first).to_be_hidden()
    page.get_by_text("How we know").click()
    page.get_by_role("columnheader", name="First, of 100 resamples").wait_for(state="visible")
    reached = read_verdict(study)
    # Labels still come in, and people may not agree.
    assert reached.headline.startswith("Labels are still coming in: people are not yet shown")
    assert page.locator(".verdict-line").inner_text() == reached.headline
    told = page.locator(".findings > li > p:first-of-type").all_inner_texts()
    assert told == [one.statement for one in reached.findings]
    assert f"n = {reached.runs.items} of 6 items: 2 have no majority label" in page.locator(".links").inner_text()
    # What is opened is text, and stays on the page.
    assert page.locator(".links .explain").first.evaluate(LINED) == page.locator("body").evaluate(LINED) == "none"
    assert page.evaluate(WIDER) == 0
    page.set_viewport_size(PHONE)
    assert page.evaluate(WIDER) == 0


def test_it_fits_a_phone(open_page, live_server, client, researcher, study):
    client.force_login(researcher)
    page = logged_in(open_page(viewport=PHONE), live_server, client)
    for part in PAGES:
        for query in ("", "?open=all"):
            page.goto(live_server.url + address(study, part) + query)
            assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), part


def test_why_asked_runs_cannot_be_set_beside_others_fits_a_phone(
    open_page, live_server, client, researcher, asked_study
):
    """The reasons for having no figure are longer than the figures."""
    client.force_login(researcher)
    items = asked_study.items.filter(kind="target").values_list("external_id", flat=True)
    give_run(asked_study, [(items[0], None, 1.0, "")], key="instruct", metric="causal", family="causal")
    page = logged_in(open_page(viewport=PHONE), live_server, client)
    page.goto(live_server.url + reverse("results", args=[asked_study.slug, "asked"]))
    expect(page.get_by_text("ρ = undefined: fewer than 4 items").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_asking_stands_beside_measuring(browser_page, live_server, client, researcher, asked_study):
    """What the place of an option does, and the runs beside it: in words, drawn, and to be saved."""
    client.force_login(researcher)
    page = logged_in(browser_page, live_server, client)
    heard = open_results(page, live_server, asked_study, "asked")
    section = page.locator(".check")
    section.get_by_role("heading", name="instruct chat").wait_for()
    expect(section.get_by_text("First minus last position:")).to_be_visible()
    axes = (("places", "Mean probability above an even share"), ("asked", "Share of items with the same label"))
    for name, axis in axes:
        figure = section.locator(f"figure.chart[id^='{name}-']")
        figure.locator("svg:visible").get_by_text(axis).wait_for()
        expect(figure.locator("svg:visible path title")).not_to_have_count(0)
        figure.locator(".menu summary").click()
        expect(figure.get_by_role("link", name="CSV")).to_have_count(1)
        with page.expect_download() as waiting:
            figure.get_by_role("link", name="SVG").click()
        assert waiting.value.suggested_filename.startswith(f"small-{name}-")
    expect(section.get_by_role("row", name="parrot").get_by_text("n = 6")).not_to_have_count(0)
    assert [line for line in heard if "favicon" not in line] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wide_tables_on_a_phone_scroll_by_keyboard(open_page, live_server, client, researcher, asked_study, scheme):
    client.force_login(researcher)
    page = logged_in(open_page(viewport=PHONE, color_scheme=scheme), live_server, client)
    open_results(page, live_server, asked_study, "run-figures")
    assert serious_violations(page) == []
    wide = "[...document.querySelectorAll('.table-scroll')].filter(one => one.scrollWidth > one.clientWidth)"
    assert page.evaluate(f"{wide}.length") > 0, "no table is wider than the phone: nothing would be tested"
    page.evaluate(f"{wide}[0].focus()")
    assert (
        page.evaluate("document.activeElement.getAttribute('aria-label')")
        == "Measures robust to skewed labels, against the majority label"
    )
    page.keyboard.press("ArrowRight")
    # Scrolling takes a moment; Playwright's own waiting would need eval, which the policy refuses.
    moved = (page.evaluate("document.activeElement.scrollLeft") or page.wait_for_timeout(100) for _ in range(50))
    assert next(filter(None, moved), 0) > 0
    page.goto(live_server.url + reverse("comparison_item", args=[asked_study.slug, "target-3"]))
    for summary in page.locator("main details summary").all():
        summary.click()
    assert serious_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_axe_finds_nothing_serious(browser_page, live_server, client, researcher, study, synthetic_study):
    client.force_login(researcher)
    page = logged_in(browser_page, live_server, client)
    for one in (study, synthetic_study):
        for part in ("overview", "models", "biases", "between-runs", "run-figures"):
            open_results(page, live_server, one, part)
            assert faults(page) == [], (one, part)
    page.goto(live_server.url + address(study, "models"))
    assert faults(page) == []
    page.goto(live_server.url + reverse("comparison_item", args=[study.slug, "target-3"]))
    assert faults(page) == []


@pytest.mark.parametrize("width", [320, 390])
def test_heads_of_labels_do_not_touch_on_a_phone(open_page, live_server, client, researcher, study, width):
    """Five labels have columns of thirty pixels there."""
    client.force_login(researcher)
    page = logged_in(open_page(viewport={"width": width, "height": 844}), live_server, client)
    page.goto(live_server.url + reverse("comparison_item", args=[study.slug, "target-1"]))
    heads = [head.bounding_box() for head in page.locator(".heat.ans .head").all()]
    assert len(heads) == 5
    ends = [(one["x"] + one["width"], other["x"]) for one, other in pairwise(heads)]
    assert all(end <= start for end, start in ends), ends


# What a printer has of Letter and of A4 between the margins of print.css, in pixels.
PAPER = {"Letter": 740, "A4": 718}
INK = "rgb(28, 30, 33)"


@pytest.mark.parametrize("paper", PAPER)
def test_on_paper_there_is_the_page_alone_and_it_fits(
    open_page, live_server, client, researcher, synthetic_study, paper
):
    client.force_login(researcher)
    page = logged_in(open_page(viewport={"width": PAPER[paper], "height": 1000}), live_server, client)
    page.emulate_media(media="print", color_scheme="dark")
    for part in ("overview", "people", "models"):
        at = live_server.url + address(synthetic_study, part)
        page.goto(at)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, (part, wide)
        for place in ("nav", "header.bar", "button", ".card .menu", "a.button"):
            expect(page.locator(f"{place}:visible"), f"{part}: {place}").to_have_count(0)
        head = page.locator(".printed").inner_text()
        assert synthetic_study.title in head, part
        assert at in head, part
        assert page.locator("h1").evaluate("(one) => getComputedStyle(one).color") == INK, part
        painted = "(one) => [getComputedStyle(one).printColorAdjust, getComputedStyle(document.body).backgroundColor]"
        assert page.locator(".card").first.evaluate(painted) == ["exact", "rgb(255, 255, 255)"], part
