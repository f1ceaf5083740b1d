"""Accounts are made and changed here; what they hold otherwise has pages of its own."""

from typing import TYPE_CHECKING, Any

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied

from accounts.models import AccountEvent, User

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    Admin = admin.ModelAdmin[Authenticator]
    Events = admin.ModelAdmin[AccountEvent]
else:
    # Generic in the stubs only.
    Admin = Events = admin.ModelAdmin

admin.site.register(User, UserAdmin)
# Whom OpenID is asked of stands in the environment, and tokens are not kept.
admin.site.unregister([SocialApp, SocialToken, Authenticator])


@admin.register(Authenticator)
class AuthenticatorAdmin(Admin):
    """To take a second factor away from somebody who has lost it. Its secret is shown to nobody."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__username",)
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: "HttpRequest") -> bool:
        return False


@admin.register(AccountEvent)
class AccountEventAdmin(Events):
    list_display = ("at", "user", "kind")
    list_filter = ("kind",)
    search_fields = ("user__username",)
    fields = readonly_fields = ("at", "user", "kind")

    def has_add_permission(self, request: "HttpRequest") -> bool:
        return False

    def get_actions(self, request: "HttpRequest") -> dict[str, Any]:
        """None: an event goes with its account, or when it is old."""
        return {}

    def delete_view(self, request: "HttpRequest", object_id: str, extra_context: Any = None) -> "HttpResponse":
        raise PermissionDenied("Events are not deleted by hand.")
