"""Who acts: said once, by whatever lets somebody act, so that every verb knows it and none has to be told.

In a request the user acts (`ActingReader`), in a command the account that runs it (manage.py). Upkeep, which nobody
asks for, acts for itself.
"""

import os
import pwd
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from annotation.audit.deeds import Via
from corpus.formats.apart import reading_for

if TYPE_CHECKING:
    # Commands are acted before Django is set up.
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class Actor:
    """`who` is a user's name or, of who has none, what they are called; `user_pk` is that user's key."""

    via: Via
    who: str = ""
    user_pk: int | None = None
    system_user: str = ""


ITSELF = Actor(Via.ITSELF)
# How to find out who acts. A call, since most requests do nothing that is kept, and need not read who they are of.
_acting: ContextVar[Callable[[], Actor]] = ContextVar("acting", default=lambda: ITSELF)


def current() -> Actor:
    return _acting.get()()


@contextmanager
def acting(found: Callable[[], Actor]) -> Iterator[None]:
    """Within, this is who acts."""
    token = _acting.set(found)
    try:
        yield
    finally:
        _acting.reset(token)


def by_command() -> Actor:
    """Whoever runs this process: by the system's own list of users, since the environment is anybody's to set."""
    try:
        name = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        name = f"uid {os.getuid()}"
    return Actor(Via.COMMAND, f"{name} (command)", system_user=name)


def by_user(user: "User", via: Via) -> Actor:
    return Actor(via, user.get_username(), user.pk)


def asked_by(user: "User | None") -> Callable[[], Actor]:
    """For a worker's task that somebody asked for on a page; None where their account is gone."""
    return lambda: by_user(user, Via.PAGE) if user is not None else ITSELF


class ActingReader:
    """Middleware, behind that which knows the reader: who acts, and for whom files are read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with acting(lambda: _reader(request)), reading_for(lambda: _reader(request).user_pk):
            return self.get_response(request)


def _reader(request: HttpRequest) -> Actor:
    """What lets somebody in without a login, as the API does by a token, says who acts as the request's `actor`."""
    actor: Actor | None = getattr(request, "actor", None)
    if actor is not None:
        return actor
    return by_user(request.user, Via.PAGE) if request.user.is_authenticated else ITSELF
