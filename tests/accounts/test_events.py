"""What concerns who can use an account is written down; a second factor can be required of everybody."""

import logging

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.utils import timezone

from accounts.models import KEPT, AccountEvent
from accounts.tasks import forget
from tests.accounts.people import ANOTHER, PASSWORD, make_rosa, try_to_log_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def rosa():
    cache.clear()
    return make_rosa()


def kinds(user) -> list[str]:
    return list(user.events.order_by("pk").values_list("kind", flat=True))


@pytest.mark.slow
def test_logins_wrong_passwords_and_new_ones(client, rosa, caplog):
    caplog.set_level(logging.INFO, "accounts.events")
    try_to_log_in(client, "wrong")
    try_to_log_in(client, "wrong", login="nobody@example.org")
    try_to_log_in(client, PASSWORD, login=rosa.email)
    rosa.set_password(ANOTHER)
    rosa.save()
    assert kinds(rosa) == ["failed", "login", "password"]
    assert "Wrong password for an unknown account" in caplog.text
    assert not any(name in caplog.text for name in (rosa.username, rosa.email, "nobody"))


@pytest.mark.slow
def test_a_password_that_is_hashed_anew_is_no_new_one(client, rosa, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    before = rosa.password
    try_to_log_in(client, PASSWORD)
    rosa.refresh_from_db()
    assert rosa.password != before
    assert kinds(rosa) == ["login"]


def test_the_account_shows_the_last_of_its_own(client, rosa, django_user_model):
    AccountEvent.objects.create(user=django_user_model.objects.create_user("pia"), kind="token")
    client.force_login(rosa)
    page = client.get("/account/").content.decode()
    assert "Logged in</dt>" in page
    assert "API token created" not in page


def test_old_ones_are_forgotten(rosa):
    AccountEvent.objects.update(at=timezone.now() - KEPT)
    AccountEvent.objects.create(user=rosa, kind="login")
    forget()
    assert kinds(rosa) == ["login"]


def test_a_superuser_deletes_an_account_and_no_event(client, rosa, django_user_model):
    AccountEvent.objects.create(user=rosa, kind="login")
    client.force_login(django_user_model.objects.create_superuser("root"))
    event = AccountEvent.objects.get(user=rosa)
    assert client.post(f"/admin/accounts/accountevent/{event.pk}/delete/", {"post": "yes"}).status_code == 403
    client.post(f"/admin/accounts/user/{rosa.pk}/delete/", {"post": "yes"})
    assert not django_user_model.objects.filter(pk=rosa.pk).exists()


class TestARequiredSecondFactor:
    @pytest.fixture(autouse=True)
    def required(self, settings, client, rosa):
        settings.REQUIRE_SECOND_FACTOR = True
        client.force_login(rosa)

    def test_leads_to_the_account_until_there_is_one(self, client, rosa):
        assert client.get("/studies/").headers["Location"] == "/account/"
        assert client.get("/studies/", headers={"hx-request": "true"}).headers["HX-Redirect"] == "/account/"
        assert "requires two-factor authentication" in client.get("/account/").content.decode()
        TOTP.activate(rosa, generate_totp_secret())
        assert client.get("/studies/").status_code == 200
        assert "requires two-factor" not in client.get("/account/").content.decode()

    def test_is_no_recovery_code(self, client, rosa):
        RecoveryCodes.activate(rosa)
        assert client.get("/studies/").status_code == 302

    def test_is_asked_for_where_no_login_is(self, client, rosa, django_user_model):
        django_user_model.objects.filter(pk=rosa.pk).update(is_superuser=True)
        for address in ("/metrics", "/invitations/some-token/"):
            assert client.get(address).headers["Location"] == "/account/", address

    def test_is_explained(self, client):
        assert client.get("/docs/accounts/").status_code == 200

    def test_lets_one_log_out_and_read_what_asks_for_no_login(self, client):
        assert client.get("/s/nosuch/").status_code == 404
        assert client.post("/logout/").headers["Location"] == "/login/"
