"""What a server sends and believes: pages compressed, and a proxy's word only where a proxy is said to be."""

import gzip
import json
import os

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from tests import forked
from tests.studies import open_small_study, owning, plausibility_rows

ACCEPTS = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.fixture
def researcher(db):
    client, user = Client(), get_user_model().objects.create_user("researcher")
    client.force_login(user)
    with owning(user):
        yield client


@pytest.mark.slow
def test_a_page_is_compressed_for_a_browser_that_asks(researcher, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(3))
    address = reverse("study", args=[study.slug])
    plain, packed = researcher.get(address), researcher.get(address, headers=ACCEPTS)
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert study.title in gzip.decompress(packed.content).decode()
    assert len(packed.content) < len(plain.content) / 2
    assert int(packed["Content-Length"]) == len(packed.content)


@pytest.mark.slow
def test_a_download_is_still_streamed_and_says_the_same(researcher, tmp_path):
    study = open_small_study(tmp_path, plausibility_rows(40))
    address = reverse("export", args=[study.slug, "items"])
    plain, packed = researcher.get(address), researcher.get(address, headers=ACCEPTS)
    assert packed.streaming
    assert "Content-Length" not in packed
    assert packed["Content-Disposition"] == plain["Content-Disposition"]
    assert gzip.decompress(packed.getvalue()) == plain.getvalue()


def test_static_files_come_from_before_the_compression():
    """WhiteNoise sends the form that collectstatic has compressed; nothing compresses it at each request."""
    order = [name.rpartition(".")[2] for name in settings.MIDDLEWARE if name.endswith("Middleware")]
    assert order[:3] == ["SecurityMiddleware", "WhiteNoiseMiddleware", "GZipMiddleware"]


CHECK = """
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
call_command("check", deploy=True, fail_level="WARNING")
from django.test import Client
file = Client().get("/static/own.css", secure=True, headers={"Host": "localhost"})
origins = file.get("Access-Control-Allow-Origin")
print(settings.SESSION_COOKIE_NAME, settings.SESSION_COOKIE_AGE, file.status_code, origins)
"""


@pytest.mark.slow
def test_a_server_that_is_set_up_fully_passes_djangos_check_and_gives_other_sites_nothing(tmp_path):
    env = os.environ | {
        "PARALLAX_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings", "PARALLAX_LOCAL": "0",
        "SECRET_KEY": "".join(map(chr, range(33, 97))), "HSTS_SUBDOMAINS": "1", "SESSION_HOURS": "12",
    }  # fmt: skip
    (tmp_path / "staticfiles").mkdir()
    (tmp_path / "staticfiles" / "own.css").touch()
    done = forked.run("-c", CHECK, env=env)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"__Host-sessionid {12 * 3600} 200 None"


ASK = """
import json, django
django.setup()
from django.test import Client
host = {"Host": "localhost"}
answers = [Client().get("/login/", headers=one) for one in (host | {"X-Forwarded-Proto": "https"}, host)]
print(json.dumps([[answer.status_code, answer.get("Location")] for answer in answers]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("proxy", "believed"), [(None, 301), ("0", 301), ("1", 200)])
def test_the_header_of_a_proxy_is_believed_only_where_there_is_one(tmp_path, proxy, believed):
    env = os.environ | {
        "PARALLAX_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PARALLAX_LOCAL": "0",
    }
    env |= {"HTTPS_BEHIND_PROXY": proxy} if proxy else {}
    asked = forked.run("-c", ASK, env=env)
    assert asked.returncode == 0, asked.stderr
    with_header, without = json.loads(asked.stdout)
    assert with_header[0] == believed
    assert without == [301, "https://localhost/login/"]


@pytest.mark.slow
def test_a_place_that_cannot_be_made_is_said_in_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    env = os.environ | {"PARALLAX_VAR": str(tmp_path / "file" / "var"), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = forked.run("-c", "import manage; manage.main()", "doctor", env=env)
    assert done.returncode == 1
    assert done.stderr == f"PARALLAX_VAR, {tmp_path}/file/var, is not there and cannot be made: Not a directory.\n"
