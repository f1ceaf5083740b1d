"""A bot that walks the real pages: it reads the form out of the HTML and posts only fields that are there."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client

# With the space before it.
AHEAD = re.compile(r"\s*<template data-ahead.*?</template>", re.DOTALL)


class FieldMissing(AssertionError):
    """The page has no such field, so no browser could have posted it."""


@dataclass
class Page:
    """What a reader of the HTML can do: the first form that posts, its fields, the texts, the links."""

    status: int
    address: str
    html: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: list[str] = field(default_factory=list)
    # Of radios, buttons and larger texts: what the form can post besides.
    names: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    has_form: bool = False
    text: str = ""

    @property
    def in_sight(self) -> str:
        """The HTML without the item that comes along with the page."""
        return AHEAD.sub("", self.html)

    @property
    def has_item(self) -> bool:
        return "position" in self.fields


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self.in_form = False
        # What a template holds is on the page when a script has put it there.
        self.in_template = False
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "template":
            self.in_template = True
        if self.in_template:
            return
        attributes = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.page.links.append(attributes.get("href", ""))
        if tag == "form" and attributes.get("method") == "post":
            self.in_form = self.page.has_form = True
        if tag == "input" and self.in_form:
            self._input(attributes)
        if tag in ("button", "textarea") and self.in_form and "name" in attributes:
            self.page.names.add(attributes["name"])

    def _input(self, attributes: Mapping[str, str]) -> None:
        name, value = attributes["name"], attributes.get("value", "")
        if attributes["type"] != "radio":
            self.page.fields[name] = value
            return
        self.page.choices.append(value)
        self.page.names.add(name)
        if "checked" in attributes:
            self.page.fields[name] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.in_form = False
        if tag == "template":
            self.in_template = False

    def handle_data(self, data: str) -> None:
        if not self.in_template:
            self.texts.append(data)


def read(response: Any) -> Page:
    """The page of a response of Django's test client."""
    return read_html(response.status_code, response.wsgi_request.get_full_path(), response.content.decode())


def read_html(status: int, address: str, html: str) -> Page:
    page = Page(status, address, html)
    reader = _Reader(page)
    reader.feed(html)
    page.text = " ".join(" ".join(reader.texts).split())
    return page


class Bot:
    """One visitor with a browser of their own (cookies, CSRF checked) who answers by `choose(page)`."""

    def __init__(self, choose: Callable[[Page], str] = lambda page: page.choices[0]) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.choose = choose
        self.page = Page(0, "", "")

    def open(self, address: str) -> Page:
        self.page = self.fetch(address)
        return self.page

    def fetch(self, address: str, data: Mapping[str, Any] | None = None) -> Page:
        """By GET, or by POST where there is something to post; redirects are followed."""
        ask = self.client.get if data is None else self.client.post
        return read(ask(address, data, follow=True))

    def post(self, **values: Any) -> Page:
        """Post the form of the page before the bot, with `values` in its fields."""
        if not self.page.has_form:
            raise FieldMissing(f"{self.page.address} has no form to post.")
        known = {*self.page.fields, *self.page.names}
        if missing := values.keys() - known:
            raise FieldMissing(f"{self.page.address} has no field {', '.join(sorted(missing))}.")
        self.page = self.fetch(self.page.address, {**self.page.fields, **values})
        return self.page

    def begin(self, link: str) -> Page:
        """From the study's link to the first item, or to the page that says why there is none."""
        self.open(link)
        return self.post() if self.page.has_form else self.page

    def answer(self, value: str | None = None) -> Page:
        return self.post(answer=value if value is not None else self.choose(self.page), response_ms="1200")

    def finish(self) -> Page:
        """Answer whatever comes until no item is left."""
        while self.page.has_item:
            self.answer()
        return self.page
