"""One visitor's browser: 128 random bits of ours in a signed cookie, and nothing that the browser says of itself."""

import hashlib
import secrets
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

COOKIE = "annotator"
SALT = "annotation.annotator"
COOKIE_SECONDS = 365 * 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Browser:
    secret: str

    @property
    def key(self) -> str:
        """What a sitting keeps of it: whoever reads the database cannot make the cookie of it."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def remember(self, response: HttpResponseBase) -> None:
        response.set_signed_cookie(
            COOKIE,
            self.secret,
            salt=SALT,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


def known_browser(request: HttpRequest) -> Browser | None:
    """The browser that was here before; a cookie that we have not signed is none."""
    secret = request.get_signed_cookie(COOKIE, default=None, salt=SALT, max_age=COOKIE_SECONDS)
    return Browser(secret) if secret else None


def browser_of(request: HttpRequest) -> Browser:
    return known_browser(request) or Browser(secrets.token_urlsafe(16))
