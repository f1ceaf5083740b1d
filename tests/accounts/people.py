"""An account, and what somebody does with it who has no browser at hand."""

import re
from pathlib import Path

from django.test import Client
from django.urls import reverse

from accounts.models import User

PASSWORD = "long-and-dull-1"
ANOTHER = "quite-another-2"
ADDRESS = "rosa@example.org"


def make_rosa() -> User:
    return User.objects.create_user("rosa", email=ADDRESS, password=PASSWORD)


def try_to_log_in(client: Client, password: str, *, login: str = "rosa", **more):
    return client.post(reverse("login"), {"login": login, "password": password}, **more)


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def mails(folder: Path) -> list[str]:
    """What was written into the folder of mails, in order."""
    return [path.read_text() for path in sorted(folder.iterdir())] if folder.exists() else []


def link_in(mail: str) -> str:
    found = re.search(r"https?://[^/\s]+(/\S+)", mail)
    assert found, mail
    return found[1]
