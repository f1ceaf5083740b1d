"""Who is asked for a login, and how: everyone, everywhere, unless the view says otherwise."""

from urllib.parse import urlencode

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path, reverse

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true", "HX-Current-URL": "http://testserver/studies/small/?show=1#runs"}


def forgotten(request: HttpRequest) -> HttpResponse:
    """A view whose author thought of no login."""
    return HttpResponse("seen")


@login_not_required
def opened(request: HttpRequest) -> HttpResponse:
    return HttpResponse("seen")


urlpatterns = [
    path("forgotten/", forgotten),
    path("opened/", opened),
    path("admin/", admin.site.urls),
    path("", include("config.urls")),
]


@pytest.mark.slow
@pytest.mark.urls(__name__)
def test_a_view_that_says_nothing_asks_for_a_login(client):
    assert client.get("/forgotten/").headers["Location"] == "/login/?next=/forgotten/"
    assert client.post("/forgotten/").status_code == 302
    assert client.get("/opened/").content == b"seen"


@pytest.mark.slow
@pytest.mark.urls(__name__)
def test_whoever_has_logged_in_sees_it(client):
    client.force_login(get_user_model().objects.create_user("rosa"))
    assert client.get("/forgotten/").content == b"seen"


def test_htmx_is_led_to_the_login_and_from_there_back_to_its_page(client):
    """Following a redirect, it would put the login page into the table that it asked for, every two seconds."""
    answer = client.get(reverse("runs", args=["small"]), headers=PART)
    assert answer.status_code == 200
    assert answer.content == b""
    assert answer.headers["HX-Redirect"] == "/login/?" + urlencode({"next": "/studies/small/?show=1#runs"}, safe="/")


def test_htmx_from_a_page_of_another_host_is_not_led_back_there(client):
    answer = client.get(
        reverse("runs", args=["small"]), headers=PART | {"HX-Current-URL": "https://elsewhere.example/x"}
    )
    assert answer.headers["HX-Redirect"] == "/login/?next="


def test_the_login_itself_and_what_is_not_there_are_shown_to_all(client):
    assert client.get(reverse("login")).status_code == 200
    missing = client.get("/nowhere/")
    assert missing.status_code == 404
    assert "Page not found" in missing.content.decode()


def test_a_form_without_its_token_is_refused_in_our_words():
    answer = Client(enforce_csrf_checks=True).post(reverse("login"), {"login": "a"})
    assert answer.status_code == 403
    assert "Request refused" in answer.content.decode()


class TestTheRecords:
    """The admin's own form would know neither limits nor a second factor."""

    def test_ask_by_the_one_login(self, client):
        asked = client.get(reverse("admin:index"), follow=True)
        assert [address for address, _ in asked.redirect_chain] == [
            "/admin/login/?next=/admin/",
            "/login/?next=/admin/",
        ]

    def test_take_no_password_by_themselves(self, client):
        get_user_model().objects.create_superuser("root", password="long-and-dull-3")
        answer = client.post(reverse("admin:login"), {"username": "root", "password": "long-and-dull-3"})
        assert answer.headers["Location"] == "/login/?next=/admin/"
        assert client.get(reverse("admin:index")).status_code == 302

    def test_lead_on_to_the_page_that_was_asked_for_and_to_no_other_host(self, client):
        client.force_login(get_user_model().objects.create_superuser("root"))
        users = reverse("admin:accounts_user_changelist")
        assert client.get(reverse("admin:login"), {"next": users}).headers["Location"] == users
        assert (
            client.get(reverse("admin:login"), {"next": "https://elsewhere.example/"}).headers["Location"] == "/admin/"
        )

    def test_say_that_they_are_for_superusers(self, client):
        client.force_login(get_user_model().objects.create_user("staff", is_staff=True))
        answer = client.get(reverse("admin:index"), follow=True)
        assert answer.status_code == 403
        assert "Only superusers can open Admin." in answer.content.decode()

    def test_change_a_password_where_everybody_does(self, client):
        client.force_login(get_user_model().objects.create_superuser("root", password="long-and-dull-3"))
        assert client.get(reverse("admin:password_change")).headers["Location"] == reverse("account_change_password")


def test_logging_out_twice_does_not_ask_for_a_login_first(client):
    """After it, the browser would be led to the address for logging out, which takes no GET."""
    assert client.post(reverse("logout")).headers["Location"] == reverse("login")


def test_static_files_are_served_to_all(client, settings):
    style = settings.STATIC_ROOT / "test-asking.css"
    style.write_text("body {}")
    try:
        answer = Client().get("/static/test-asking.css")
        assert answer.status_code == 200
        assert b"".join(answer) == b"body {}"
    finally:
        style.unlink()


def test_accounts_are_ours_and_are_kept_in_the_records(client):
    assert get_user_model()._meta.label == "accounts.User"
    client.force_login(get_user_model().objects.create_superuser("root"))
    assert client.get(reverse("admin:accounts_user_changelist")).status_code == 200


def test_a_superuser_takes_a_lost_second_factor_away_and_sees_no_secret_of_it(client):
    rosa = get_user_model().objects.create_user("rosa")
    kept = TOTP.activate(rosa, "JBSWY3DPEHPK3PXP").instance
    client.force_login(get_user_model().objects.create_superuser("root"))
    page = client.get(reverse("admin:mfa_authenticator_change", args=[kept.pk])).content.decode()
    assert "rosa" in page
    assert kept.data["secret"] not in page
    client.post(reverse("admin:mfa_authenticator_delete", args=[kept.pk]), {"post": "yes"})
    assert not Authenticator.objects.exists()
