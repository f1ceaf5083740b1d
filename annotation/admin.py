"""Records for inspection. What changes a study has its own pages; here nothing can be added, changed or deleted."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models
from django.db.models import Model
from django.http import HttpRequest

from annotation.models import (
    Adjudication,
    Annotator,
    Assignment,
    Exclusion,
    Item,
    ItemReport,
    ItemRevision,
    Judgment,
    LabelSource,
    PaymentDecision,
    Revision,
    Sitting,
    Study,
    StudyLink,
)

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Any]
else:
    # Generic in the stubs only.
    Admin = admin.ModelAdmin


class ForReading(Admin):
    """Rows that can be looked at and nothing else."""

    # Counting a large table on every page of it takes longer than reading the page.
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


# What the list of each shows.
RECORDS: dict[type[Model], dict[str, Any]] = {
    Study: {
        "list_display": ("title", "slug", "task_type", "state", "population", "opened_at"),
        "list_filter": ("state", "task_type", "population"),
        # As Django 6.0 does of itself: an address that names no scheme is one of https.
        "formfield_overrides": {models.URLField: {"assume_scheme": "https"}},
    },
    StudyLink: {
        "list_display": ("__str__", "study", "created_at", "expires_at"),
        "list_select_related": ("study",),
    },
    Item: {
        "list_display": ("external_id", "study", "kind", "reference", "target", "counted", "reserved"),
        "list_filter": ("study", "kind"),
        "list_select_related": ("study",),
        "search_fields": ("external_id",),
    },
    ItemRevision: {
        "list_display": ("external_id", "study", "editor", "reason", "at"),
        "list_filter": ("study",),
        "list_select_related": ("study", "editor"),
        "search_fields": ("external_id",),
    },
    Annotator: {
        "list_display": ("external_id", "platform", "profile", "created_at"),
        "list_filter": ("platform",),
        "search_fields": ("external_id",),
    },
    Sitting: {
        "list_display": ("pk", "study", "annotator", "state", "outcome", "payment", "started_at", "finished_at"),
        "list_filter": ("study", "state", "payment"),
        "list_select_related": ("study", "annotator"),
        "search_fields": ("completion_code",),
        # Whose visit it was stands where it is paid for, and nowhere once it is.
        "exclude": ("platform_session", "browser"),
    },
    PaymentDecision: {
        "list_display": ("sitting", "payment", "reason", "bonus", "by", "at"),
        "list_filter": ("payment",),
        "list_select_related": ("sitting__study", "sitting__annotator", "by"),
    },
    LabelSource: {
        "list_display": ("name", "study", "labels", "note", "imported_at"),
        "list_filter": ("study",),
        "list_select_related": ("study",),
    },
    Assignment: {
        "list_display": ("pk", "sitting", "item", "position", "state", "shown_at"),
        "list_filter": ("state",),
        "list_select_related": ("sitting__study", "sitting__annotator", "item"),
    },
    Judgment: {
        "list_display": ("pk", "assignment", "answer", "response_ms", "hidden_ms", "answered_at"),
        "list_select_related": ("assignment__item",),
    },
    Revision: {
        "list_display": ("pk", "judgment", "answer", "answered_at", "replaced_at"),
        "list_select_related": ("judgment",),
    },
    ItemReport: {
        "list_display": ("item", "text", "at"),
        "list_select_related": ("item",),
    },
    Exclusion: {
        "list_display": ("annotator", "study", "rule", "created_at", "lifted_at"),
        "list_filter": ("study", "rule"),
        "list_select_related": ("study", "annotator"),
    },
    Adjudication: {
        "list_display": ("item", "decision", "by", "at", "stands"),
        "list_filter": ("stands",),
        "list_select_related": ("item", "by"),
    },
}
for record, options in RECORDS.items():
    admin.site.register(record, ForReading, **options)
