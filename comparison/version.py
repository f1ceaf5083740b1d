"""A short text that changes whenever a study's figures could change, so that costly ones are computed once."""

import hashlib
import json

from django.core.cache import cache
from django.db.models import Count, Max, Q

from annotation.models import Assignment, Judgment, Study
from comparison.findings import Findings, find
from comparison.panel import Panel
from comparison.selection import Selection
from scoring.models import Score

# Raise it when a statistic changes, so that figures remembered by an older program are not shown.
PROGRAM = 5
REMEMBERED_SECONDS = 24 * 3600


def data_version(study: Study) -> str:
    """A hash over what the figures rest on: items, countable labels, the latest answer and change, scores."""
    labels = Assignment.objects.filter(item__study=study).aggregate(
        counted=Count("pk", filter=Q(state=Assignment.State.COUNTED)), ids=Max("pk")
    )
    answers = Judgment.objects.filter(assignment__item__study=study).aggregate(latest=Max("answered_at"))
    excluded = study.exclusions.order_by("pk").values_list("annotator_id", "lifted_at")
    scores = Score.objects.filter(run__study=study).aggregate(scores=Count("pk"), latest=Max("pk"))
    runs = study.runs.order_by("pk").values_list("pk", "state")
    parts = [PROGRAM, study.content_hash, study.population, labels, answers, list(excluded), scores, list(runs)]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:20]


def findings(study: Study, panel: Panel, selection: Selection) -> Findings:
    """The figures of the selected part of a panel, computed once for each state of the data."""
    filters = json.dumps(selection.of_items)
    key = f"findings:{study.pk}:{data_version(study)}:{hashlib.sha256(filters.encode()).hexdigest()[:20]}"
    found = cache.get(key)
    if found is None:
        found = find(panel)
        cache.set(key, found, REMEMBERED_SECONDS)
    assert isinstance(found, Findings)
    return found
