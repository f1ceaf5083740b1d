"""A short text that changes whenever a study's figures could change, so that costly ones are computed once."""

import hashlib
import json

from django.db.models import Count, Max, Q

from annotation.models import Assignment, Judgment, Study
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
