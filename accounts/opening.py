"""Who may make an account by themselves: a browser that has opened an invitation, for a while, and nobody else."""

import time

from django.http import HttpRequest

KEY = "may_make_an_account_until"
SECONDS = 1800


def let_make_account(request: HttpRequest) -> None:
    request.session[KEY] = time.time() + SECONDS


def may_make_account(request: HttpRequest) -> bool:
    return bool(request.session.get(KEY, 0) > time.time())
