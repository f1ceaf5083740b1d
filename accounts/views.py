"""An account on one page, and what is said where something would need mail and none is configured."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.middleware import FACTORS
from accounts.models import User

SHOWN_EVENTS = 10
View = Callable[..., HttpResponseBase]


@never_cache
@require_safe
def your_account(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)
    kept = {one.type: one.wrap() for one in Authenticator.objects.filter(user=user).order_by("pk")}
    codes = kept.get(Authenticator.Type.RECOVERY_CODES)
    context = {
        "address": EmailAddress.objects.filter(user=user, email=user.email).first(),
        "has_password": user.has_usable_password(),
        "app": kept.get(Authenticator.Type.TOTP),
        "passkeys": list(Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN).order_by("pk")),
        "codes_left": len(codes.get_unused_codes()) if codes else None,
        "sessions": UserSession.objects.purge_and_list(user),
        "openid": [one.get_provider_account() for one in SocialAccount.objects.filter(user=user)],
        "has_openid": bool(settings.OPENID_ISSUER),
        "needs_factor": settings.REQUIRE_SECOND_FACTOR and not is_mfa_enabled(user, FACTORS),
        "events": user.events.all()[:SHOWN_EVENTS],
    }
    return render(request, "account/account.html", context)


def needs_mail(view: View) -> View:
    """The view, or, where no mail is configured, a page that says so and who can help."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if settings.SENDS_MAIL:
            return view(request, *args, **kwargs)
        status = 200 if request.method in ("GET", "HEAD") else 409
        return render(request, "account/without_mail.html", {"contact": settings.CONTACT}, status=status)

    return shown
