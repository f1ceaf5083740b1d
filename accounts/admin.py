"""Accounts are made and changed here; what they hold otherwise has pages of its own."""

from typing import TYPE_CHECKING

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from accounts.models import AccountEvent, User

if TYPE_CHECKING:
    from django.http import HttpRequest

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

    def has_delete_permission(self, request: "HttpRequest", obj: AccountEvent | None = None) -> bool:
        return False
