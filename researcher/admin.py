"""Jobs for inspection; they are stopped and started again on their own pages."""

from django.contrib import admin

from annotation.admin import ForReading
from researcher.models import Job


@admin.register(Job)
class JobAdmin(ForReading):
    list_display = ("__str__", "owner", "study", "state", "step", "created_at", "finished_at")
    list_filter = ("state", "kind")
    list_select_related = ("owner", "study")
