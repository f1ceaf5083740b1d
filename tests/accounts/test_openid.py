"""Logging in by OpenID: a whole login through a server on the loopback address, and that nothing else is asked."""

import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
import requests
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from accounts.adapters import SIGNUP_KEY, OpenId
from accounts.models import User
from config.accounts import openid_provider, origins
from tests.accounts.issuer import CLIENT, SECRET, Issuer, an_issuer
from tests.accounts.people import ADDRESS, PASSWORD, is_logged_in, make_rosa, try_to_log_in
from tests.browser import PATIENCE, account_menu

pytestmark = pytest.mark.django_db
ROSA = {"sub": "7", "email": ADDRESS, "email_verified": True, "preferred_username": "rosa.l", "name": "Rosa L"}
LOGIN = "/login/openid/"


@pytest.fixture
def issuer(settings):
    with an_issuer() as found:
        found.person = dict(ROSA)
        settings.OPENID_ISSUER, settings.OPENID_ORIGINS = found.url, origins(found.url, [])
        settings.SOCIALACCOUNT_PROVIDERS = openid_provider(
            issuer=found.url, needs_https=False, client=CLIENT, secret=SECRET, name="the lab"
        )
        yield found


class StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object) -> None:
        return None


def led_back(address: str) -> str:
    """What the browser would open after the issuer's page: our own address, with a code."""
    try:
        urllib.request.build_opener(StayHere).open(address, timeout=60)
    except urllib.error.HTTPError as answer:
        parts = urlsplit(answer.headers["Location"])
        return f"{parts.path}?{parts.query}"
    raise AssertionError("the issuer led nowhere")


def go_through(client: Client, *, address: str = LOGIN, next_page: str = ""):
    """From the button to the page that comes in the end."""
    there = client.post(address, {"next": next_page} if next_page else {})
    assert there.status_code == 302, there.content.decode()
    return client.get(led_back(there.headers["Location"]), follow=True)


class TestTheButton:
    def test_is_there_where_an_issuer_is_configured(self, issuer: Issuer):
        assert "Continue with the lab" in Client().get(reverse("login")).content.decode()

    def test_is_not_there_by_default_and_its_addresses_are_not_found(self):
        page = Client().get(reverse("login")).content.decode()
        assert "Continue with" not in page
        for address in (LOGIN, f"{LOGIN}back/"):
            assert Client().post(address).status_code == 404
            assert Client().get(address).status_code == 404


class TestSomebodyWithAnAccount:
    @pytest.mark.slow
    def test_is_found_by_a_confirmed_address_and_joined_for_good(self, issuer: Issuer):
        rosa = make_rosa()
        client = Client()
        assert go_through(client, next_page="/models/").redirect_chain[-1][0] == "/models/"
        assert is_logged_in(client)
        issuer.person["email"] = "moved@example.org"
        again = Client()
        go_through(again)
        assert is_logged_in(again)
        assert User.objects.get() == rosa

    def test_is_not_found_by_an_address_that_the_issuer_has_not_confirmed(self, issuer: Issuer):
        make_rosa()
        issuer.person["email_verified"] = False
        client = Client()
        assert "To create an account you need an invitation" in go_through(client).content.decode()
        assert not is_logged_in(client)

    @pytest.mark.slow
    def test_joins_it_from_the_account_by_hand(self, issuer: Issuer):
        make_rosa()
        issuer.person |= {"email": "other@example.org"}
        client = Client()
        try_to_log_in(client, PASSWORD)
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        page = go_through(client, address=f"{LOGIN}?process=connect")
        assert page.redirect_chain[-1][0] == reverse("socialaccount_connections")
        assert "You can log in with it." in page.content.decode()
        visitor = Client()
        go_through(visitor)
        assert is_logged_in(visitor)

    def test_is_asked_for_the_second_factor_as_well(self, issuer: Issuer):
        from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

        TOTP.activate(make_rosa(), generate_totp_secret())
        client = Client()
        assert go_through(client).redirect_chain[-1][0] == reverse("mfa_authenticate")
        assert not is_logged_in(client)


