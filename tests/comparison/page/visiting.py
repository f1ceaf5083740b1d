"""The comparison page as the test client and a browser get it."""

import re

from django.urls import reverse


def open_comparison(page, live_server, study):
    heard = []
    page.on("console", lambda message: heard.append(f"{message.type}: {message.text} {message.location['url']}"))
    page.goto(live_server.url + reverse("comparison", args=[study.slug]))
    page.wait_for_selector("figure.is-drawn svg")
    return heard


def page(client, study, **query):
    return client.get(reverse("comparison", args=[study.slug]), query)


def words(response) -> str:
    """The page's text without tags, spaces run together."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))
