"""Where Parallax differs from what django-allauth does by itself.

Each class is named in config/settings.py. What is overridden: from where somebody comes, under which key wrong
passwords are counted, how long a password may be, how a second factor is kept, and that an issuer of OpenID is asked at
its own address alone.
"""

import base64
import hashlib
import logging
import secrets
import time
from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.openid_connect import views
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.encoding import force_bytes
from requests import RequestException, Response, Session
from requests.adapters import HTTPAdapter

from accounts.addresses import visitor_address
from accounts.models import User

SIGNUP_KEY = "may_make_an_account_until"
SIGNUP_SECONDS = 1800

NAME = "Parallax"
# What stands for an address that cannot be known. Nothing is counted by it (config/accounts.py).
NOWHERE = "0.0.0.0"  # noqa: S104 no socket is bound to it
MISMATCH = "Wrong name or password. Passwords are case-sensitive."
log = logging.getLogger(__name__)


class Accounts(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": MISMATCH,
        "email_password_mismatch": MISMATCH,
        "too_many_login_attempts": (
            "Too many failed attempts for this account or from your network. Try again in 15 minutes."
        ),
        "incorrect_password": "Wrong password.",
        "email_taken": "Another account uses this email address.",
        "rate_limited": "Too many failed attempts. Try again in 15 minutes.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_make_account(request)

    def get_client_ip(self, request: HttpRequest) -> str:
        return str(visitor_address(request) or NOWHERE)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """One count for an account, whether it is called by its name or its address, and however the host is written.

        django-allauth's own key begins with the Host header, of which a visitor chooses the port.
        """
        user = find_account(credentials)
        return f"account {user.pk}" if user else f"unknown {_login_in(credentials).casefold()}"

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **more: Any
    ) -> None:
        """What is said after the fact, but for what the next page shows anyway: who has logged in, and who out."""
        if message_template not in ("account/messages/logged_in.txt", "account/messages/logged_out.txt"):
            super().add_message(request, level, message_template, *args, **more)


class SecondFactors(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "Wrong or already used code. Enter the one shown now."
    }

    def _get_site_name(self) -> str:
        return NAME

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002 django-allauth's own name
        number = user.authenticator_set.filter(type=type).count() + 1
        return "Passkey" if number == 1 else f"Passkey {number}"

    def encrypt(self, text: str) -> str:
        """Whoever reads the database alone, or a copy of it, has nobody's second factor."""
        return _keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _keys().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            log.warning("A second factor cannot be read: SECRET_KEY is not the one that it was kept with.")
            # No code is right for what nobody knows.
            return base64.b32encode(secrets.token_bytes(20)).decode()


class LongestPassword:
    """Among the validators of passwords. A pass phrase fits; a text of megabytes is not hashed."""

    MOST = 128

    def validate(self, password: str, user: User | None = None) -> None:
        if len(password) > self.MOST:
            raise ValidationError(f"This password is too long. It must contain at most {self.MOST} characters.")

    def get_help_text(self) -> str:
        return f"Your password can have up to {self.MOST} characters."


def find_account(credentials: Mapping[str, Any]) -> User | None:
    """The account that somebody tries to log in to, by its name or its address."""
    login = _login_in(credentials)
    return User.objects.filter(Q(username__iexact=login) | Q(email__iexact=login)).order_by("pk").first()


def _login_in(credentials: Mapping[str, Any]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "").strip()


def _keys() -> MultiFernet:
    return MultiFernet([_key(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret: str | bytes) -> Fernet:
    digest = hashlib.sha256(b"accounts.second-factor:" + force_bytes(secret)).digest()
    return Fernet(base64.urlsafe_b64encode(digest))


class ToTheIssuer(Session):
    """Reaches the issuer's origins (settings.OPENID_ORIGINS) and nothing else: no other host, no redirect, no proxy."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        self.adapters.clear()
        for origin in settings.OPENID_ORIGINS:
            self.mount(f"{origin}/", HTTPAdapter())

    def request(self, method: str, url: str, *args: Any, **more: Any) -> Response:  # type: ignore[override]
        return super().request(method, url, *args, **more | {"allow_redirects": False, "timeout": SECONDS})


class OpenId(DefaultSocialAccountAdapter):
    def list_apps(self, request: HttpRequest, provider: Any = None, client_id: Any = None) -> list[Any]:
        """Those of the settings. The database could be written by a page."""
        return [app for app in super().list_apps(request, provider, client_id) if app.pk is None]

    def get_requests_session(self) -> ToTheIssuer:
        return ToTheIssuer()


def let_make_account(request: HttpRequest) -> None:
    """Who may make an account by themselves: a browser that has opened an invitation, for a while, and nobody else."""
    request.session[SIGNUP_KEY] = time.time() + SIGNUP_SECONDS


def may_make_account(request: HttpRequest) -> bool:
    return bool(request.session.get(SIGNUP_KEY, 0) > time.time())


SECONDS = 10


@login_not_required
def log_in(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """django-allauth's, which does not expect that the issuer is away when it asks where to send somebody."""
    try:
        answer: HttpResponseBase = views.login(request, provider_id)
    except RequestException as error:
        log.warning("The issuer of OpenID does not answer as it should: %s", error)
        answer = render(request, "socialaccount/authentication_error.html", status=502)
    return answer
