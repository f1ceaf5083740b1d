"""A second factor and passkeys in a browser, the passkey with Chromium's own virtual authenticator."""

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.adapters import SecondFactors
from tests.accounts.devices import code_of, virtual_authenticator
from tests.accounts.people import PASSWORD, try_to_log_in
from tests.browser import account_menu, log_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def slow_machine(settings):
    """A code is good for half a minute, which a busy machine may take to type it."""
    settings.MFA_TOTP_TOLERANCE = 40
    cache.clear()


@pytest.fixture
def page(open_page, live_server, rosa):
    page = open_page()
    log_in(page, live_server, "/account/")
    return page


def log_out(page):
    account_menu(page).click()
    page.get_by_role("button", name="Log out", exact=True).click()
    page.get_by_role("heading", name="Log in", exact=True).wait_for()


def give_password(page):
    page.fill("#id_username", "rosa")
    page.fill("#id_password", PASSWORD)
    page.get_by_role("button", name="Log in").click()


def say_who_it_is(page):
    """Before anything about logging in is changed, the password is asked for once more."""
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()


class TestAnApp:
    def turn_on(self, page) -> tuple[str, list[str]]:
        page.get_by_role("link", name="Turn on the authenticator app").click()
        say_who_it_is(page)
        secret = page.locator("code.setup-key").inner_text()
        page.get_by_label("Authenticator code").fill(code_of(secret))
        page.get_by_role("button", name="Turn it on").click()
        page.get_by_role("heading", name="Recovery codes").wait_for()
        return secret, page.locator(".codes code").all_inner_texts()

    def test_is_asked_for_a_code_when_one_logs_in(self, page, rosa):
        secret, _ = self.turn_on(page)
        log_out(page)
        give_password(page)
        page.get_by_role("heading", name="Second factor").wait_for()
        # The password alone shows nothing.
        page.goto(page.url.replace("/login/code/", "/account/"))
        page.get_by_role("heading", name="Second factor").wait_for()
        page.get_by_label("Code").fill("000000")
        page.get_by_role("button", name="Log in").click()
        page.get_by_text("Wrong or already used code").wait_for()
        page.get_by_label("Code").fill(code_of(secret, later=1))
        page.get_by_role("button", name="Log in").click()
        account_menu(page).wait_for()

    def test_is_replaced_by_a_recovery_code_once(self, page, rosa):
        _, codes = self.turn_on(page)
        assert len(set(codes)) == 10
        for code, taken in ((codes[0], True), (codes[0], False)):
            log_out(page)
            give_password(page)
            page.get_by_label("Code").fill(code)
            page.get_by_role("button", name="Log in").click()
            if taken:
                account_menu(page).wait_for()
            else:
                page.get_by_text("Wrong or already used code").wait_for()
        kept = Authenticator.objects.get(user=rosa, type="recovery_codes")
        assert len(kept.wrap().get_unused_codes()) == 9

    def test_is_kept_so_that_the_database_alone_gives_no_code(self, page, rosa, settings):
        secret, _ = self.turn_on(page)
        kept = Authenticator.objects.get(user=rosa, type="totp")
        assert secret not in str(kept.data)
        assert SecondFactors().decrypt(kept.data["secret"]) == secret
        settings.SECRET_KEY = "another"
        assert SecondFactors().decrypt(kept.data["secret"]) != secret
        client = Client()
        try_to_log_in(client, PASSWORD)
        answer = client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
        assert "Wrong or already used code" in answer.content.decode()
        settings.SECRET_KEY_FALLBACKS = ["only-for-tests"]
        assert SecondFactors().decrypt(kept.data["secret"]) == secret


class TestAPasskey:
    def add(self, page):
        page.get_by_role("link", name="Add a passkey").click()
        say_who_it_is(page)
        page.get_by_role("button", name="Add passkey").click()
        page.get_by_role("heading", name="Recovery codes").wait_for()

    def test_logs_in_alone_and_no_more_once_it_is_removed(self, page, rosa):
        session, device = virtual_authenticator(page)
        self.add(page)
        assert len(session.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]) == 1
        log_out(page)
        page.get_by_role("button", name="Use a passkey").click()
        account_menu(page).wait_for()
        account_menu(page).click()
        page.get_by_role("link", name="Account", exact=True).click()
        page.get_by_role("link", name="Change passkeys").click()
        page.get_by_role("link", name="Rename Passkey").click()
        say_who_it_is(page)
        page.get_by_label("Name").fill("Laptop")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("link", name="Remove Laptop").click()
        page.get_by_role("button", name="Remove passkey").click()
        page.get_by_text("You have no passkeys.").wait_for()
        log_out(page)
        page.get_by_role("button", name="Use a passkey").click()
        page.get_by_text("Wrong or already used code").wait_for()
        assert not Authenticator.objects.exists()

    def test_is_asked_for_beside_a_password(self, page, rosa):
        virtual_authenticator(page)
        self.add(page)
        log_out(page)
        give_password(page)
        page.get_by_role("heading", name="Second factor").wait_for()
        page.get_by_role("button", name="Use a passkey").click()
        account_menu(page).wait_for()

    def test_that_the_device_does_not_have_is_told_in_words(self, page, rosa):
        virtual_authenticator(page)
        log_out(page)
        page.get_by_role("button", name="Use a passkey").click()
        page.get_by_text("No passkey was used.").wait_for()
