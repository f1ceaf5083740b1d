"""Pages ask for a login unless their view says otherwise, are stored nowhere, and no attempt to log in is uncounted."""

import logging
from collections.abc import Callable
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

# Recovery codes alone are asked for at no login.
FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
# They ask for no login, and show or give more to those who have one.
ALSO_FOR_MEMBERS = ("invitation", "metrics")


class AskForLogin(LoginRequiredMiddleware):
    """Django's, but for htmx: it would follow a redirect and put the login page into the part that it asked for."""

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., Any], view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        redirect = super().process_view(request, view_func, view_args, view_kwargs)
        htmx = request.htmx  # type: ignore[attr-defined]
        if redirect is None or not htmx:
            return redirect
        # Back to the page that the part belongs to, not to the part.
        page = htmx.current_url_abs_path or ""
        login = redirect_to_login(page, self.get_login_url(view_func), self.get_redirect_field_name(view_func))
        return HttpResponseClientRedirect(login.url)


class AskForSecondFactor:
    """Where the installation requires one, a person who has none is led to their account until they have."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., Any], view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        if not settings.REQUIRE_SECOND_FACTOR or not request.user.is_authenticated:
            return None
        if not is_for_members(request, view_func) or is_mfa_enabled(request.user, FACTORS):
            return None
        account = reverse("account")
        return HttpResponseClientRedirect(account) if request.htmx else redirect(account)  # type: ignore[attr-defined]


def is_for_members(request: HttpRequest, view_func: Callable[..., Any]) -> bool:
    """Whether the page is for those who are logged in, and no page of accounts or of the docs."""
    match = request.resolver_match
    name = match.view_name if match else ""
    if name in ALSO_FOR_MEMBERS:
        return True
    of_accounts = view_func.__module__.startswith(("allauth.", "accounts.views"))
    return getattr(view_func, "login_required", True) and not of_accounts and not name.startswith("docs")


class NotStored:
    """Nothing that is a person's or a study's is kept by a proxy or on a disk: pages and files, unless a view says."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = self.get_response(request)
        if not answer.has_header("Cache-Control"):
            answer["Cache-Control"] = "private, no-store"
        return answer


class NobodyUncounted:
    """Where the cache's server does not answer, attempts cannot be counted: nobody logs in until it does.

    To let them in uncounted would invite whoever can bring that server down. Those who are logged in go on.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        match = request.resolver_match
        if not isinstance(exception, RedisError) or match is None or not match.func.__module__.startswith("allauth."):
            return None
        log.warning("Nobody can log in: the cache's server does not answer (%s)", exception)
        answer = render(request, "account/uncounted.html", status=503)
        answer["Retry-After"] = "60"
        return answer
