"""How often a login may go wrong: by account and by address, across processes, and never uncounted."""

import json

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from redis.exceptions import ConnectionError as NoServer

from config.accounts import rate_limits
from tests.accounts.people import ADDRESS, ANOTHER, PASSWORD, is_logged_in, try_to_log_in
from tests.installation import Installation

pytestmark = pytest.mark.django_db
LIMITED = "Too many failed attempts"
MISMATCH = "Wrong name or password"


@pytest.fixture(autouse=True)
def limits(settings):
    settings.ACCOUNT_RATE_LIMITS = rate_limits(per_account=3, per_address=6, invitations=20, sees_addresses=True)
    cache.clear()
    yield
    cache.clear()


def said(answer):
    assert answer.status_code == 200
    return answer.content.decode()


def go_wrong(times, *, login="rosa", **more):
    answers = [said(try_to_log_in(Client(), "wrong", login=login, **more)) for _ in range(times)]
    return answers[-1]


class TestAnAccount:
    def test_is_shut_for_a_while_after_so_many_wrong_passwords_also_for_the_right_one(self, rosa):
        assert MISMATCH in go_wrong(3)
        late = Client()
        assert LIMITED in said(try_to_log_in(late, PASSWORD))
        assert not is_logged_in(late)

    @pytest.mark.slow
    def test_is_one_whether_called_by_its_name_or_by_its_address(self, rosa):
        go_wrong(2)
        assert MISMATCH in go_wrong(1, login=ADDRESS.upper())
        assert LIMITED in go_wrong(1)
        assert LIMITED in go_wrong(1, login=" Rosa ")

    def test_is_one_however_the_host_is_written(self, rosa):
        """A visitor chooses the port of the Host header, and django-allauth's own key begins with it."""
        for port in range(1, 4):
            go_wrong(1, headers={"host": f"localhost:{port}"})
        assert LIMITED in go_wrong(1, headers={"host": "localhost:9"})

    def test_is_one_from_wherever_it_is_tried(self, rosa):
        for number in range(3):
            go_wrong(1, REMOTE_ADDR=f"192.0.2.{number}")
        assert LIMITED in go_wrong(1, REMOTE_ADDR="192.0.2.77")

    def test_of_somebody_else_is_not_touched(self, rosa, django_user_model):
        django_user_model.objects.create_user("carl", password=ANOTHER)
        go_wrong(3)
        client = Client()
        assert try_to_log_in(client, ANOTHER, login="carl").status_code == 302
        assert is_logged_in(client)

    @pytest.mark.slow
    def test_counts_what_went_wrong_and_not_what_went_right(self, rosa):
        for _ in range(5):
            assert try_to_log_in(Client(), PASSWORD).status_code == 302
        assert MISMATCH in go_wrong(3)

    def test_that_is_not_there_is_answered_like_one_that_is(self, rosa):
        there, missing = go_wrong(1), go_wrong(1, login="nobody")
        assert MISMATCH in there
        assert MISMATCH in missing
        go_wrong(2, login="nobody")
        assert LIMITED in go_wrong(1, login="nobody")


class TestAnAddress:
    @pytest.mark.slow
    def test_may_go_wrong_so_often_with_whatever_accounts(self, rosa):
        for number in range(6):
            assert MISMATCH in go_wrong(1, login=f"guess-{number}")
        assert LIMITED in go_wrong(1)
        assert MISMATCH in go_wrong(1, REMOTE_ADDR="192.0.2.7")

    def test_is_the_one_that_the_proxy_wrote(self, rosa, settings):
        settings.ADDRESS_HEADER = "X-Forwarded-For"
        for number in range(6):
            go_wrong(1, login=f"guess-{number}", headers={"X-Forwarded-For": f"198.51.100.{number}, 192.0.2.9"})
        assert LIMITED in go_wrong(1, headers={"X-Forwarded-For": "198.51.100.77, 192.0.2.9"})
        assert MISMATCH in go_wrong(1, headers={"X-Forwarded-For": "192.0.2.10"})

    @pytest.mark.slow
    def test_counts_nothing_where_all_come_from_one_proxy(self, rosa, settings):
        settings.ACCOUNT_RATE_LIMITS = rate_limits(per_account=3, per_address=6, invitations=20, sees_addresses=False)
        settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        for number in range(9):
            assert MISMATCH in go_wrong(1, login=f"guess-{number}")

    @pytest.mark.slow
    def test_that_sends_very_many_is_told_so_with_its_own_status(self, rosa):
        answers = [try_to_log_in(Client(), "wrong", login=f"guess-{number}") for number in range(61)]
        assert answers[-1].status_code == 429
        assert "Too many tries" in answers[-1].content.decode()


class TestAServerThatDoesNotAnswer:
    @pytest.fixture(autouse=True)
    def away(self, monkeypatch):
        def refuse(*args, **more):
            raise NoServer("Connection refused")

        monkeypatch.setattr(cache, "add", refuse, raising=False)

    def test_lets_nobody_in_and_says_so(self, rosa):
        client = Client()
        answer = try_to_log_in(client, PASSWORD)
        assert answer.status_code == 503
        assert answer["Retry-After"] == "60"
        assert "is not responding" in answer.content.decode()
        assert not is_logged_in(client)

    def test_shows_the_login_and_leaves_those_who_are_in(self, rosa):
        client = Client()
        assert client.get(reverse("login")).status_code == 200
        client.force_login(rosa)
        assert is_logged_in(client)

    def test_hides_no_fault_of_another_page(self, rosa, monkeypatch):
        def broken(*args, **more):
            raise NoServer("Connection refused")

        monkeypatch.setattr("researcher.views.library.render", broken)
        client = Client()
        client.force_login(rosa)
        with pytest.raises(NoServer):
            client.get(reverse("models"))


TRY = """
import json, sys, django
django.setup()
from django.test import Client
answers = [Client().post("/login/", {"login": "rosa", "password": "wrong"}) for _ in range(int(sys.argv[1]))]
print(json.dumps(["Too many failed attempts" in one.content.decode() for one in answers]))
"""


@pytest.mark.slow
def test_processes_count_together_in_the_servers_own_cache(tmp_path, valkey_url):
    """The shipped settings, JSON in a real server: three wrong passwords here and two there are five."""
    place = Installation(tmp_path / "var", valkey_url, ALLOWED_HOSTS="testserver")
    # The pages of the shipped settings name their files by what is in them.
    place.call(["collectstatic", "--no-input", "--verbosity", "0"])

    def tried(times):
        return json.loads(place.run("-c", TRY, str(times)).stdout)

    assert tried(3) == [False] * 3
    assert tried(3) == [False, False, True]
