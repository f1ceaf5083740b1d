"""What an operator's programs ask: whether this process lives, whether all is there, and what was counted."""

import secrets

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from work.watching.health import read_faults
from work.watching.metrics import as_text


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers; it asks nothing of anybody."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@login_not_required
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    faults = read_faults()
    found = {name: fault or "ok" for name, fault in faults.items()}
    return JsonResponse({"ready": not any(faults.values()), **found}, status=503 if any(faults.values()) else 200)


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For programs with METRICS_TOKEN, and for superusers."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    has_token = bool(settings.METRICS_TOKEN) and secrets.compare_digest(token.encode(), settings.METRICS_TOKEN.encode())
    if not has_token and not request.user.is_superuser:
        raise PermissionDenied("Metrics need the token METRICS_TOKEN, or a superuser.")
    return HttpResponse(as_text(), content_type=CONTENT_TYPE_LATEST)
