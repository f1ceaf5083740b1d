"""Models, runs and scores for inspection; runs are started and stopped on the study's page."""

from django.contrib import admin

from annotation.admin import ForReading
from scoring.models import Chunk, EndpointCall, LanguageModel, Run, Score, ScoreSource


@admin.register(LanguageModel)
class LanguageModelAdmin(ForReading):
    list_display = (
        "name",
        "key",
        "family",
        "method",
        "is_imported",
        "location",
        "source",
        "revision",
        "dtype",
        "license",
    )
    list_filter = ("family", "is_imported")


@admin.register(Run)
class RunAdmin(ForReading):
    list_display = ("__str__", "study", "state", "total", "scored", "unscored", "created_at", "finished_at")
    list_filter = ("state", "study", "metric")
    list_select_related = ("study", "model")


@admin.register(Chunk)
class ChunkAdmin(ForReading):
    list_display = ("pk", "run", "state", "worker", "attempts", "lease_expires_at")
    list_filter = ("state",)
    list_select_related = ("run__model",)


@admin.register(Score)
class ScoreAdmin(ForReading):
    list_display = ("run", "item", "decision", "strength", "unscored")
    list_select_related = ("run__model", "item")
    list_filter = ("run__metric",)


@admin.register(ScoreSource)
class ScoreSourceAdmin(ForReading):
    list_display = ("run", "name", "note", "imported_by", "imported_at")
    list_select_related = ("run__model", "run__study")


@admin.register(EndpointCall)
class EndpointCallAdmin(ForReading):
    list_display = ("at", "run", "model", "status", "milliseconds", "tokens", "cost", "prompt_sha256")
    list_filter = ("status", "model")
    list_select_related = ("run__model",)
