"""The records of the installation, for superusers alone: they are of all studies, with everybody's ids and codes."""

from typing import TYPE_CHECKING, Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.auth.decorators import login_not_required
from django.utils.decorators import method_decorator

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


class RecordsSite(AdminSite):
    def has_permission(self, request: "HttpRequest") -> bool:
        """Staff who are no superuser have no business here: roles are given by study."""
        return bool(request.user.is_active and request.user.is_superuser)

    @method_decorator(login_not_required)
    def login(self, request: "HttpRequest", extra_context: dict[str, Any] | None = None) -> "HttpResponse":
        """By the one login of the site: the admin's own would know no limits and no second factor."""
        # Django loads this file before its apps are there.
        from django.contrib.auth.views import redirect_to_login
        from django.core.exceptions import PermissionDenied
        from django.shortcuts import redirect
        from django.urls import reverse
        from django.utils.http import url_has_allowed_host_and_scheme

        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied("Only superusers can open Admin.")
        there = request.GET.get("next", "")
        if not url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure()):
            there = reverse("admin:index")
        return redirect(there) if request.user.is_authenticated else redirect_to_login(there)

    def password_change(  # type: ignore[override]
        self, request: "HttpRequest", extra_context: dict[str, Any] | None = None
    ) -> "HttpResponse":
        from django.shortcuts import redirect

        return redirect("account_change_password")


class RecordsConfig(AdminConfig):
    default_site = "accounts.records.RecordsSite"