class TestSomebodyWithout:
    def test_is_turned_away(self, issuer: Issuer):
        client = Client()
        assert "you need an invitation" in go_through(client).content.decode()
        assert not User.objects.exists()

    @pytest.mark.slow
    def test_gets_one_with_an_invitation_open(self, issuer: Issuer):
        client = Client()
        session = client.session
        session[SIGNUP_KEY] = 9e12
        session.save()
        go_through(client)
        assert is_logged_in(client)
        made = User.objects.get()
        assert made.username == "rosa.l"
        assert not made.has_usable_password()


class TestWhatIsAsked:
    @pytest.mark.slow
    def test_is_the_issuer_at_its_own_address(self, issuer: Issuer):
        make_rosa()
        go_through(Client())
        assert issuer.asked == [
            "/.well-known/openid-configuration",
            "/authorize",
            "/.well-known/openid-configuration",
            "/token",
            "/userinfo",
        ]

    @pytest.mark.parametrize("endpoint", ["token_endpoint", "userinfo_endpoint"])
    def test_is_no_other_server_that_it_names(self, issuer: Issuer, endpoint: str):
        """The other one is there, and would answer."""
        make_rosa()
        with an_issuer() as other:
            other.person = dict(ROSA)
            issuer.elsewhere[endpoint] = f"{other.url}/userinfo"
            client = Client()
            assert "The other server could not be reached" in go_through(client).content.decode()
            assert other.asked == []
        assert not is_logged_in(client)

    def test_is_nothing_to_which_it_would_lead_on(self, issuer: Issuer):
        make_rosa()
        issuer.elsewhere["userinfo_endpoint"] = f"{issuer.url}/moved"
        client = Client()
        assert "The other server could not be reached" in go_through(client).content.decode()
        assert issuer.asked[-1] == "/moved"
        assert not is_logged_in(client)

    def test_goes_through_no_proxy_and_reaches_nothing_but_the_issuer(self, issuer: Issuer, monkeypatch):
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
        with OpenId().get_requests_session() as session:
            assert session.get(f"{issuer.url}/.well-known/openid-configuration").json()["issuer"] == issuer.url
            for address in (
                issuer.url.replace("127.0.0.1", "localhost"),
                "http://127.0.0.1:1/",
                "file:///etc/passwd",
                "https://127.0.0.1/",
            ):
                with pytest.raises(requests.exceptions.InvalidSchema):
                    session.get(address)

    def test_that_is_away_is_told_in_words(self, issuer: Issuer, settings):
        settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"]["server_url"] = f"{issuer.url}/gone"
        answer = Client().post(LOGIN)
        assert answer.status_code == 502
        assert "could not be reached" in answer.content.decode()


def test_an_issuer_is_reached_by_https_but_on_ones_own_machine():
    more = {"client": CLIENT, "secret": SECRET, "name": "the lab"}
    assert openid_provider(issuer="http://127.0.0.1:1", needs_https=False, **more)
    for issuer in ("http://id.example.org", "id.example.org", "file:///tmp"):
        with pytest.raises(ImproperlyConfigured, match="OPENID_ISSUER must be an address"):
            openid_provider(issuer=issuer, needs_https=True, **more)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_listed", [True, False])
def test_a_browser_is_led_there_and_back_where_the_policy_names_the_issuer(
    is_listed, issuer: Issuer, settings, open_page, live_server
):
    """The policy refuses to send a form on to anywhere else, which is why config/settings.py lists the issuer."""
    make_rosa()
    listed = ["'self'", *settings.OPENID_ORIGINS] if is_listed else ["'self'"]
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"] | {"form-action": listed}
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": directives}
    context = open_page().context
    # A page of its own, of which nobody minds that it hears of the policy.
    page = context.new_page()
    page.goto(live_server.url + reverse("login"))
    button = page.get_by_role("button", name="Continue with the lab")
    if is_listed:
        button.click()
        account_menu(page).wait_for()
    else:
        with page.expect_console_message(lambda message: "form-action" in message.text, timeout=PATIENCE):
            button.click()
