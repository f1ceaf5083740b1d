"""Tokens: made, shown once, recognized, limited, withdrawn; no cookie is one."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from annotation.access.matrix import Role
from annotation.access.members import give
from api.models import ApiToken, TokenRefused, make_token
from tests.api.asking import Api


def test_without_a_token_nothing_is_said(study):
    answer = Client().get("/api/v1/studies")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == 401


@pytest.mark.slow
def test_a_login_opens_no_address_of_the_api(study, ada, client):
    client.force_login(ada)
    assert client.get("/studies/small/").status_code == 200
    assert client.get("/api/v1/studies").status_code == 401
    assert client.post("/api/v1/studies/small/close").status_code == 401


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer ", "Bearer plx_no", "Basic YTpi", "Bearer \x00", "Bearer é"])
def test_what_is_no_token_opens_nothing(study, client, shown):
    assert client.get("/api/v1/studies", headers={"authorization": shown}).status_code == 401


def test_only_a_hash_of_a_token_is_kept(ada):
    made = make_token(ada, name="laptop", scopes=["score", "read"])
    kept = ApiToken.objects.filter(pk=made.token.pk).values().get()
    assert made.secret.startswith(kept["prefix"])
    assert made.secret not in map(str, kept.values())
    assert kept["scopes"] == ["read", "score"]
    assert ApiToken.objects.with_secret(made.secret) == made.token
    assert ApiToken.objects.with_secret(kept["prefix"]) is None
    assert ApiToken.objects.with_secret(kept["hash"]) is None


@pytest.mark.parametrize(
    ("name", "scopes", "hours"), [("", ["read"], None), ("x", [], None), ("x", ["pay"], None), ("x", ["read"], -1)]
)
def test_what_is_no_token_is_not_made(ada, name, scopes, hours):
    until = None if hours is None else timezone.now() + timedelta(hours=hours)
    with pytest.raises(TokenRefused):
        make_token(ada, name=name, scopes=scopes, expires_at=until)
    assert not ApiToken.objects.exists()


def test_a_token_that_is_withdrawn_or_has_run_out_opens_nothing_and_the_day_of_use_is_kept(api, ada):
    expected = {"name": "test", "user": "ada", "scopes": api.made.token.scopes, "expires_at": None}
    assert api.get("token").json() == expected
    token = ApiToken.objects.get()
    assert token.last_used_on == timezone.now().date()
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert api.get("token").status_code == 401
    ApiToken.objects.update(expires_at=None)
    assert api.get("token").status_code == 200
    token.withdraw()
    assert api.get("token").status_code == 401


def test_the_token_of_somebody_who_may_not_log_in_any_more_opens_nothing(api, ada):
    ada.is_active = False
    ada.save()
    assert api.get("token").status_code == 401


def test_who_asks_too_often_is_told_when_to_come_again(api, ada, settings):
    settings.API_REQUESTS_PER_MINUTE = 5
    statuses = [api.get("token").status_code for _ in range(12)]
    assert statuses[:5] == [200] * 5
    refused = api.get("token")
    # A new minute may have begun meanwhile, once.
    assert statuses.count(429) >= 2
    if refused.status_code == 429:
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert Api(ada).get("token").status_code == 200, "every token is counted by itself"


@pytest.mark.slow
def test_the_page_makes_a_token_and_shows_it_once(ada, client, study):
    client.force_login(ada)
    answer = client.post("/tokens/", {"name": "my laptop", "scopes": ["read", "write"]})
    token = ApiToken.objects.get()
    secret = answer.context["made"].secret
    assert secret in answer.content.decode()
    assert client.get("/api/v1/token", headers={"authorization": f"Bearer {secret}"}).json()["name"] == "my laptop"
    again = client.get("/tokens/").content.decode()
    assert secret not in again
    assert token.prefix in again
    assert client.post("/tokens/", {"name": "", "scopes": []}).status_code == 422
    assert client.post("/tokens/", {"name": "x", "scopes": ["own"]}).status_code == 422
    assert client.post("/tokens/", {"name": "x", "scopes": ["read"], "expires_on": "2020-01-01"}).status_code == 422
    assert ApiToken.objects.count() == 1
    client.post(f"/tokens/{token.pk}/withdraw/")
    assert client.get("/api/v1/token", headers={"authorization": f"Bearer {secret}"}).status_code == 401


def test_nobody_withdraws_the_token_of_somebody_else(ada, client, django_user_model):
    token = make_token(ada, name="x", scopes=["read"]).token
    client.force_login(django_user_model.objects.create_superuser("root"))
    assert client.post(f"/tokens/{token.pk}/withdraw/").status_code == 404
    assert ApiToken.objects.get().is_in_force


def test_the_command_makes_lists_and_withdraws(ada, capsys, client):
    call_command("api_token", "ada", name="script", scope=["read", "score"], until="2100-01-01")
    secret = capsys.readouterr().out.strip()
    shown = {"authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/token", headers=shown).json()["scopes"] == ["read", "score"]
    call_command("api_token", "ada")
    listed = capsys.readouterr().out
    assert secret[:10] in listed
    assert secret not in listed
    call_command("api_token", "ada", withdraw=secret[:10])
    assert client.get("/api/v1/token", headers={"authorization": f"Bearer {secret}"}).status_code == 401
    for wrong in ({"name": "x", "until": "soon"}, {"withdraw": "plx_"}, {"name": "x", "until": "2020-01-01"}):
        with pytest.raises(CommandError):
            call_command("api_token", "ada", **wrong)
    with pytest.raises(CommandError, match="No account named"):
        call_command("api_token", "nobody", name="x")


def test_a_token_may_what_its_user_may_and_its_scopes_let_through(study, ada, django_user_model):
    reads = Api(ada, "read")
    assert reads.get("studies/small").status_code == 200
    refused = reads.post("studies/small/close")
    assert refused.status_code == 403
    assert "collect" in refused.json()["title"]
    analyst = django_user_model.objects.create_user("bo")
    assert Api(analyst).get("studies/small").status_code == 404
    give(study, analyst, Role.ANALYST)
    assert Api(analyst).get("studies/small").status_code == 200
    refused = Api(analyst).post("studies/small/close")
    assert refused.status_code == 403
    assert "you cannot collect labels" in refused.json()["title"]
    study.refresh_from_db()
    assert study.state == "open"


def test_a_new_password_ends_all_tokens(ada):
    caller = Api(ada)
    assert caller.get("token").status_code == 200
    ada.set_password("quite-another-2")
    ada.save()
    assert caller.get("token").status_code == 401


def test_a_token_is_made_once_the_password_was_given_again_and_ends_in_a_year(ada, client):
    ada.set_password("long-and-dull-1")
    ada.save()
    client.force_login(ada)
    ends = client.get("/tokens/").context["form"]["expires_on"].value()
    answer = client.post("/tokens/", {"name": "x", "scopes": ["read"], "expires_on": ends})
    assert answer.headers["Location"].startswith("/login/again/")
    assert "Confirm it is you" in client.get(answer.headers["Location"]).content.decode()
    assert not ApiToken.objects.exists()
    made = client.post(answer.headers["Location"], {"password": "long-and-dull-1"})
    assert made.context["made"].secret in made.content.decode()
    year = timezone.now() + timedelta(days=365)
    assert ApiToken.objects.filter(expires_at__range=(year - timedelta(days=2), year + timedelta(days=2))).count() == 1
