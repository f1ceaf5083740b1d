"""The page for administrators: what runs, waits and failed, where, since when."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from corpus.errors import counted
from researcher.models import Job
from researcher.views.study_of import user_of
from scoring.models import LIVE, Chunk, Run
from scoring.runs.taking import waits_of
from scoring.scoring_workers import ScoringWorker
from training.models import Training
from training.visible import trainings_for
from work.leases import Leased
from work.models import Errand
from work.queue import leased_models
from work.queues import Queue
from work.watching.health import NEEDED, beats, read_faults
from work.watching.metrics import read_waiting

# Of each kind, the latest.
MOST = 10
# What is made by errands, by their names.
ERRANDS = {"aggregate": "Aggregated labels", "export": "A file", "plan": "Planning", "report": "The report",
           "what if": "A trial of exclusion rules", "answers given": "The count of answers"}  # fmt: skip


@never_cache
@require_safe
def system(request: HttpRequest) -> HttpResponse:
    if not user_of(request).is_superuser:
        raise PermissionDenied("Only superusers can see the system.")
    nouns = {model._meta.label: model.NOUNS for model in leased_models()}
    context = {
        "faults": list(read_faults().items()),
        "queues": _queues(),
        "scoring": list(ScoringWorker.objects.live()),
        "untaken": _untaken(),
        "waiting": [(nouns[one.kind].capitalize(), one) for one in read_waiting() if one.waiting or one.held],
        "held": list(_held(user_of(request))),
        "runs": Run.objects.filter(state=Run.State.FAILED).select_related("study", "model").order_by("-pk")[:MOST],
        "jobs": Job.objects.filter(state=Job.State.FAILED).order_by("-pk")[:MOST],
        "trainings": trainings_for(user_of(request)).filter(state=Training.State.FAILED).order_by("-pk")[:MOST],
    }
    return render(request, "researcher/system.html", context)


def _held(user: User) -> Iterator[tuple[str, Leased]]:
    """What each worker has, and the row that it holds."""
    rows = [row for model in leased_models() for row in model.objects.filter(state=model.HELD).order_by("pk")[:MOST]]
    studies = studies_for(user, Right.SEE).filter(pk__in=[_study_of(row) for row in rows])
    titles = dict(studies.values_list("pk", "title"))
    for row in rows:
        yield _in_words(row, titles.get(_study_of(row), "a deleted study")), row


def _study_of(row: Any) -> int:
    return row.run.study_id if isinstance(row, Chunk) else row.study if isinstance(row, Errand) else 0


def _in_words(row: Any, title: str) -> str:
    if isinstance(row, Errand):
        return f"{ERRANDS.get(row.name, row.name.capitalize())} of {title}"
    if isinstance(row, Chunk):
        return f"{counted(len(row.item_ids), 'item')} of {row.run}, {title}"
    return f"{row.NOUN.capitalize()}: {row}"


def _untaken() -> list[tuple[Run, str]]:
    """The first of the runs that wait because no worker takes their model."""
    refused = ScoringWorker.objects.refused_by_all()
    runs = Run.objects.filter(refused.runs, state__in=LIVE).select_related("study", "model").order_by("pk")[:MOST]
    waits = waits_of(runs)
    return [(run, waits[run.pk]) for run in runs if run.pk in waits]


def _queues() -> list[tuple[Queue, bool, datetime | None]]:
    """Each with whether it must have a worker, and when one was last heard of."""
    try:
        heard = beats()
    except RedisError:
        heard = {}
    at = {queue: datetime.fromtimestamp(when, UTC) for queue, when in heard.items()}
    return [(queue, queue in NEEDED, at.get(queue)) for queue in Queue]
