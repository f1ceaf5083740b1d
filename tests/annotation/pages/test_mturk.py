"""Mechanical Turk's frame: a preview stores nothing, the end goes to its hosts alone, and nobody else frames a page."""

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.lifecycle.status import close_study
from annotation.models import Annotator, Sitting, Study
from tests.annotation.pages.bot import Bot
from tests.browser import OpenPage, serious_violations
from tests.studies import open_small_study, plausibility_rows

HIT = "hitId=HIT1&workerId=A1WORKER&assignmentId=ASG1"
LIVE = "turkSubmitTo=https://www.mturk.com"
PREVIEW = f"?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=HIT1&{LIVE}"
SANDBOX = "https://workersandbox.mturk.com"


@pytest.fixture
def turk(db, tmp_path) -> Study:
    return open_small_study(
        tmp_path / "turk", plausibility_rows(9), slug="turk", collection={"platform": "mturk", "sitting_length": 1}
    )


@pytest.fixture
def door(turk: Study) -> str:
    return turk.links.get().get_absolute_url()


def finished(door: str, query: str) -> Bot:
    visitor = Bot()
    visitor.begin(f"{door}?{query}")
    visitor.finish()
    return visitor


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_preview_shows_the_first_page_and_stores_nothing(turk: Study, door: str, method: str) -> None:
    visitor = Bot()
    if method == "post":
        visitor.open(f"{door}?{HIT}")
        visitor.page.address = door + PREVIEW
        page = visitor.post()
    else:
        page = visitor.open(door + PREVIEW)
    assert (page.status, page.has_form) == (200, False)
    assert "Read both sentences." in page.text
    assert "This is a preview" in page.text
    assert not Annotator.objects.exists()
    close_study(turk)
    assert visitor.open(door + PREVIEW).status == 410


@pytest.mark.django_db
def test_elsewhere_the_same_word_is_no_preview(link: str) -> None:
    assert "preview" not in Bot().open(link + PREVIEW).text


@pytest.mark.slow
def test_the_end_is_posted_with_the_assignment_and_the_outcome(door: str) -> None:
    page = finished(door, f"{HIT}&{LIVE}").page
    assert 'action="https://www.mturk.com/mturk/externalSubmit"' in page.html
    code = Sitting.objects.get().completion_code
    assert page.fields == {"assignmentId": "ASG1", "outcome": "completed", "code": code}, "and no token of ours"


@pytest.mark.slow
@pytest.mark.parametrize(
    "host",
    ["https://www.mturk.com.evil.example", "http://www.mturk.com", "https://evil.example/", "", "//www.mturk.com"],
)
def test_and_to_no_other_host(door: str, host: str) -> None:
    page = finished(door, f"{HIT}&turkSubmitTo={host}").page
    assert not page.has_form
    assert "externalSubmit" not in page.html
    assert Sitting.objects.get().submits_to == ""


@pytest.mark.slow
def test_who_took_the_place_again_hands_in_for_that_one(door: str) -> None:
    visitor = Bot()
    visitor.begin(f"{door}?{HIT}&{LIVE}/")
    visitor.begin(f"{door}?{HIT.replace('ASG1', 'ASG2')}&turkSubmitTo={SANDBOX}")
    page = visitor.finish()
    assert page.fields["assignmentId"] == "ASG2"
    assert f'action="{SANDBOX}/mturk/externalSubmit"' in page.html


@pytest.mark.slow
def test_only_the_platform_frames_and_only_its_studies(turk: Study, door: str, link: str) -> None:
    visitor = finished(door, HIT)
    for address in (door + PREVIEW, f"{door}?{HIT}", door, Sitting.objects.get().get_absolute_url()):
        response = visitor.client.get(address)
        policy = response["Content-Security-Policy"]
        assert "frame-ancestors https://www.mturk.com https://workersandbox.mturk.com" in policy
        assert "X-Frame-Options" not in response
    other = Bot().client.get(link)
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    assert "form-action 'self';" in other["Content-Security-Policy"] + ";"
    assert other["X-Frame-Options"] == "DENY"


def test_cookies_are_fit_for_a_frame_there_and_as_ever_elsewhere(door: str, link: str) -> None:
    given = Bot().client.get(f"{door}?{HIT}").cookies
    assert set(given) == {"annotator", "csrftoken"}
    for cookie in given.values():
        assert "SameSite=None" in cookie.OutputString()
        assert "Secure" in cookie.OutputString()
        assert cookie.OutputString().endswith("; Partitioned")
    for cookie in Bot().client.get(link).cookies.values():
        assert "SameSite=Lax" in cookie.OutputString()
        assert "Partitioned" not in cookie.OutputString()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_whole_visit_in_the_frame(open_page: OpenPage, live_server: LiveServer, turk: Study, scripts: bool) -> None:
    inner = f"{live_server.url}{turk.links.get().get_absolute_url()}?{HIT}&turkSubmitTo={SANDBOX}"
    frame_of = f'<iframe title="Task" src="{inner.replace("&", "&amp;")}" width="900" height="700"></iframe>'
    outer = f'<!doctype html><html lang="en"><title>Worker</title><h1>Worker</h1>{frame_of}</html>'
    posted: list[str] = []

    def platform(route) -> None:
        if "externalSubmit" in route.request.url:
            posted.append(route.request.post_data or "")
            route.fulfill(content_type="text/html", body="<h1>Submitted</h1>")
        else:
            route.fulfill(content_type="text/html", body=outer)

    # The test's server is on this machine, which a page of the Internet may not open by itself.
    page = open_page(java_script_enabled=scripts, permissions=["local-network-access"])
    page.route(f"{SANDBOX}/**", platform)
    page.goto(f"{SANDBOX}/task")
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Start").click()
    frame.get_by_label("Equally likely").check()
    if not scripts:
        frame.get_by_role("button", name="Continue").click()
    expect(frame.get_by_role("heading", name="Thank you")).to_be_visible()
    if scripts:
        assert not serious_violations(page)
    frame.get_by_role("button", name="Submit to the platform").click()
    expect(frame.get_by_role("heading", name="Submitted")).to_be_visible()
    assert posted[0].startswith("assignmentId=ASG1&outcome=completed&code=")
