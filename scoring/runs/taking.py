"""Which models this machine's scoring workers take, and what they say of it, so that a run that none takes can say so.

Each process that scores writes down (work/taking.py) what its settings name, and which models of the live runs it
refuses, and why.
"""

import os
from collections.abc import Iterable
from datetime import timedelta
from fnmatch import fnmatchcase
from functools import cache
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.db.models.functions import Now

from scoring.library.location import Location
from scoring.library.model_store import lack
from scoring.models import LIVE, Chunk, LanguageModel, Run
from scoring.scorers.networks.weights import INT8
from scoring.scoring_workers import RunDevice, ScoringWorker, has_gpu
from work.queues import Queue
from work.taking import EVERY, Reasons, keep_saying, send_without_message

# Models of other methods have no dtype that one chooses.
NEURAL = ("masked", "causal", "classifier")
ON_GPU = (*NEURAL, "lstm")
GPU = Path("/proc/driver/nvidia/version")


def refusal(model: LanguageModel) -> str:
    """Why this worker does not take the model; empty where it does."""
    if settings.SCORING_MODELS and not any(_is_named(model, one.lower()) for one in settings.SCORING_MODELS):
        return "its SCORING_MODELS does not name it"
    if settings.SCORING_DTYPES and model.method in NEURAL and model.dtype not in settings.SCORING_DTYPES:
        return f"its SCORING_DTYPES does not name {model.dtype}"
    if model.dtype == INT8 and has_gpu(device()):
        return f"it has a GPU, and {INT8} is for processors only"
    if model.location == Location.ENDPOINT and model.source not in settings.PROMPT_ENDPOINT_MODELS:
        return "its PROMPT_ENDPOINT_MODELS does not name it"
    return lack(model)


def _is_named(model: LanguageModel, pattern: str) -> bool:
    # By itself first: a name may have brackets, which a pattern takes as a set of letters.
    return any(name == pattern or fnmatchcase(name, pattern) for name in (model.key.lower(), model.name.lower()))


REASONS = Reasons(lambda pks: {model.pk: refusal(model) for model in LanguageModel.objects.filter(pk__in=pks)})


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
    """Whether a GPU can be asked for it: it changes nothing of others, and takes no int8."""
    return model.method in ON_GPU and model.dtype != INT8


def say() -> None:
    """Write down what this process takes, and send the rows that it would take and that have no message."""
    models = LanguageModel.objects.filter(runs__state__in=LIVE).distinct()
    by_pk = {model.pk: model.key for model in models if not model.gives_labels_only}
    refused = REASONS.of(by_pk)
    refuses = {by_pk[pk]: reason for pk, reason in refused.items()}
    ScoringWorker.objects.say(
        takes=settings.SCORING_MODELS, device=device(), dtypes=settings.SCORING_DTYPES, refuses=refuses
    )
    # Of what was cut just now the messages are on their way.
    mine = Chunk.objects.waiting().filter(
        run__model__in=by_pk.keys() - refused, run__device__in=devices(), cut_at__lt=Now() - timedelta(seconds=EVERY)
    )
    send_without_message(mine, Queue.SCORING)


def devices() -> tuple[RunDevice, ...]:
    """Where the runs may want to be scored that this worker takes."""
    return (RunDevice.ANY, RunDevice.GPU) if has_gpu(device()) else (RunDevice.ANY,)


@cache
def device() -> str:
    """As `best_device` finds it, without torch, which a worker that waits has not loaded."""
    has_gpu = GPU.exists() and not _hides_gpus() and not version("torch").endswith("+cpu")
    return os.environ.get("SCORING_DEVICE") or ("cuda" if has_gpu else "cpu")


def _hides_gpus() -> bool:
    """CUDA sees those in front of the first that is none."""
    first, _, _ = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")
    return first.strip() in ("", "-1")


keep_saying(Queue.SCORING, say)
