"""The records of the installation, for superusers alone: they are of all studies, with everybody's ids and codes."""

from typing import TYPE_CHECKING

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig

if TYPE_CHECKING:
    from django.http import HttpRequest


class RecordsSite(AdminSite):
    def has_permission(self, request: "HttpRequest") -> bool:
        """Staff who are no superuser have no business here: roles are given by study."""
        return bool(request.user.is_active and request.user.is_superuser)


class RecordsConfig(AdminConfig):
    default_site = "accounts.records.RecordsSite"
