"""Trainings for inspection; they are started and stopped on their own page."""

from django.contrib import admin

from annotation.admin import ForReading
from training.models import Training


@admin.register(Training)
class TrainingAdmin(ForReading):
    list_display = ("__str__", "state", "step", "steps", "accuracy", "epoch", "model", "created_at", "finished_at")
    list_filter = ("state", "recipe")
    list_select_related = ("model",)
