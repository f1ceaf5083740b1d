"""The comparison page in a real browser: the charts are drawn under the strict policy, and nothing complains."""

import pytest
from django.urls import reverse

from tests.browser import PHONE, serious_violations

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def logged_in(page, live_server, client):
    """The browser with the researcher's session, without typing a password."""
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    return page


def open_comparison(page, live_server, study):
    heard = []
    page.on("console", lambda message: heard.append(f"{message.type}: {message.text} {message.location['url']}"))
    page.goto(live_server.url + reverse("comparison", args=[study.slug]))
    page.wait_for_selector("figure.is-drawn svg")
    return heard


def test_charts_are_drawn_and_the_console_is_silent(browser_page, live_server, client, researcher, study):
    client.force_login(researcher)
    page = logged_in(browser_page, live_server, client)
    heard = open_comparison(page, live_server, study)
    page.wait_for_function("document.querySelectorAll('figure.is-drawn').length === 3")
    assert page.locator("figure[data-chart]").count() == 3
    # The interpreter evaluates the tooltip's expressions; compiled ones would break the policy here.
    page.locator("figure[data-chart='accuracy-spec'] svg path[aria-roledescription='point']").first.hover()
    page.wait_for_selector("#vg-tooltip-element.visible")
    assert [line for line in heard if "favicon" not in line] == []


def test_a_figure_downloads_as_svg_and_png(browser_page, live_server, client, researcher, study, tmp_path):
    client.force_login(researcher)
    page = logged_in(browser_page, live_server, client)
    open_comparison(page, live_server, study)
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as waiting:
            page.locator(f"figure[data-chart='accuracy-spec'] button[data-save='{kind}']").click()
        assert waiting.value.suggested_filename == f"small-accuracy.{kind}"
        waiting.value.save_as(tmp_path / kind)
        assert (tmp_path / kind).read_bytes().startswith(start)


def test_choosing_a_run_shows_its_matrix(browser_page, live_server, client, researcher, study):
    client.force_login(researcher)
    page = logged_in(browser_page, live_server, client)
    open_comparison(page, live_server, study)
    with page.expect_navigation():
        page.select_option("select[name=run]", label="majority · label")
    assert f"run={study.runs.get(model__key='majority').pk}" in page.url
    assert page.url.endswith("#confusion")
    assert "majority · label" in page.locator(".confusion-table caption").inner_text()


def test_it_fits_a_phone(open_page, live_server, client, researcher, study):
    client.force_login(researcher)
    page = logged_in(open_page(viewport=PHONE), live_server, client)
    open_comparison(page, live_server, study)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page, live_server, client, researcher, study, synthetic_study, scheme):
    client.force_login(researcher)
    page = logged_in(open_page(color_scheme=scheme), live_server, client)
    for one in (study, synthetic_study):
        open_comparison(page, live_server, one)
        assert serious_violations(page) == []
    page.goto(live_server.url + reverse("comparison_item", args=[study.slug, "target-3"]))
    assert serious_violations(page) == []
