"""The way back in a real browser: each outcome's code and button, and going on by itself, with and without scripts."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.assignment import finish
from annotation.models import Sitting, Study
from annotation.platforms import Outcome
from annotation.views import showing
from tests.browser import PHONE, OpenPage, serious_violations
from tests.studies import fill_link, open_small_study, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PLATFORM = "https://platform.example/"
WHO = "?PROLIFIC_PID=5f3c1e9a7b2d4c6e8f0a1b2c&SESSION_ID=s1"


@pytest.fixture
def paid(tmp_path) -> Study:
    return open_small_study(
        tmp_path / "paid",
        plausibility_rows(9),
        slug="paid",
        collection={"platform": "prolific", "sitting_length": 1},
        codes={outcome.value: f"C-{number}" for number, outcome in enumerate(Outcome)},
        **{"return": {"address": f"{PLATFORM}end?cc={{code}}", "home": PLATFORM}},
    )


def arrived(page: Page, live_server: LiveServer, study: Study, who: str = WHO) -> Page:
    """At the first item, with a platform that answers."""
    page.route(f"{PLATFORM}**", lambda route: route.fulfill(content_type="text/html", body="<h1>The platform</h1>"))
    page.goto(live_server.url + study.links.get().get_absolute_url() + who)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#place")).to_be_visible()
    return page


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_every_outcome_has_its_code_and_its_way_back(
    open_page: OpenPage, live_server: LiveServer, paid: Study, scripts: bool
) -> None:
    page = open_page(java_script_enabled=scripts, **({} if scripts else {"viewport": PHONE}))
    for number, outcome in enumerate(Outcome):
        arrived(page, live_server, paid, WHO.replace("2c&", f"{number:02}&"))
        sitting = Sitting.objects.latest("pk")
        finish(sitting, outcome)
        if outcome is Outcome.COMPLETED:
            # That came too late: somebody was at the item.
            Sitting.objects.filter(pk=sitting.pk).update(outcome=outcome)
        page.reload()
        sitting.refresh_from_db()
        code = f"C-{list(Outcome).index(Outcome(sitting.outcome))}"
        expect(page.locator("#code")).to_have_text(code)
        if scripts:
            expect(page.get_by_role("button", name="Copy code")).to_be_visible()
        page.get_by_role("link", name="Return to the platform").click()
        expect(page.get_by_role("heading", name="The platform")).to_be_visible()
        assert page.url == f"{PLATFORM}end?cc={code}"


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_goes_on_by_itself_once_the_answer_is_stored(
    open_page: OpenPage, live_server: LiveServer, paid: Study, monkeypatch: pytest.MonkeyPatch, scripts: bool
) -> None:
    monkeypatch.setattr(showing, "SECONDS", 2)
    Study.objects.update(redirects=True)
    page = arrived(open_page(java_script_enabled=scripts), live_server, paid)
    page.get_by_label("Equally likely").check()
    if not scripts:
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="The platform")).to_be_visible()
    assert page.url == f"{PLATFORM}end?cc=C-0"
    assert Sitting.objects.get().outcome == Outcome.COMPLETED


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_who_wants_to_stays(open_page: OpenPage, live_server: LiveServer, paid: Study, scripts: bool) -> None:
    Study.objects.update(redirects=True)
    page = arrived(open_page(java_script_enabled=scripts), live_server, paid)
    page.get_by_label("Equally likely").check()
    if not scripts:
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("You will be taken there in 20 seconds")).to_be_visible()
    if scripts:
        assert not serious_violations(page)
    page.get_by_role("link", name="Stay on this page").click()
    expect(page.get_by_text("You will be taken there")).to_have_count(0)
    expect(page.locator("#code")).to_have_text("C-0")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_who_cannot_begin_has_a_code_and_a_way_back_too(
    open_page: OpenPage, live_server: LiveServer, paid: Study, scripts: bool
) -> None:
    fill_link(paid)
    page = open_page(java_script_enabled=scripts)
    page.route(f"{PLATFORM}**", lambda route: route.fulfill(content_type="text/html", body="<h1>The platform</h1>"))
    page.goto(live_server.url + paid.links.get().get_absolute_url() + WHO)
    expect(page.get_by_role("heading", name="This study is full")).to_be_visible()
    if scripts:
        assert not serious_violations(page)
    page.get_by_role("link", name="Return to the platform").click()
    assert page.url == f"{PLATFORM}end?cc=C-{list(Outcome).index(Outcome.QUOTA_FULL)}"
