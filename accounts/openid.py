"""Asking the one issuer of OpenID that is configured, and nobody else."""

import logging
from typing import Any

from allauth.socialaccount.providers.openid_connect import views
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from requests import RequestException, Response, Session
from requests.adapters import HTTPAdapter

SECONDS = 10

log = logging.getLogger(__name__)


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


@login_not_required
def log_in(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """django-allauth's, which does not expect that the issuer is away when it asks where to send somebody."""
    try:
        answer: HttpResponseBase = views.login(request, provider_id)
    except RequestException as error:
        log.warning("The issuer of OpenID does not answer as it should: %s", error)
        answer = render(request, "socialaccount/authentication_error.html", status=502)
    return answer
