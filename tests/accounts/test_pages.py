"""Every page of an account in a browser: both themes, desk and phone, held against axe."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from config.accounts import openid_provider
from tests.accounts.devices import virtual_authenticator
from tests.accounts.people import PASSWORD, link_in, mails, try_to_log_in
from tests.browser import faults, logged_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
# Where to leave pictures of the pages for somebody to look at.
# Name, and what its heading says.
OF_A_VISITOR = {
    "login": "Log in",
    "account_reset_password": "Forgot password",
    "account_reset_password_done": "Check your email",
    "account_reset_password_from_key_done": "Password changed",
    "account_signup": "You need an invitation",
    "account_inactive": "This account is closed",
    "socialaccount_login_cancelled": "Not logged in",
}
OF_ONE_WITHOUT_A_SECOND_FACTOR = {
    "account": "Your account",
    "account_email": "Email address",
    "account_change_password": "Change password",
    "account_reauthenticate": "Confirm it is you",
    "account_logout": "Log out",
    "usersessions_list": "Active logins",
    "socialaccount_connections": "OpenID",
    "mfa_list_webauthn": "Passkeys",
    "mfa_add_webauthn": "Add a passkey",
    "mfa_activate_totp": "Authenticator app",
}
OF_ONE_WITH_IT = {
    "account": "Your account",
    "account_email": "Email address",
    "mfa_list_webauthn": "Passkeys",
    "mfa_edit_webauthn": "Rename a passkey",
    "mfa_remove_webauthn": "Remove Laptop",
    "mfa_deactivate_totp": "Remove authenticator app",
    "mfa_view_recovery_codes": "Recovery codes",
    "mfa_generate_recovery_codes": "New recovery codes",
    "mfa_reauthenticate": "Confirm it is you",
    "mfa_reauthenticate_webauthn": "Confirm it is you",
    "usersessions_list": "Active logins",
    "socialaccount_connections": "OpenID",
}


@pytest.fixture(autouse=True)
def everything_configured(settings, tmp_path):
    settings.SENDS_MAIL, settings.EMAIL_FILE_PATH = True, str(tmp_path / "mail")
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.OPENID_ISSUER = "http://127.0.0.1:1"
    settings.SOCIALACCOUNT_PROVIDERS = openid_provider(
        issuer=settings.OPENID_ISSUER, needs_https=False, client="parallax", secret="secret", name="the lab"
    )
    cache.clear()
    return tmp_path / "mail"


@pytest.fixture
def client(rosa):
    """Logged in, and asked once more a moment ago."""
    client = Client(headers={"user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0"})
    try_to_log_in(client, PASSWORD)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def with_a_second_factor(user) -> None:
    TOTP.activate(user, generate_totp_secret())
    RecoveryCodes.activate(user)
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})
    EmailAddress.objects.create(user=user, email="new@example.org")
    SocialAccount.objects.create(user=user, provider="openid", uid="7", extra_data={"userinfo": {"name": "Rosa L"}})


def add_passkey(page, live_server) -> Authenticator:
    virtual_authenticator(page)
    page.goto(live_server.url + reverse("mfa_add_webauthn"))
    page.get_by_label("Passkey name").fill("Laptop")
    page.get_by_role("button", name="Add passkey").click()
    page.get_by_role("heading", name="Your account").wait_for()
    return Authenticator.objects.get(type="webauthn")


def looked_at(page, name: str, heading: str) -> None:
    page.get_by_role("heading", name=heading, exact=True).wait_for()
    assert faults(page) == [], name


def test_of_a_visitor(open_page, live_server, rosa, everything_configured):
    page = open_page()
    for name, heading in OF_A_VISITOR.items():
        page.goto(live_server.url + reverse(name))
        looked_at(page, name, heading)
    page.goto(live_server.url + reverse("login"))
    page.fill("#id_username", "rosa")
    page.fill("#id_password", "wrong")
    page.get_by_role("button", name="Log in").click()
    page.get_by_text("Wrong name or password").wait_for()
    looked_at(page, "login-wrong", "Log in")
    Client().post(reverse("account_reset_password"), {"email": rosa.email})
    link = link_in(mails(everything_configured)[0])
    page.goto(live_server.url + link)
    looked_at(page, "reset", "New password")
    page.get_by_label("New Password", exact=True).fill("rosa")
    page.get_by_label("New Password (again)").fill("other")
    page.get_by_role("button", name="Set password").click()
    page.get_by_text("too similar to the username").wait_for()
    looked_at(page, "reset-wrong", "New password")
    page.goto(live_server.url + reverse("account_reset_password_from_key", args=["1", "bad-key"]))
    looked_at(page, "reset-over", "This link no longer works")


def test_of_one_without_a_second_factor(open_page, live_server, client):
    page = logged_in(open_page(), live_server, client)
    for name, heading in OF_ONE_WITHOUT_A_SECOND_FACTOR.items():
        page.goto(live_server.url + reverse(name))
        looked_at(page, name, heading)


def test_of_one_with_it(open_page, live_server, client, rosa):
    with_a_second_factor(rosa)
    page = logged_in(open_page(), live_server, client)
    passkey = add_passkey(page, live_server)
    for name, heading in OF_ONE_WITH_IT.items():
        arguments = [passkey.pk] if name in ("mfa_edit_webauthn", "mfa_remove_webauthn") else []
        page.goto(live_server.url + reverse(name, args=arguments))
        looked_at(page, f"{name}-with", heading)
    half = Client()
    try_to_log_in(half, PASSWORD)
    page = logged_in(open_page(), live_server, half)
    page.goto(live_server.url + reverse("mfa_authenticate"))
    looked_at(page, "mfa_authenticate", "Second factor")


def test_where_no_mail_is_configured(open_page, live_server, settings):
    settings.SENDS_MAIL, settings.CONTACT = False, "Ada, room 7"
    page = open_page()
    page.goto(live_server.url + reverse("account_reset_password"))
    looked_at(page, "without-mail", "Email is not configured")


def test_passkeys_are_led_from_a_number_to_a_name(open_page, live_server, client):
    """As `make run` prints the address of one's own machine."""
    page = open_page()
    by_number = live_server.url.replace("localhost", "127.0.0.1")
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": by_number}])
    page.goto(by_number + reverse("mfa_add_webauthn"))
    page.get_by_text("Passkeys need a host name").wait_for()
    assert page.get_by_role("link", name="localhost").get_attribute("href") == (
        live_server.url + reverse("mfa_add_webauthn")
    )
    page.get_by_role("button", name="Add passkey").click()
    page.get_by_text("No passkey was used.").wait_for()
