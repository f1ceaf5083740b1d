"""deploy/ follows the code: a worker for each queue, sizes, no secret in the proxy's log."""

import os
import re
import shutil
import ssl
import subprocess

import pytest
from django.conf import settings
from django.urls import URLPattern, get_resolver
from django.urls.resolvers import URLResolver

from config.local.__main__ import YIELDING
from tests.house.sources import ROOT
from work.queues import Queue

ANALYZE = shutil.which("systemd-analyze") or ""
DEPLOY = ROOT / "deploy"
COMPOSE = (DEPLOY / "compose.yaml").read_text()
NGINX = (DEPLOY / "nginx.conf.template").read_text()
# Parts of an address by which alone a page opens for those who know it.
SECRET = re.compile(r"<(?:slug|str):token>|<uidb36>|account/email/<str:key>")


def addresses(resolver: URLResolver, before: str = ""):
    for one in resolver.url_patterns:
        here = before + str(one.pattern)
        if isinstance(one, URLPattern):
            yield here
        else:
            yield from addresses(one, here)


def test_each_queue_has_a_worker():
    target = (DEPLOY / "systemd/parallax.target").read_text()
    assert set(re.findall(r"parallax-worker@(\w+)\.service", target)) == set(Queue)
    assert set(re.findall(r"^  (\w+):\n    <<: \*worker$", COMPOSE, re.MULTILINE)) == set(Queue)
    assert set(re.findall(r'"--queues", "(\w+)"', COMPOSE)) == set(Queue)


def test_work_of_hours_yields():
    niced = {path.parent.name.split("@")[1].split(".")[0] for path in DEPLOY.glob("systemd/*.d/nice.conf")}
    assert niced == set(YIELDING) == set(re.findall(r'"nice", .*"--queues", "(\w+)"', COMPOSE))


def test_nginx_takes_what_parallax_takes():
    most = max(int(size) for size in re.findall(r"client_max_body_size (\d+)m", NGINX)) * 1024 * 1024
    assert most > settings.MODEL_UPLOAD_MOST_BYTES
    assert most > settings.UPLOAD_MOST_BYTES


def test_nginx_speaks_tls_with_strong_ciphers_and_does_not_say_its_version():
    [named] = re.findall(r"ssl_ciphers (\S+);", NGINX)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers(named)
    assert [one["name"] for one in context.get_ciphers() if not one["aead"] or one["strength_bits"] < 128] == []
    assert NGINX.count("server_tokens off;") == NGINX.count("server {")


def test_no_secret_of_an_address_is_logged():
    [pattern] = re.findall(r"~(\^.+) \$first/\.\.\.;$", NGINX, re.MULTILINE)
    cut = re.compile(pattern.replace("?<first>", "?P<first>"))
    secret = [address for address in addresses(get_resolver()) if SECRET.search(address)]
    assert len(secret) > 7
    assert [one for one in secret if not (told := cut.match(f"/{one}")) or SECRET.search(told["first"])] == []


def test_commands_have_the_environment_and_the_account_of_the_processes():
    manage = (DEPLOY / "manage").read_text()
    assert os.access(DEPLOY / "manage", os.X_OK)
    subprocess.run(["sh", "-n", DEPLOY / "manage"], check=True)
    for unit in (DEPLOY / "systemd").glob("*.service"):
        said = dict(re.findall(r"^(User|WorkingDirectory|EnvironmentFile)=(.+)$", unit.read_text(), re.MULTILINE))
        assert f"runuser -u {said['User']} -- {said['WorkingDirectory']}/.venv/bin/python" in manage
        assert f"\n. {said['EnvironmentFile']}\n" in manage


@pytest.mark.skipif(not ANALYZE, reason="systemd-analyze is not installed.")
def test_systemd_reads_the_units(tmp_path):
    for unit in (DEPLOY / "systemd").glob("*.*"):
        if unit.is_file():
            # What the units start is not here.
            text = re.sub(r"/opt/parallax/\.venv/bin/\w+", "/bin/true", unit.read_text())
            (tmp_path / unit.name).write_text(text.replace("/opt/parallax", str(tmp_path)))
    said = subprocess.run(
        [ANALYZE, "verify", *sorted(tmp_path.glob("*.service")), tmp_path / "parallax.target"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in said.stderr.splitlines() if str(tmp_path) in line] == []
