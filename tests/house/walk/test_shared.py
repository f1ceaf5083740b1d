"""Who holds the link of a share: what they see of the study, of people, and of everything else."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve

from accounts.models import User
from annotation.access.sharing import make_share
from comparison.exports.registry import SHARED
from researcher.views.comparison import PARTS
from tests.house.walk.cast import FOREIGN, PLANTED, Cast, found_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

WITHIN = {"shared", "shared_part", "shared_file"}


@pytest.fixture
def link(cast: Cast):
    with transaction.atomic():
        by = User.objects.get(username="owner-of-walk")
        _, token = make_share(cast.study, name="for readers", gives_files=True, by=by)
        yield f"/shared/{token}/"
        transaction.set_rollback(True)


def bodies(link: str) -> dict[str, bytes]:
    """Every page and file of the share, by its address."""
    found = {}
    addresses = [link, *(f"{link}{part}/" for part in PARTS), *(f"{link}{what}.csv" for what in SHARED)]
    for address in (*addresses, f"{link}?anonymous=", f"{link}people/?assessors=a1&anonymous=", f"{link}items/?page=1"):
        answer = Client().get(address)
        assert answer.status_code == 200, address
        found[address] = answer.getvalue()
    return found


def test_nothing_says_who_somebody_is_and_nothing_is_of_another_study(link):
    found = [
        f"{word}: {address}"
        for address, body in bodies(link).items()
        for word in found_in(body, {*PLANTED.values(), FOREIGN})
    ]
    assert not found, "\n".join(found)


def test_every_link_stays_within(cast, link):
    leading = 0
    for address, body in bodies(link).items():
        for href in re.findall(r'(?:href|action|hx-\w+|formaction|xlink:href)="([^"]*)"', body.decode()):
            path = urlsplit(unescape(href)).path
            assert not urlsplit(href).netloc, (address, href)
            if path and not path.startswith("/static/"):
                assert resolve(path).url_name in WITHIN, (address, href)
                assert path.startswith(link), (address, href)
                leading += 1
    assert leading > len(PARTS)


def test_the_holder_is_nobody_everywhere_else(cast, link):
    holder = Client()
    assert holder.get(link).status_code == 200
    for _, address in cast.addresses:
        for answer in (holder.get(address), holder.post(address)):
            to_login = answer.status_code == 302 and answer.headers["Location"].startswith("/login/")
            assert to_login or answer.status_code == 405, address
