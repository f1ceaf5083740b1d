"""Who may see what without logging in: everything that is not on this short list asks for a login."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import IntConverter, UUIDConverter

# Names of addresses that anyone may open: the login itself, and the annotator's own pages.
# (Logging out without being logged in leads to the login like everything else.)
OPEN = {"login", "welcome", "item", "back"}


def patterns(resolver: URLResolver, prefix: str = "/") -> Iterator[tuple[str, str]]:
    """(name, an address with made-up values) of every address below `resolver`, the admin's excepted."""
    for entry in resolver.url_patterns:
        address = prefix + filled(entry)
        if isinstance(entry, URLPattern):
            yield entry.name or address, address
        elif entry.app_name != "admin":
            yield from patterns(entry, address)


def filled(entry: URLPattern | URLResolver) -> str:
    route = str(entry.pattern)
    for name, converter in entry.pattern.converters.items():
        written = next(part for part in route.split("<") if part.split(">")[0].split(":")[-1] == name)
        route = route.replace(f"<{written.split('>')[0]}>", made_up(converter))
    return route


def made_up(converter: object) -> str:
    if isinstance(converter, UUIDConverter):
        return "00000000-0000-4000-8000-000000000000"
    return "1" if isinstance(converter, IntConverter) else "x"


def asks_for_login(client: Client, address: str) -> bool:
    answers = [client.get(address), client.post(address)]
    return all(
        answer.status_code == 302 and urlsplit(answer.headers["Location"]).path == "/login/"
        for answer in answers
        if answer.status_code != 405
    )


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "address"), sorted(patterns(get_resolver())))
def test_an_address_asks_for_a_login_unless_it_is_on_the_list(name, address, client):
    assert asks_for_login(client, address) == (name not in OPEN)


@pytest.mark.django_db
def test_the_admin_asks_for_a_login(client):
    answer = client.get("/admin/")
    assert answer.status_code == 302
    assert "login" in answer.headers["Location"]
