"""Asking the API as a program does: with a token, and JSON."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client

from accounts.models import User
from api.models import make_token
from api.scopes import Scope

ALL = [scope.value for scope in Scope]


class Api:
    """A token of that user; without scopes, of all."""

    def __init__(self, user: User, *scopes: str) -> None:
        self.client = Client(raise_request_exception=False)
        self.made = make_token(user, name="test", scopes=list(scopes) or ALL)

    def ask(self, method: str, address: str, body: Any = None, **headers: str) -> Any:
        """The answer to a request for `/api/v1/ADDRESS`."""
        data = json.dumps(body) if body is not None else ""
        # Without these, Django's client would send an empty form.
        sent = {} if method in ("get", "head") else {"data": data, "content_type": "application/json"}
        headers = {"authorization": f"Bearer {self.made.secret}", **headers}
        return getattr(self.client, method)(f"/api/v1/{address}", headers=headers, **sent)

    def get(self, address: str, **headers: str) -> Any:
        return self.ask("get", address, **headers)

    def post(self, address: str, body: Any = None, **headers: str) -> Any:
        return self.ask("post", address, body, **headers)


@contextmanager
def in_this_process() -> Iterator[Any]:
    """The whole application on the test's connection, which would be closed behind a request; Django's client knows."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield get_wsgi_application()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def content_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content
