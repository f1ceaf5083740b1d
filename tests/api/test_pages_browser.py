"""The pages beside the API in a real browser: with and without JavaScript, in both themes, on a desk and on a phone."""

import pytest
from django.contrib.auth import get_user_model

from api.models import ApiToken
from tests.browser import faults, log_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def researcher(db):
    return get_user_model().objects.create_superuser("rosa", password="long-and-dull-1")


def create_token(page):
    """Its form is sent, once the password was given again."""
    page.get_by_role("button", name="Create token").click()
    page.get_by_label("Password").fill("long-and-dull-1")
    page.get_by_role("button", name="Continue").click()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_token_is_made_used_and_withdrawn(scripts, open_page, live_server, researcher):
    page = open_page(java_script_enabled=scripts)
    log_in(page, live_server)
    page.goto(f"{live_server.url}/account/")
    page.get_by_role("link", name="Manage tokens").click()
    page.get_by_text("You have no tokens.").wait_for()
    page.get_by_label("Name", exact=True).fill("my laptop")
    page.get_by_label("write: create studies").check()
    create_token(page)
    secret = page.get_by_label("The new token").input_value()
    answer = page.request.get(f"{live_server.url}/api/v1/token", headers={"Authorization": f"Bearer {secret}"})
    assert answer.json()["scopes"] == ["read", "write"]
    page.goto(live_server.url + "/tokens/")
    assert secret not in page.content()
    page.get_by_role("button", name="Revoke my laptop").click()
    page.get_by_text("my laptop revoked.").wait_for()
    assert not ApiToken.objects.get().is_in_force


def test_the_pages_are_accessible_and_fit(browser_page, live_server, researcher):
    page = browser_page
    log_in(page, live_server, path="/tokens/")
    page.get_by_label("Name", exact=True).fill("my laptop")
    page.get_by_label("Expires on").fill("2100-01-01")
    create_token(page)
    page.get_by_label("The new token").wait_for()
    assert faults(page) == []
    page.goto(live_server.url + "/api/")
    for part in page.locator("details").all()[:6]:
        part.locator("summary").click()
    page.get_by_text("List studies").wait_for()
    assert faults(page) == []
    page.goto(live_server.url + "/docs/api/")
    assert faults(page) == []
