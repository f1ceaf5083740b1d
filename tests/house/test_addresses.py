"""Who may see what without logging in: everything that is not on this short list asks for a login."""

from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import get_resolver

from tests.house.addresses import patterns
from tests.house.walk.rights import BY_TOKEN

# Names of addresses that anyone may open: the login itself with what leads to it, and the annotator's own pages.
# (Logging out without being logged in leads to the login like everything else, and so do the steps of a login that
# nobody has begun.)
LOGIN = {
    "login", "account_login", "account_inactive", "openid_connect_login", "openid_connect_callback",
    "socialaccount_login_cancelled", "account_reset_password", "account_reset_password_done",
    "account_reset_password_from_key", "account_reset_password_from_key_done",
    # Closed, for whoever has no invitation. Says so.
    "account_signup",
    # Opened from a mail, perhaps in another browser.
    "account_confirm_email",
}  # fmt: skip
# What whoever has the link of a share reads.
SHARED = {"shared", "shared_part", "shared_file"}
# Say nothing of a study; the counts of /metrics are for a token or superusers (tests/work/watching).
WATCHED = {"healthz", "readyz", "metrics"}
OPEN = LOGIN | SHARED | WATCHED | {"invitation", "welcome", "item", "back", "report_problem"}


def asks_for_login(client: Client, address: str) -> bool:
    answers = [client.get(address), client.post(address)]
    return all(
        answer.status_code == 302 and urlsplit(answer.headers["Location"]).path == "/login/"
        for answer in answers
        if answer.status_code != 405
    )


@pytest.mark.django_db
def test_an_address_asks_for_a_login_unless_it_is_on_the_list(client):
    wrong = [
        address
        for name, address in patterns(get_resolver())
        if asks_for_login(client, address) != (name not in OPEN | BY_TOKEN)
    ]
    assert not wrong, wrong


@pytest.mark.django_db
def test_the_admin_asks_for_a_login(client):
    answer = client.get("/admin/")
    assert answer.status_code == 302
    assert "login" in answer.headers["Location"]
