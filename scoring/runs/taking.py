"""Which models this machine's scoring workers take, and what they say of it, so that a run that none takes can say so.

Each process that scores writes it down every few seconds: what its settings name, and which models of the live runs it
refuses, and why. It also sends what it takes and finds without a message: a worker that does not take a row may have
had its message, before this one was there to take it.
"""

import logging
import os
import threading
import time
from collections.abc import Iterable
from datetime import timedelta
from fnmatch import fnmatchcase
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from celery import current_app
from celery.signals import worker_process_init
from django.conf import settings
from django.db import Error, connection
from django.db.models.functions import Now

from scoring.library.location import Location
from scoring.library.model_store import lack
from scoring.models import LIVE, Chunk, LanguageModel, Run
from scoring.scoring_workers import RunDevice, ScoringWorker, has_gpu
from work.place import place
from work.queue import GONE, QueueSilent, messages_waiting, send
from work.queues import Queue

log = logging.getLogger(__name__)

EVERY = 10.0
# What is older is no worker any more, and only takes room.
FORGOTTEN = timedelta(days=7)
# Models of other methods have no dtype that one chooses.
NEURAL = ("masked", "causal", "classifier")
GPU = Path("/proc/driver/nvidia/version")
# By model, when it was looked at, and why it is refused.
_looked: dict[int, tuple[float, str]] = {}


def refusal(model: LanguageModel) -> str:
    """Why this worker does not take the model; empty where it does."""
    if settings.SCORING_MODELS and not any(_is_named(model, one.lower()) for one in settings.SCORING_MODELS):
        return "its SCORING_MODELS does not name it"
    if settings.SCORING_DTYPES and model.method in NEURAL and model.dtype not in settings.SCORING_DTYPES:
        return f"its SCORING_DTYPES does not name {model.dtype}"
    if model.location == Location.ENDPOINT and model.source not in settings.PROMPT_ENDPOINT_MODELS:
        return "its PROMPT_ENDPOINT_MODELS does not name it"
    return lack(model)


def _is_named(model: LanguageModel, pattern: str) -> bool:
    # By itself first: a name may have brackets, which a pattern takes as a set of letters.
    return any(name == pattern or fnmatchcase(name, pattern) for name in (model.key.lower(), model.name.lower()))


def refusals(models: Iterable[int]) -> dict[int, str]:
    """Of these models those that this worker does not take, and why, as it was some seconds ago at most."""
    asked, now = set(models), time.monotonic()
    anew = [pk for pk in asked if pk not in _looked or now - _looked[pk][0] >= EVERY]
    for model in LanguageModel.objects.filter(pk__in=anew) if anew else ():
        _looked[model.pk] = (now, refusal(model))
    return {pk: _looked[pk][1] for pk in asked if pk in _looked and _looked[pk][1]}


def waits_of(runs: Iterable[Run]) -> dict[int, str]:
    """By run, in a sentence, that it waits for a worker that takes its model."""
    live = [run for run in runs if run.is_live]
    if not live:
        return {}
    refused = ScoringWorker.objects.refused_by_all()
    return {
        run.pk: f"Waits: no running worker {_takes(run)} {run.model}."
        for run in live
        if refused.has(run.model.key, run.device)
    }


def _takes(run: Run) -> str:
    return "with a GPU takes" if run.device == Run.Device.GPU else "takes"


def needs_gpu(model: LanguageModel) -> bool:
    """Whether a GPU can be asked for it: it changes nothing of others."""
    return model.method in NEURAL


def say() -> None:
    """Write down what this process takes, and send the rows that it would take and that have no message."""
    models = LanguageModel.objects.filter(runs__state__in=LIVE).distinct()
    asked = {model.pk: model.key for model in models if not model.gives_labels_only}
    refused = refusals(asked)
    said = {
        "takes": settings.SCORING_MODELS,
        "device": device(),
        "dtypes": settings.SCORING_DTYPES,
        "refuses": {asked[pk]: reason for pk, reason in refused.items()},
        "said_at": Now(),
    }
    if not ScoringWorker.objects.filter(place=place()).update(**said):
        ScoringWorker.objects.create(place=place(), **said)
        ScoringWorker.objects.filter(said_at__lt=Now() - FORGOTTEN).delete()
    # Of what was cut just now the messages are on their way.
    mine = Chunk.objects.waiting().filter(
        run__model__in=asked.keys() - refused, run__device__in=devices(), cut_at__lt=Now() - timedelta(seconds=EVERY)
    )
    if (lacking := mine.count()) and (lacking := lacking - messages_waiting(Queue.SCORING)) > 0:
        send(mine[:lacking])


def devices() -> tuple[RunDevice, ...]:
    """Where the runs may want to be scored that this worker takes."""
    return (RunDevice.ANY, RunDevice.GPU) if has_gpu(device()) else (RunDevice.ANY,)


@cache
def device() -> str:
    """As `best_device` finds it, without torch, which a worker that waits has not loaded."""
    has_gpu = GPU.exists() and not version("torch").endswith("+cpu")
    return os.environ.get("SCORING_DEVICE") or ("cuda" if has_gpu else "cpu")


@worker_process_init.connect
def _begin(**_: object) -> None:
    queues: Any = current_app.amqp.queues.consume_from
    if Queue.SCORING in queues:
        threading.Thread(target=_keep_saying, name="taking", daemon=True).start()


def _keep_saying() -> None:
    while True:
        try:
            say()
        except (Error, QueueSilent, *GONE) as error:
            log.warning("Other processes are not told what this worker takes: %s", error)
        finally:
            connection.close()
        time.sleep(EVERY)
