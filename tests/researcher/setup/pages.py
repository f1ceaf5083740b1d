"""The pages of a study's setup, as tests open them and send them back."""

from html import unescape

from django.test import Client
from django.urls import reverse

from annotation.models import Study


def at(study: Study, part: str = "", *more: object) -> str:
    base = reverse("setup", args=[study.slug])
    return base + "".join(f"{one}/" for one in (part, *more) if one)


def seen(client: Client, address: str) -> str:
    return str(client.get(address).context["form"]["seen"].value())


def post(client: Client, address: str, **values: object):
    return client.post(address, {"seen": seen(client, address), **values})


def text(answer) -> str:
    return unescape(answer.content.decode())


def stored(study: Study) -> Study:
    study.refresh_from_db()
    return study
